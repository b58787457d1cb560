import { mapParsed, type Parsed } from '../../../call/parsed.ts'
import { profileLimits, unitChoices, userFields, userProviders } from '../../../directory/user.ts'
import { maxItemsReassigned } from '../../../directory/users/reassign-operations.ts'
import type { ProviderChange } from '../../../directory/users/user-operations.ts'
import { limitTable } from '../../../limits.ts'
import { emailChangedMail } from '../../../mail/texts.ts'
import type { Dependencies } from '../../../operations/dependencies.ts'
import { adminAnswer, annaAnswer, exampleIds } from '../../examples/examples.ts'
import { changedUserShape, userViewShape, userViewToWire, type WireUserView } from '../../shapes/directory/user.ts'
import { success, successWith } from '../../shapes/success.ts'
import { type Endpoint, endpointsOf } from '../endpoint.ts'
import { optionalChoice, optionalName, optionalText, parametersOf, requiredText } from '../parameter-types.ts'
import { changeOf, clearEmptyFields } from '../partial-update.ts'
import { notKept, withoutEffect } from '../unused-parameters.ts'
import { optionalEmail } from './email-parameter.ts'
import { missingIdpUsername } from './invitation-list.ts'
import { hashGivenPassword } from './passwords.ts'

const endpoint = endpointsOf('directory')

const { username } = exampleIds
const nameRules = { maxLength: profileLimits.name }
const maxGroups =
  `At most the first ${limitTable.groupsInView.default} groups by title, and 512 KiB of them, are listed, unless the ` +
  'operator sets another limit; groupsTotal then says how many there are. The list of groups has all of them.'

/** Counts a view from which groups are left out. */
export function countOmission(
  view: WireUserView | undefined,
  { limitCounts }: Pick<Dependencies, 'limitCounts'>,
): void {
  if (view?.groupsTotal !== undefined) limitCounts.add('groupsInView')
}

/** Rule for the users that a privilege over users covers. */
export const governedUsers =
  'Other users can be managed only by callers who hold all administrative privileges of the user, and default administrators only by each other.'

