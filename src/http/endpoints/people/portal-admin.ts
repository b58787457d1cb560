import { mapParsed, type Parsed } from '../../../call/parsed.ts'
import { profileLimits, usernameLength, userProviders } from '../../../directory/user.ts'
import { requireMayInvite } from '../../../directory/users/invitation-operations.ts'
import { currentVersion } from '../../shapes/directory/portal.ts'
import { constant, list, object, text } from '../../shapes/shape.ts'
import { type Endpoint, endpointsOf } from '../endpoint.ts'
import { optionalChoice, optionalName, optionalText, requiredText } from '../parameter-types.ts'
import { sentByClients, withoutEffect } from '../unused-parameters.ts'
import { optionalEmail } from './email-parameter.ts'
import { type ListedInvitee, missingIdpUsername, prepareInvitees, roleNamed } from './invitation-list.ts'

const endpoint = endpointsOf('directory')

const nameRules = { maxLength: profileLimits.name }
const beside = 'The same is at /portaladmin beside /sharing, where clients of the public portal look for it.'

/** Rows of the administration API of the public portal. */
export const portalAdminRows: readonly Endpoint[] = [
  endpoint({
    id: 'readPortalAdmin',
    title: 'Administration',
    task: 'read administration',
    path: '/portaladmin',
    token: 'none',
    who: 'Anyone',
    summary: 'The version of the administration API, and what there is of it.',
    chosen: [beside],
    answers: {
      json: object({
        version: text('Release of the public API that this server follows.'),
        resources: list(text()),
      }),
    },
    example: { answer: { version: currentVersion, resources: ['security'] } },
    answer: async () => ({ json: { version: currentVersion, resources: ['security'] } }),
  }),
  endpoint({
    id: 'createUser',
    title: 'Create user',
    goals: ['Add people to the organization'],
    path: '/portaladmin/security/users/createUser',
    parameters: {
      username: requiredText('Username.', { maxLength: usernameLength.max }),
      password: optionalText(
        'Password; not needed with provider enterprise, nor with an e-mail address where the server sends mail.',
        { isSecret: true },
      ),
      firstname: optionalName('First name.', nameRules),
      lastname: optionalName('Last name.', nameRules),
      fullname: optionalName('Full name.', nameRules),
      email: optionalEmail('E-mail address; empty for none.'),
      description: optionalText('Description.', { maxLength: profileLimits.description }),
      role: optionalText(
        'Default org_user. A built-in role by its name or by the id that it has in this API (iAAAAAAAAAAAAAAA viewer, iBBBBBBBBBBBBBBB user, iCCCCCCCCCCCCCCC publisher), or a custom one by its id or name.',
        nameRules,
      ),
      provider: optionalChoice(
        'Default arcgis; enterprise: the user signs in through the identity provider.',
        userProviders,
      ),
      idpUsername: optionalText(
        'With provider enterprise: what the identity provider calls the user, by default the subject.',
        { maxLength: profileLimits.providerUsername },
      ),
      ...sentByClients('userLicenseTypeId', 'userType', 'level', 'userCreditAssignment'),
      ...withoutEffect('groups'),
    },
    who: 'Administrators, and custom roles with portal:admin:inviteUsers',
    summary: "Creates a user in the caller's organization.",
    chosen: [beside],
    answers: { json: object({ status: constant('success') }) },
    example: {
      parameters: {
        username: 'bruno',
        password: 'a long enough password',
        firstname: 'Bruno',
        lastname: 'B.',
        email: 'bruno@maps.example.com',
        role: 'iBBBBBBBBBBBBBBB',
        provider: 'arcgis',
      },
      answer: { status: 'success' },
    },
    async answer(request) {
      const { input, read, run } = request
      await read(requireMayInvite, { portalId: 'self' })
      const listed = inviteeOf(input)
      const { invitees, mail } = await prepareInvitees(
        mapParsed(listed, (one) => [one]),
        request,
      )
      mail(await run({ invitee: mapParsed(invitees, ([one]) => one!) }))
      return { json: { status: 'success' as const } }
    },
  }),
]

interface NewUserInput {
  readonly username: string
  readonly password: string | undefined
  readonly firstname: string | undefined
  readonly lastname: string | undefined
  readonly fullname: string | undefined
  readonly email: string | undefined
  readonly description: string | undefined
  readonly role: string | undefined
  readonly provider: 'arcgis' | 'enterprise' | undefined
  readonly idpUsername: string | undefined
}

function inviteeOf(input: Parsed<NewUserInput>): Parsed<ListedInvitee> {
  if ('problems' in input) return input
  const { username, password, firstname, lastname, fullname, email, description, role, provider, idpUsername } =
    input.value
  const providerUsername = provider === 'enterprise' ? idpUsername?.trim() : undefined
  if (provider === 'enterprise' && !providerUsername) return { problems: [`idpUsername: ${missingIdpUsername}`] }
  return {
    value: {
      username,
      password: password || undefined,
      fullName: fullname ?? '',
      firstName: firstname ?? '',
      lastName: lastname ?? '',
      email: email ?? '',
      description: description ?? '',
      role: roleNamed(role?.trim() || 'org_user'),
      providerUsername,
    },
  }
}
