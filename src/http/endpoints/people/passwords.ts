import { passwordLength } from '../../../directory/passwords/password.ts'
import { usernameKey } from '../../../directory/user.ts'
import {
  beginGivingPassword,
  type NewPassword,
  requirePasswordChange,
} from '../../../directory/users/user-operations.ts'
import { operationRefused } from '../../../errors.ts'
import { mapParsed, type Parsed, unwrapParsed } from '../../../parsed.ts'
import { addressKey } from '../../../tokens/address.ts'
import { beginPasswordChange, type VerifiedChange } from '../../../tokens/operations.ts'
import { annasPassword, exampleIds } from '../../docs/examples.ts'
import { success, successShape } from '../../shapes/success.ts'
import { type ApiRequest, type Endpoint, endpoint, type RunQuery } from '../endpoint.ts'
import { optionalText, requiredText } from '../parameter-types.ts'
import { signInTo } from '../sign-in.ts'
import { notKept } from '../unused-parameters.ts'

const { username } = exampleIds
const newPassword = requiredText(`The new password, ${passwordLength.least} to ${passwordLength.most} characters.`, {
  isSecret: true,
})

const shared = {
  room: 'tokens',
  effect: 'change',
  token: 'required',
  isRateLimited: true,
  who: 'The user; default administrators for other users',
  summary: 'Changes the password and revokes all tokens of the user.',
  chosen: [
    'A wrong present password counts as a failed sign-in.',
    'If an administrator changes the password, failed sign-ins for the account no longer count.',
  ],
  answers: { json: successShape },
} as const

/** Changes of a password. */
export const passwordRows: readonly Endpoint[] = [
  endpoint({
    ...shared,
    id: 'changePassword',
    title: 'Change password',
    task: 'change password',
    goals: ['Change or reset a password'],
    path: '/community/users/:username/changePassword',
    parameters: {
      oldPassword: optionalText('The current password; administrators omit it for other users.', { isSecret: true }),
      newPassword,
    },
    source: 'chosen',
    example: { ids: { username }, parameters: { newPassword: 'another long password' }, answer: { success: true } },
    async answer(request) {
      const { input, run } = request
      const change = await verifyChange(request, input, 'value' in input ? input.value.oldPassword : undefined)
      const { changed } = await run(change)
      if (!changed) throw operationRefused('oldPassword: is not the present password.')
      return success
    },
  }),
  endpoint({
    ...shared,
    id: 'resetUser',
    title: 'Reset',
    task: 'reset the password',
    goals: ['Change or reset a password'],
    path: '/community/users/:username/reset',
    parameters: {
      password: optionalText('The current password; administrators omit it for other users.', { isSecret: true }),
      newPassword,
      ...notKept({
        newSecurityQuestionIdx: 'there are no security questions here.',
        newSecurityAnswer: 'there are no security questions here.',
      }),
    },
    source: 'observed',
    example: {
      caller: 'anna',
      ids: { username },
      parameters: { password: annasPassword, newPassword: 'another long password' },
      answer: { success: true },
    },
    async answer(request) {
      const { input, run } = request
      const change = await verifyChange(request, input, 'value' in input ? input.value.password : undefined)
      const { changed } = await run(change)
      if (!changed) throw operationRefused('password: is not the present password.')
      return success
    },
  }),
]

type Changing = Pick<
  ApiRequest<'changePassword' | 'resetUser', never, '/:username'>,
  'ids' | 'address' | 'findCrossSiteOrigin' | 'dependencies' | 'settings'
> & { readonly read: RunQuery }

/** Verifies the present password, unless an administrator changes it, and hashes the new one. */
async function verifyChange(
  request: Changing,
  input: Parsed<{ readonly newPassword: string }>,
  present = '',
): Promise<VerifiedChange> {
  const { ids, dependencies, read } = request
  // Failures are counted by username, and the path may have the id.
  const { user } = await read(requirePasswordChange, { username: ids.username })
  const signIn = signInTo(user.username, request)
  const newPassword = mapParsed(input, ({ newPassword }) => newPassword)
  const { isSelf, passwordHash: presentHash } = await read(beginPasswordChange, { ...signIn, newPassword })
  const password = unwrapParsed(newPassword)
  const { passwords } = dependencies
  const isRight =
    !isSelf || (await passwords.verify(present, presentHash, { address: signIn.address, isKnownAddress: true }))
  const verified = isRight ? { presentHash, newHash: await passwords.hash(password, signIn.address) } : undefined
  return { ...signIn, verified }
}

type Giving = Pick<ApiRequest, 'address' | 'dependencies'> & {
  readonly input: Parsed<{ readonly password: string | undefined }>
  readonly read: RunQuery
}

/** The hash of the password that an administrator gives a user; undefined if none is given. Permission is checked before. */
export async function hashGivenPassword(
  username: string,
  { input, address, dependencies, read }: Giving,
): Promise<NewPassword | undefined> {
  if ('problems' in input || !input.value.password) return undefined
  const given = input.value.password
  const user = await read(beginGivingPassword, { username, password: given })
  return {
    passwordHash: await dependencies.passwords.hash(given, addressKey(address)),
    accountKey: dependencies.digest(usernameKey(user.username)),
  }
}