/** Rows of users. */
export const userRows: readonly Endpoint[] = [
  endpoint({
    id: 'readSelf',
    title: 'You',
    task: 'read user',
    goals: ['See who I am and what I may do'],
    path: '/community/self',
    can: { id: 'username', idsOf: ({ username }) => ({ username: String(username) }) },
    who: 'Any signed-in user',
    summary: 'The caller, with privileges and groups.',
    chosen: [maxGroups],
    source: 'observed',
    answers: { json: userViewShape },
    example: { answer: adminAnswer },
    async answer({ dependencies, run }) {
      const view = userViewToWire(await run())
      countOmission(view, dependencies)
      return { json: view }
    },
  }),
  endpoint({
    id: 'readUser',
    title: 'User',
    path: '/community/users/:username',
    can: { id: 'username', idsOf: ({ username }) => ({ username: String(username) }) },
    token: 'optional',
    who: 'Members with portal:user:viewOrgUsers if access is org, anyone if it is public; administrators, and custom roles with portal:admin:viewUsers',
    summary: 'A user. Personal details, such as the e-mail address, are only for the user and administrators.',
    answers: { json: userViewShape },
    chosen: [maxGroups],
    example: { ids: { username }, answer: annaAnswer },
    async answer({ ids, dependencies, run }) {
      const view = userViewToWire(await run({ username: ids.username }))
      countOmission(view, dependencies)
      return { json: view }
    },
  }),
  endpoint({
    id: 'updateUser',
    title: 'Update user',
    path: '/community/users/:username/update',
    takesBack: userViewShape,
    parameters: {
      fullName: optionalName('Full name.', nameRules),
      firstName: optionalName('First name.', nameRules),
      lastName: optionalName('Last name.', nameRules),
      email: optionalEmail('E-mail address; empty for none.'),
      ...parametersOf(userFields, {
        description: 'Description.',
        access: 'Who can see the user: administrators (private), the organization (org), or everyone (public).',
        tags: 'Tags, with commas between them.',
        culture: 'Language, such as en or pt-BR.',
        region: 'Country, such as CH, or WO for the world.',
      }),
      units: optionalChoice('Units in which clients show lengths and areas.', unitChoices),
      password: optionalText('A new password; only default administrators give it, to other users.', {
        isSecret: true,
      }),
      provider: optionalChoice(
        'Only default administrators change it: arcgis ends the sign-in through the identity provider; enterprise, with idpUsername, lets it begin.',
        userProviders,
      ),
      idpUsername: optionalText(
        'What the identity provider calls the user, by default the subject; only with provider enterprise.',
        { maxLength: profileLimits.providerUsername },
      ),
      role: { ...optionalText('Refused unless it is the present one: updateUserRole changes it.'), isUnfilled: true },
      orgId: {
        ...optionalText('Refused unless it is the present one: users stay in their organization.'),
      },
      ...withoutEffect('preferredView', 'cultureFormat', 'userType', 'level'),
      ...notKept({
        thumbnail: 'no pictures are kept here.',
        securityQuestionIdx: 'there are no security questions here.',
        securityAnswer: 'there are no security questions here.',
        categories: 'there are no categories of members here.',
      }),
      clearEmptyFields,
    },
    who: 'The user; administrators, and custom roles with portal:admin:updateUsers',
    summary: 'Changes the given properties; the others are unchanged.',
    chosen: [
      governedUsers,
      'Another account of the identity provider, or none any more, revokes all tokens of the user.',
      'Where the server sends mail, only default administrators change e-mail addresses, as links to a new password are sent there. Links that were made before end, and the former address is notified.',
      'With a password, which only default administrators give, all tokens of the user are revoked. Users change their own by reset.',
    ],
    answers: { json: changedUserShape },
    example: { ids: { username }, parameters: { fullName: 'Anna B. Atlas' }, answer: { success: true, username } },
    async answer(request) {
      const { ids, input, run } = request
      const endsProvider = 'value' in input && input.value.provider === 'arcgis'
      const password = await hashGivenPassword(ids.username, request, endsProvider)
      const profile = mapParsed(
        input,
        ({ password: _password, provider, idpUsername, role, orgId, ...fields }) => fields,
      )
      const unchangeable = mapParsed(input, ({ role, orgId }) => ({
        role: role || undefined,
        orgId: orgId || undefined,
      }))
      const provider = providerChangeOf(input)
      const change = changeOf(profile, 'fullName')
      const { mailer } = request.dependencies
      const sendsMail = mailer !== undefined
      const given = { username: ids.username, change, unchangeable, password, provider, sendsMail }
      const { user, formerEmail } = await run(given)
      if (formerEmail) mailer?.send(emailChangedMail({ ...formerEmail, publicUrl: request.publicUrl }))
      return successWith({ username: user.username })
    },
  }),
  ...(
    [
      ['disable', 'Disables sign-in and revokes all tokens of the user.', 'disableUsers'],
      ['enable', 'Enables sign-in again.', 'disableUsers'],
      ['delete', 'Deletes the user; refused while the user owns groups.', 'deleteUsers'],
    ] as const
  ).map(([verb, summary, privilege]) =>
    endpoint({
      id: `${verb}User`,
      title: `${verb[0]!.toUpperCase()}${verb.slice(1)} user`,
      task: `${verb} user`,
      goals: ['Enable, disable or delete people'],
      path: `/community/users/:username/${verb}`,
      who: `Administrators, and custom roles with portal:admin:${privilege}`,
      summary,
      chosen: ['The last enabled administrator of an organization cannot be disabled or deleted.', governedUsers],
      answers: { json: changedUserShape },
      example: { ids: { username }, answer: { success: true, username } },
      async answer({ ids, run }) {
        const { username } = await run({ username: ids.username })
        return successWith({ username })
      },
    }),
  ),
  endpoint({
    id: 'reassignUser',
    title: 'Reassign what a user owns',
    task: 'reassign what the user owns',
    goals: ['Enable, disable or delete people'],
    path: '/community/users/:username/reassign',
    parameters: { targetUsername: requiredText('Username of the new owner.', nameRules) },
    who: 'Administrators, and custom roles with portal:admin:reassignUsers',
    summary: 'Gives all groups and items of the user to another user of the organization.',
    source: 'observed',
    chosen: [
      'All of it is given, or nothing if it is more than the other user may own. The former owner becomes a manager of the groups, and items leave groups of which the new owner is no member. Apps of the items lose their secrets, tokens and sign-ins.',
      `At most ${maxItemsReassigned} items are given in one request.`,
      governedUsers,
    ],
    example: { ids: { username }, parameters: { targetUsername: 'admin' }, answer: { success: true } },
    async answer({ ids, input, run }) {
      await run({ username: ids.username, target: input })
      return success
    },
  }),
]

/** Change of the username at the identity provider; undefined if the call does not change it. */
function providerChangeOf(
  input: Parsed<{ readonly provider: 'arcgis' | 'enterprise' | undefined; readonly idpUsername: string | undefined }>,
): Parsed<ProviderChange | undefined> {
  if ('problems' in input || input.value.provider === undefined) return { value: undefined }
  if (input.value.provider === 'arcgis') return { value: { providerUsername: undefined } }
  const providerUsername = input.value.idpUsername?.trim()
  return providerUsername ? { value: { providerUsername } } : { problems: [`idpUsername: ${missingIdpUsername}`] }
}
