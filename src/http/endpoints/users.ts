import { findPasswordProblem, passwordLength, userAccesses } from '../../directory/user.ts'
import { requirePasswordChange } from '../../directory/users/user-operations.ts'
import { operationRefused } from '../../errors.ts'
import { limitTable } from '../../limits.ts'
import type { Dependencies } from '../../operations/dependencies.ts'
import type { Parsed } from '../../parsed.ts'
import { unwrapParsed } from '../../parsed.ts'
import { beginPasswordChange } from '../../tokens/operations.ts'
import { adminAnswer, annaAnswer, exampleIds } from '../docs/examples.ts'
import { success, successShape, successWith } from '../shapes/success.ts'
import { changedUserShape, userViewShape, userViewToWire, type WireUserView } from '../shapes/user.ts'
import { type Endpoint, endpoint, type Link } from './endpoint.ts'
import { optionalChoice, optionalText, requiredText } from './parameter-types.ts'
import { changeOf, clearEmptyFields } from './partial-update.ts'
import { signInTo } from './sign-in.ts'

const { username } = exampleIds
const mostName = { maxLength: 128 }
const mostGroups =
  `At most the first ${limitTable.groupsInView.default} groups by title, and 512 KiB of them, are listed, unless the ` +
  'operator sets another limit; groupsTotal then says how many there are. The list of groups has all of them.'

function linksOfUser({ orgId, groups }: WireUserView): readonly Link[] {
  return [
    { text: 'Organization', path: `/portals/${orgId}` },
    ...groups.map(({ id, title }) => ({ text: title, path: `/community/groups/${id}` })),
  ]
}

/** Counts a view from which groups are left out. */
export function countOmission(
  view: WireUserView | undefined,
  { limitCounts }: Pick<Dependencies, 'limitCounts'>,
): void {
  if (view?.groupsTotal !== undefined) limitCounts.add('groupsInView')
}

function parseNewPassword(input: Parsed<{ readonly newPassword: string }>): Parsed<string> {
  if ('problems' in input) return input
  const problem = findPasswordProblem(input.value.newPassword)
  return problem ? { problems: [`newPassword: ${problem}`] } : { value: input.value.newPassword }
}

/** Which users a privilege over users reaches. */
const governedUsers =
  'Other users can be managed only by callers who hold all privileges of the user, and default administrators only by each other.'

/** People. */
export const userRows: readonly Endpoint[] = [
  endpoint({
    id: 'readSelf',
    room: 'directory',
    title: 'You',
    task: 'read user',
    effect: 'none',
    path: '/community/self',
    parameters: {},
    token: 'required',
    who: 'Any signed-in user',
    summary: 'The caller, with privileges and groups.',
    chosen: [mostGroups],
    source: 'observed',
    answers: { json: userViewShape },
    links: (user) => [{ text: 'Your user page', path: `/community/users/${user.username}` }, ...linksOfUser(user)],
    example: { answer: adminAnswer },
    async answer({ dependencies, run }) {
      const view = userViewToWire(await run())
      countOmission(view, dependencies)
      return { json: view }
    },
  }),
  endpoint({
    id: 'readUser',
    room: 'directory',
    title: 'User',
    task: 'read user',
    effect: 'none',
    path: '/community/users/:username',
    parameters: {},
    token: 'optional',
    who: 'Members with portal:user:viewOrgUsers if access is org, anyone if it is public; administrators',
    summary: 'A user. Personal details, such as the e-mail address, are only for the user and administrators.',
    source: 'documented',
    answers: { json: userViewShape },
    chosen: [mostGroups],
    links: linksOfUser,
    example: { ids: { username }, answer: annaAnswer },
    async answer({ ids, dependencies, run }) {
      const view = userViewToWire(await run({ username: ids.username }))
      countOmission(view, dependencies)
      return { json: view }
    },
  }),
  endpoint({
    id: 'updateUser',
    room: 'directory',
    title: 'Update user',
    task: 'update user',
    effect: 'change',
    path: '/community/users/:username/update',
    parameters: {
      fullName: optionalText('Full name.', mostName),
      firstName: optionalText('First name.', mostName),
      lastName: optionalText('Last name.', mostName),
      email: optionalText('E-mail address.', mostName),
      description: optionalText('Description.', { maxLength: 10_000 }),
      access: optionalChoice(
        'Who can see the user: administrators (private), the organization (org), or everyone (public).',
        userAccesses,
      ),
      clearEmptyFields,
    },
    token: 'required',
    who: 'The user; administrators, and custom roles with portal:admin:updateUsers',
    summary: 'Changes the given properties; the others are unchanged.',
    source: 'documented',
    chosen: [governedUsers],
    answers: { json: changedUserShape },
    example: { ids: { username }, parameters: { fullName: 'Anna B. Atlas' }, answer: { success: true, username } },
    async answer({ ids, input, run }) {
      const user = await run({ username: ids.username, change: changeOf(input, 'fullName') })
      return successWith({ username: user.username })
    },
  }),
  endpoint({
    id: 'changePassword',
    room: 'tokens',
    title: 'Change password',
    task: 'change password',
    effect: 'change',
    path: '/community/users/:username/changePassword',
    parameters: {
      oldPassword: optionalText('The current password; administrators omit it for other users.', { isSecret: true }),
      newPassword: requiredText(`The new password, ${passwordLength.least} to ${passwordLength.most} characters.`, {
        isSecret: true,
      }),
    },
    token: 'required',
    isRateLimited: true,
    who: 'The user; default administrators for other users',
    summary: 'Changes the password and revokes all tokens of the user.',
    source: 'chosen',
    chosen: [
      'A wrong old password counts as a failed sign-in.',
      'If an administrator changes the password, failed sign-ins for the account no longer count.',
    ],
    answers: { json: successShape },
    example: {
      ids: { username },
      parameters: { newPassword: 'another long password' },
      answer: { success: true },
    },
    async answer(request) {
      const { ids, input, dependencies, read, run } = request
      // Failures are counted by username, and the path may have the id.
      const { user } = await read(requirePasswordChange, { username: ids.username })
      const signIn = signInTo(user.username, request)
      const newPassword = parseNewPassword(input)
      const { isSelf, passwordHash: presentHash } = await read(beginPasswordChange, { ...signIn, newPassword })
      const { oldPassword = '', newPassword: password } = unwrapParsed(input)
      const { passwords } = dependencies
      const isRight =
        !isSelf || (await passwords.verify(oldPassword, presentHash, { address: signIn.address, isKnownAddress: true }))
      const verified = isRight ? { presentHash, newHash: await passwords.hash(password, signIn.address) } : undefined
      const { changed } = await run({ ...signIn, verified })
      if (!changed) throw operationRefused('oldPassword: is not the present password.')
      return success
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
      room: 'directory',
      title: `${verb[0]!.toUpperCase()}${verb.slice(1)} user`,
      task: `${verb} user`,
      effect: 'change',
      path: `/community/users/:username/${verb}`,
      parameters: {},
      token: 'required',
      who: `Administrators, and custom roles with portal:admin:${privilege}`,
      summary,
      source: 'documented',
      chosen: ['The last enabled administrator of an organization cannot be disabled or deleted.', governedUsers],
      answers: { json: changedUserShape },
      example: { ids: { username }, answer: { success: true, username } },
      async answer({ ids, run }) {
        const { username } = await run({ username: ids.username })
        return successWith({ username })
      },
    }),
  ),
]
