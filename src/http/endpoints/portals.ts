import { portalAccesses, portalNameLength } from '../../directory/portal.ts'
import type { PortalView } from '../../directory/portal-operations.ts'
import { usernameLength } from '../../directory/user.ts'
import { requireMayInvite } from '../../directory/user-operations.ts'
import { mapParsed } from '../../parsed.ts'
import { listAnswer, success } from '../answer.ts'
import { exampleIds, exampleRoot, portalAnswer, singlePage, userAnswers } from '../docs/examples.ts'
import { publicKeyAnswer } from '../docs/handshake-examples.ts'
import { type ApiRequest, type Endpoint, endpoint } from './endpoint.ts'
import { parseInvitationList } from './invitation-list.ts'
import { optionalChoice, optionalText, pageParameters, requiredJson, requiredText } from './parameter-types.ts'
import { changeOf, clearEmptyFields } from './partial-update.ts'
import { userToWire, userViewToWire } from './wire.ts'

const { portalId } = exampleIds

/** Release of the public API that clients may take this server for. */
export const currentVersion = '2025.1'

/** The server itself and its organizations. */
export const portalRows: readonly Endpoint[] = [
  endpoint({
    id: 'readRoot',
    room: 'directory',
    title: 'Root',
    task: 'read root',
    effect: 'none',
    path: '/',
    parameters: {},
    token: 'none',
    who: 'Anyone',
    summary: 'The release of the API.',
    source: 'observed',
    links: () => [
      { text: 'Server info', path: '/info' },
      { text: 'Your organization', path: '/portals/self' },
      { text: 'You', path: '/community/self' },
      { text: 'Groups', path: '/community/groups' },
    ],
    example: { answer: { currentVersion } },
    answer: async () => ({ json: { currentVersion } }),
  }),
  endpoint({
    id: 'readInfo',
    room: 'directory',
    title: 'Server info',
    task: 'read server info',
    effect: 'none',
    path: '/info',
    parameters: {},
    token: 'none',
    who: 'Anyone',
    summary: 'Where to sign in.',
    source: 'observed',
    example: {
      answer: {
        owningSystemUrl: exampleRoot,
        authInfo: { tokenServicesUrl: `${exampleRoot}/sharing/rest/generateToken`, isTokenBasedSecurity: true },
      },
    },
    answer: async ({ publicUrl }) => ({
      json: {
        owningSystemUrl: publicUrl,
        authInfo: { tokenServicesUrl: `${publicUrl}/sharing/rest/generateToken`, isTokenBasedSecurity: true },
      },
    }),
  }),
  endpoint({
    id: 'readPortal',
    room: 'directory',
    title: 'Organization',
    task: 'read organization',
    effect: 'none',
    path: '/portals/:portalId',
    parameters: {},
    token: 'optional',
    who: 'Members; anyone for the public view of self',
    summary: 'The organization; `self` is the caller’s own. With a token, it says who the caller is.',
    source: 'documented',
    chosen: ['For an anonymous caller, self is the organization that was made first.'],
    example: { ids: { portalId }, answer: portalAnswer },
    async answer(request) {
      return { json: portalToWire(await request.run({ portalId: request.ids.portalId }), request) }
    },
  }),
  endpoint({
    id: 'readPublicKey',
    room: 'directory',
    title: 'Public key',
    task: 'read public key',
    effect: 'none',
    path: '/portals/:portalId/publicKey',
    parameters: {},
    token: 'optional',
    who: 'Members; anyone where the organization is public',
    summary: 'The key that signs invitations and responses, and its fingerprint, which the other side compares.',
    source: 'chosen',
    chosen: ['The fingerprint is the JWK thumbprint of RFC 7638 with SHA-256.'],
    example: { ids: { portalId }, answer: publicKeyAnswer },
    async answer({ ids, dependencies, run }) {
      const publicKey: object = JSON.parse(await run(ids))
      return { json: { publicKey, fingerprint: await dependencies.signer.fingerprint(publicKey) } }
    },
  }),
  endpoint({
    id: 'updatePortal',
    room: 'directory',
    title: 'Update organization',
    task: 'update organization',
    effect: 'change',
    path: '/portals/:portalId/update',
    parameters: {
      name: optionalText('Name.', { maxLength: portalNameLength }),
      description: optionalText('Description.', { maxLength: 10_000 }),
      access: optionalChoice(
        'public: the public view and the category schema are readable without a token.',
        portalAccesses,
      ),
      clearEmptyFields,
    },
    token: 'required',
    who: 'Administrators, and custom roles with portal:admin:manageWebsite',
    summary: 'Changes what is given and leaves the rest.',
    source: 'documented',
    example: { ids: { portalId }, parameters: { name: 'Ministry of Maps and Seas' }, answer: { success: true } },
    async answer({ ids, input, run }) {
      await run({ portalId: ids.portalId, change: changeOf(input, 'name') })
      return success
    },
  }),
  endpoint({
    id: 'listUsers',
    room: 'directory',
    title: 'Users',
    task: 'list users',
    effect: 'none',
    path: '/portals/:portalId/users',
    parameters: pageParameters,
    token: 'required',
    who: 'Members with portal:user:viewOrgUsers',
    summary: 'The users of the organization, in the order of their usernames.',
    source: 'documented',
    links: (value) => usernames(value).map((username) => ({ text: username, path: `/community/users/${username}` })),
    example: { ids: { portalId }, answer: singlePage('users', userAnswers) },
    async answer({ ids, input, run }) {
      const users = await run({ portalId: ids.portalId, page: input })
      return listAnswer('users', users, (listed) => userToWire(listed))
    },
  }),
  endpoint({
    id: 'inviteUsers',
    room: 'directory',
    title: 'Invite users',
    task: 'invite users',
    effect: 'change',
    path: '/portals/:portalId/invite',
    parameters: {
      invitationList: {
        ...requiredJson(
          '{"invitations":[{"username","password","firstname","lastname","fullname","email","role"}]}',
          parseInvitationList,
        ),
        // The passwords of the invited are in it.
        isSecret: true,
      },
    },
    token: 'required',
    who: 'Administrators, and custom roles with portal:admin:inviteUsers',
    summary: 'Makes users. An entry with a password makes the user at once.',
    source: 'observed',
    chosen: [
      'An entry without a password is not invited: no mail is sent from here.',
      'The usernames that are not invited are told in notInvited, the reasons in reasons.',
    ],
    example: {
      ids: { portalId },
      parameters: {
        invitationList: JSON.stringify({
          invitations: [
            { username: 'bruno', password: 'a long enough password', fullname: 'Bruno B.', role: 'org_user' },
          ],
        }),
      },
      answer: { success: true, notInvited: [] },
    },
    async answer({ ids, input, dependencies, read, run }) {
      const { portalId } = ids
      await read(requireMayInvite, { portalId })
      const listed = mapParsed(input, ({ invitationList }) => invitationList)
      const invitees = 'problems' in listed ? listed : { value: await Promise.all(listed.value.map(hashed)) }
      const { notInvited } = await run({ portalId, invitees })
      const reasons = notInvited.map(({ username, reason }) => `${username}: ${reason}`)
      return {
        json: {
          success: true,
          notInvited: notInvited.map(({ username }) => username),
          ...(reasons.length > 0 ? { reasons } : {}),
        },
      }

      async function hashed<Entry extends { readonly password: string | undefined }>(entry: Entry) {
        const { password } = entry
        const passwordHash = password === undefined ? undefined : await dependencies.passwords.hash(password)
        return { ...entry, userId: dependencies.random.id(), passwordHash }
      }
    },
  }),
  endpoint({
    id: 'updateUserRole',
    room: 'directory',
    title: 'Update user role',
    task: 'update user role',
    effect: 'change',
    path: '/portals/:portalId/updateUserRole',
    parameters: {
      user: requiredText('Username.', { maxLength: usernameLength.most }),
      role: requiredText('org_admin, org_publisher, org_user, org_viewer, or the id of a custom role.'),
    },
    token: 'required',
    who: 'Administrators, and custom roles with portal:admin:changeUserRoles',
    summary: 'Gives a user another role, at once.',
    source: 'documented',
    chosen: [
      'Only a default administrator makes administrators; nobody gives a role with more privileges than their own.',
    ],
    example: { ids: { portalId }, parameters: { user: 'anna', role: 'org_publisher' }, answer: { success: true } },
    async answer({ ids, input, run }) {
      await run({ portalId: ids.portalId, change: input })
      return success
    },
  }),
]

function usernames(value: unknown): readonly string[] {
  const { users = [] } = value as { users?: readonly { username: string }[] }
  return users.map(({ username }) => username)
}

function portalToWire(
  { portal, member }: PortalView,
  { settings, publicUrl }: Pick<ApiRequest, 'settings' | 'publicUrl'>,
): object {
  const origins = settings.allowedOrigins ?? []
  return {
    id: portal.portalId,
    name: portal.name,
    description: portal.description,
    portalName: portal.name,
    portalHostname: publicUrl.replace(/^https?:\/\//, ''),
    isPortal: true,
    portalMode: 'singletenant',
    currentVersion,
    access: portal.access,
    allSSL: publicUrl.startsWith('https:'),
    supportsOAuth: false,
    hasCategorySchema: portal.hasCategorySchema,
    helperServices: {},
    authorizedCrossOriginDomains: [],
    allowedOrigins: origins,
    maxTokenExpirationMinutes: settings.maxTokenExpirationMinutes,
    urlKey: portal.urlKey,
    created: portal.createdAt,
    modified: portal.modifiedAt,
    ...(member ? { user: userViewToWire(member) } : {}),
  }
}
