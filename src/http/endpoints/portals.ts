import { portalAccesses, portalNameLength } from '../../directory/portal.ts'
import { findPasswordProblem, usernameLength } from '../../directory/user.ts'
import { type Invitee, requireMayInvite } from '../../directory/users/user-operations.ts'
import { limitReached } from '../../errors.ts'
import { mapParsed } from '../../parsed.ts'
import { addressKey } from '../../tokens/address.ts'
import { PasswordsBusy } from '../../tokens/password.ts'
import { exampleIds, exampleRoot, portalAnswer, singlePage, userAnswers } from '../docs/examples.ts'
import { publicKeyAnswer } from '../docs/handshake-examples.ts'
import { fingerprintShape, publicKeyShape, type WirePublicKey } from '../shapes/handshake.ts'
import { pageOf, pageToWire } from '../shapes/page.ts'
import { currentVersion, infoShape, infoToWire, portalShape, portalToWire, rootShape } from '../shapes/portal.ts'
import { object } from '../shapes/shape.ts'
import { success, successShape } from '../shapes/success.ts'
import { invitedUsersShape, invitedUsersToWire, userShape, userToWire } from '../shapes/user.ts'
import { type Endpoint, endpoint } from './endpoint.ts'
import { type ListedInvitee, parseInvitationList } from './invitation-list.ts'
import { optionalChoice, optionalText, pageParameters, requiredJson, requiredText } from './parameter-types.ts'
import { changeOf, clearEmptyFields } from './partial-update.ts'
import { countOmission } from './users.ts'

const { portalId } = exampleIds

/** Milliseconds in which all passwords of an invitation list have to be hashed: a client waits as long (chosen). */
const longestHashing = 10_000

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
    summary: 'The version of the API.',
    source: 'observed',
    answers: { json: rootShape },
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
    summary: 'The address for signing in.',
    source: 'observed',
    answers: { json: infoShape },
    example: {
      answer: {
        owningSystemUrl: exampleRoot,
        authInfo: { tokenServicesUrl: `${exampleRoot}/sharing/rest/generateToken`, isTokenBasedSecurity: true },
      },
    },
    answer: async ({ publicUrl }) => ({ json: infoToWire(publicUrl) }),
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
    summary:
      'The organization; `self` is that of the caller. With a token of the organization, the answer includes the caller.',
    source: 'documented',
    chosen: ['For an anonymous caller, self is the organization that was created first.'],
    answers: { json: portalShape },
    example: { ids: { portalId }, answer: portalAnswer },
    async answer(request) {
      const portal = portalToWire(await request.run({ portalId: request.ids.portalId }), request)
      countOmission(portal.user, request.dependencies)
      return { json: portal }
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
    who: 'Members; anyone if the organization is public',
    summary:
      'The public key that verifies invitations and responses, and its fingerprint, which the other side compares.',
    source: 'chosen',
    chosen: ['The fingerprint is the JWK thumbprint of RFC 7638 with SHA-256.'],
    answers: { json: object({ publicKey: publicKeyShape, fingerprint: fingerprintShape }) },
    example: { ids: { portalId }, answer: publicKeyAnswer },
    async answer({ ids, dependencies, run }) {
      const publicKey: WirePublicKey = JSON.parse(await run(ids))
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
        'public: the organization and its category schema can be read without a token.',
        portalAccesses,
      ),
      clearEmptyFields,
    },
    token: 'required',
    who: 'Administrators, and custom roles with portal:admin:manageWebsite',
    summary: 'Changes the given properties; the others are unchanged.',
    source: 'documented',
    answers: { json: successShape },
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
    summary: 'The users of the organization, sorted by username.',
    source: 'documented',
    answers: { json: pageOf('users', userShape) },
    links: ({ users }) => users.map(({ username }) => ({ text: username, path: `/community/users/${username}` })),
    example: { ids: { portalId }, answer: singlePage('users', userAnswers) },
    async answer({ ids, input, run }) {
      const users = await run({ portalId: ids.portalId, page: input })
      return { json: pageToWire('users', users, userToWire) }
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
    summary: 'Creates users. An entry with a password creates the user immediately.',
    source: 'observed',
    chosen: [
      'An entry without a password is rejected, since no e-mail is sent.',
      'notInvited lists the usernames that were not invited; reasons says why.',
      'Usernames are unique on the whole server. Of a username that is in use in another organization, reasons says only that it is not available.',
    ],
    answers: { json: invitedUsersShape },
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
    async answer({ ids, input, address, dependencies, read, run }) {
      const { portalId } = ids
      await read(requireMayInvite, { portalId })
      const listed = mapParsed(input, ({ invitationList }) => invitationList)
      const invitees = 'problems' in listed ? listed : { value: await hashPasswords(listed.value) }
      const { notInvited } = await run({ portalId, invitees })
      return { json: invitedUsersToWire(notInvited) }

      /** One after the other, each in a turn of its own, so that a long list does not delay sign-ins. */
      async function hashPasswords(entries: readonly ListedInvitee[]): Promise<readonly Invitee[]> {
        const { limits, passwords, random, now } = dependencies
        if (entries.length > limits.usersInvited) {
          throw limitReached('usersInvited', `At most ${limits.usersInvited} users can be invited at once.`)
        }
        const until = now() + longestHashing
        const invitees: Invitee[] = []
        for (const entry of entries) {
          if (now() > until) throw new PasswordsBusy()
          const { password } = entry
          const isAcceptable = password !== undefined && findPasswordProblem(password) === undefined
          const passwordHash = isAcceptable ? await passwords.hash(password, addressKey(address)) : undefined
          invitees.push({ ...entry, userId: random.id(), passwordHash })
        }
        return invitees
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
    summary: 'Changes the role of a user, effective immediately.',
    source: 'documented',
    chosen: [
      'Only a default administrator can assign the administrator role. No caller can assign a role with more privileges than their own, or take one away.',
    ],
    answers: { json: successShape },
    example: { ids: { portalId }, parameters: { user: 'anna', role: 'org_publisher' }, answer: { success: true } },
    async answer({ ids, input, run }) {
      await run({ portalId: ids.portalId, change: input })
      return success
    },
  }),
]
