import { findPasswordProblem, passwordLength, userAccesses } from '../directory/user.ts'
import {
  deleteUser,
  enableUser,
  readSelf,
  readUser,
  requirePasswordChange,
  updateUser,
} from '../directory/user-operations.ts'
import { operationRefused } from '../errors.ts'
import { accept } from '../input.ts'
import { beginSignIn, changePassword, disableSignIn, recordFailedSignIn } from '../tokens/operations.ts'
import { success } from './answer.ts'
import { changeOf, clearEmptyFields } from './change.ts'
import { adminAnswer, annaAnswer, exampleIds } from './examples.ts'
import { type Link, type Operation, operation } from './operation.ts'
import { optionalChoice, optionalText, requiredText } from './parameters.ts'
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

/** People. */
export const userRows: readonly Operation[] = [
  operation({
    id: 'self',
    room: 'directory',
    title: 'You',
    task: 'read user',
    kind: 'resource',
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
    answer: async ({ read }) => ({ json: userViewToWire(await read(readSelf, undefined)) }),
  }),
  operation({
    id: 'user',
    room: 'directory',
    title: 'User',
    task: 'read user',
    kind: 'resource',
    path: '/community/users/:username',
    parameters: {},
    token: 'optional',
    who: 'Members with portal:user:viewOrgUsers where access is org, anyone where it is public; administrators',
    summary: 'A user. E-mail, privileges, groups and the like are for the user and administrators.',
    source: 'documented',
    links: linksOfUser,
    example: { ids: { username }, answer: annaAnswer },
    answer: async ({ ids, read }) => ({ json: userViewToWire(await read(readUser, { username: ids.username })) }),
  }),
  operation({
    id: 'updateUser',
    room: 'directory',
    title: 'Update user',
    task: 'update user',
    kind: 'operation',
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
    async answer({ ids, input, write }) {
      const user = await write(updateUser, { username: ids.username, change: changeOf(input, 'fullName') })
      return { json: { success: true, username: user.username } }
    },
  }),
  operation({
    id: 'changePassword',
    room: 'tokens',
    title: 'Change password',
    task: 'change password',
    kind: 'operation',
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
    async answer({ ids, input, ports, address, settings, read, write }) {
      const { user, isSelf, passwordHash: present } = await read(requirePasswordChange, { username: ids.username })
      const { oldPassword, newPassword } = accept(input)
      const problem = findPasswordProblem(newPassword)
      if (problem) throw operationRefused(`newPassword: ${problem}`)
      const signIn = { username: user.username, address, limit: settings.signInLimit }
      if (isSelf) {
        await read(beginSignIn, signIn)
        if (!(await ports.passwords.verify(oldPassword ?? '', present))) {
          await write(recordFailedSignIn, signIn, { outcome: 400 })
          throw operationRefused('oldPassword: is not the present password.')
        }
      }
      const passwordHash = await ports.passwords.hash(newPassword)
      await write(changePassword, { ...signIn, verifiedHash: present, passwordHash })
      return success
    },
  }),
  ...(
    [
      ['disable', disableSignIn, 'Ends every token of the user and refuses sign-in.', 'disableUsers'],
      ['enable', enableUser, 'Lets a disabled user sign in again.', 'disableUsers'],
      ['delete', deleteUser, 'Removes the user; refused while it owns groups.', 'deleteUsers'],
    ] as const
  ).map(([verb, run, summary, privilege]) =>
    operation({
      id: `${verb}User`,
      room: 'directory',
      title: `${verb[0]!.toUpperCase()}${verb.slice(1)} user`,
      task: `${verb} user`,
      kind: 'operation',
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
      async answer({ ids, write }) {
        await write(run, { username: ids.username })
        return { json: { success: true, username: ids.username } }
      },
    }),
  ),
]
