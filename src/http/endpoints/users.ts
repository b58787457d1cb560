import { findPasswordProblem, passwordLength, userAccesses } from '../../directory/user.ts'
import { operationRefused } from '../../errors.ts'
import type { Parsed } from '../../parsed.ts'
import { unwrapParsed } from '../../parsed.ts'
import { beginPasswordChange } from '../../tokens/operations.ts'
import { success } from '../answer.ts'
import { adminAnswer, annaAnswer, exampleIds } from '../docs/examples.ts'
import { type Endpoint, endpoint, type Link } from './endpoint.ts'
import { optionalChoice, optionalText, requiredText } from './parameter-types.ts'
import { changeOf, clearEmptyFields } from './partial-update.ts'
import { userViewToWire } from './wire.ts'

const { username } = exampleIds
const mostName = { maxLength: 128 }

function linksOfUser(value: unknown): readonly Link[] {
  const { orgId, groups = [] } = value as { orgId?: string; groups?: readonly { id: string; title: string }[] }
  return [
    ...(orgId ? [{ text: 'Organization', path: `/portals/${orgId}` }] : []),
    ...groups.map(({ id, title }) => ({ text: title, path: `/community/groups/${id}` })),
  ]
}

function parseNewPassword(input: Parsed<{ readonly newPassword: string }>): Parsed<string> {
  if ('problems' in input) return input
  const problem = findPasswordProblem(input.value.newPassword)
  return problem ? { problems: [`newPassword: ${problem}`] } : { value: input.value.newPassword }
}

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
    who: 'Anyone with a token',
    summary: 'The caller, with privileges and groups.',
    source: 'observed',
    links: (value) => [
      { text: 'Your user page', path: `/community/users/${(value as { username: string }).username}` },
      ...linksOfUser(value),
    ],
    example: { answer: adminAnswer },
    answer: async ({ run }) => ({ json: userViewToWire(await run()) }),
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
    who: 'Members with portal:user:viewOrgUsers where access is org, anyone where it is public; administrators',
    summary: 'A user. E-mail, privileges, groups and the like are for the user and administrators.',
    source: 'documented',
    links: linksOfUser,
    example: { ids: { username }, answer: annaAnswer },
    answer: async ({ ids, run }) => ({ json: userViewToWire(await run({ username: ids.username })) }),
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
      access: optionalChoice('Who sees the profile.', userAccesses),
      clearEmptyFields,
    },
    token: 'required',
    who: 'The user; administrators, and custom roles with portal:admin:updateUsers',
    summary: 'Changes what is given and leaves the rest.',
    source: 'documented',
    example: { ids: { username }, parameters: { fullName: 'Anna B. Atlas' }, answer: { success: true, username } },
    async answer({ ids, input, run }) {
      const user = await run({ username: ids.username, change: changeOf(input, 'fullName') })
      return { json: { success: true, username: user.username } }
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
      oldPassword: optionalText('The present password; administrators leave it out for others.', { isSecret: true }),
      newPassword: requiredText(`The new one, ${passwordLength.least} to ${passwordLength.most} characters.`, {
        isSecret: true,
      }),
    },
    token: 'required',
    who: 'The user; default administrators for others',
    summary: 'Sets a password and ends every token of the user.',
    source: 'chosen',
    chosen: ['Wrong old passwords count as failed sign-ins.'],
    example: {
      ids: { username },
      parameters: { newPassword: 'another long password' },
      answer: { success: true },
    },
    async answer({ ids, input, dependencies, address, settings, read, run }) {
      const { username } = ids
      const signIn = { username, address, limit: settings.signInLimit }
      const newPassword = parseNewPassword(input)
      const { isSelf, passwordHash: presentHash } = await read(beginPasswordChange, { ...signIn, newPassword })
      const { oldPassword = '', newPassword: password } = unwrapParsed(input)
      const { passwords } = dependencies
      const isRight = !isSelf || (await passwords.verify(oldPassword, presentHash))
      const verified = isRight ? { presentHash, newHash: await passwords.hash(password) } : undefined
      const { changed } = await run({ ...signIn, verified })
      if (!changed) throw operationRefused('oldPassword: is not the present password.')
      return success
    },
  }),
  ...(
    [
      ['disable', 'Ends every token of the user and refuses sign-in.', 'disableUsers'],
      ['enable', 'Lets a disabled user sign in again.', 'disableUsers'],
      ['delete', 'Removes the user; refused while it owns groups.', 'deleteUsers'],
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
      chosen: [
        'The last enabled administrator of an organization stays. Only a default administrator governs another.',
      ],
      example: { ids: { username }, answer: { success: true, username } },
      async answer({ ids, run }) {
        await run({ username: ids.username })
        return { json: { success: true, username: ids.username } }
      },
    }),
  ),
]
