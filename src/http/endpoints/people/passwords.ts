import { mapParsed, type Parsed, unwrapParsed } from '../../../call/parsed.ts'
import { passwordLength, samePassword } from '../../../directory/passwords/password.ts'
import { usernameKey } from '../../../directory/user.ts'
import {
  beginGivingPassword,
  type NewPassword,
  requirePasswordChange,
} from '../../../directory/users/user-operations.ts'
import { operationRefused } from '../../../errors.ts'
import { say } from '../../../sentences/say.ts'
import { addressKey } from '../../../tokens/address.ts'
import { beginPasswordChange, type VerifiedChange } from '../../../tokens/operations.ts'
import { annasPassword, exampleIds, exampleRoot, exampleTime, generatedIds } from '../../examples/examples.ts'
import { text, time } from '../../shapes/shape.ts'
import { success, successShapeWith, successWith } from '../../shapes/success.ts'
import { type ApiRequest, type Endpoint, endpointsOf, type RunQuery } from '../endpoint.ts'
import { optionalText, requiredText } from '../parameter-types.ts'
import { newPasswordAddress, signInTo } from '../sign-in.ts'
import { notKept } from '../unused-parameters.ts'

const endpoint = endpointsOf('tokens')

const { username } = exampleIds
const newPassword = requiredText(`The new password, ${passwordLength.min} to ${passwordLength.max} characters.`, {
  isSecret: true,
})

const shared = {
  isRateLimited: true,
  who: 'The user; default administrators for other users',
  summary: 'Changes the password and revokes all tokens of the user.',
  chosen: [
    'A wrong present password counts as a failed sign-in.',
    'If an administrator changes the password, failed sign-ins for the account no longer count, and the user has to change it before anything else.',
    'Every session ends, that of the request too: what is signed in afterwards has the new password.',
  ],
} as const

const forOthers = 'Users change their own by changePassword.'

const given = {
  who: 'Default administrators, for other users',
} as const

/** Changes of a password. */
export const passwordRows: readonly Endpoint[] = [
  endpoint({
    ...shared,
    id: 'changePassword',
    title: 'Change password',
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
      if (!changed) throw operationRefused(`oldPassword: ${say('passwordPresent')}`)
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
      if (!changed) throw operationRefused(`password: ${say('passwordPresent')}`)
      return success
    },
  }),
  endpoint({
    ...given,
    id: 'expirePassword',
    title: 'Expire password',
    task: 'expire the password',
    path: '/community/users/:username/expirePassword',
    parameters: {
      hours: optionalText(
        'Hours until the password has to be changed; `now`, 0 and -1 end it immediately, as by default.',
      ),
    },
    summary: 'From a time on, the user has to change the password before signing in.',
    chosen: ['If that is now, every session of the user ends.', forOthers],
    example: { ids: { username }, parameters: { hours: 'now' }, answer: { success: true } },
    async answer({ ids, input, run }) {
      await run({ username: ids.username, hours: readHours(input) })
      return success
    },
  }),
  endpoint({
    ...given,
    id: 'makePasswordLink',
    title: 'Link to a new password',
    task: 'make a link',
    path: '/community/users/:username/passwordLink',
    summary: 'A link by which the user chooses a new password, once and within an hour. It is not sent to the user.',
    source: 'chosen',
    chosen: [
      'Links that were made before end. The password and the sessions stay until the link is used.',
      'Used, it ends every session of the user, and failed sign-ins no longer count.',
      forOthers,
    ],
    answers: { json: successShapeWith({ url: text(), expires: time('When the link expires.') }) },
    example: {
      ids: { username },
      answer: {
        success: true,
        url: newPasswordAddress(exampleRoot, generatedIds.token),
        expires: exampleTime + 3_600_000,
      },
    },
    async answer({ ids, dependencies, publicUrl, run }) {
      const { random } = dependencies
      const link = random.token()
      const { expiresAt } = await run({ username: ids.username, linkHash: random.hashToken(link) })
      return successWith({ url: newPasswordAddress(publicUrl, link), expires: expiresAt })
    },
  }),
]

/** Maximum of `hours`: 366 days, as a longer time is a mistake. */
const maxHours = 8_784

function readHours(input: Parsed<{ readonly hours: string | undefined }>): Parsed<number> {
  if ('problems' in input) return input
  const { hours = 'now' } = input.value
  if (['now', '-1'].includes(hours)) return { value: 0 }
  const number = /^\d{1,4}$/.test(hours) ? Number(hours) : Number.NaN
  if (number <= maxHours) return { value: number }
  return { problems: [`hours: give now, or a whole number from 0 to ${maxHours}.`] }
}

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
  const newPassword = mapParsed(input, ({ newPassword: text }) => ({
    text,
    isCommon: dependencies.isCommonPassword(text),
  }))
  const { isSelf, passwordHash: presentHash } = await read(beginPasswordChange, { ...signIn, newPassword })
  const password = unwrapParsed(newPassword).text
  const { passwords } = dependencies
  const isRight =
    !isSelf || (await passwords.verify(present, presentHash, { address: signIn.address, isKnownAddress: true }))
  if (isSelf && isRight && password === present) throw operationRefused(`newPassword: ${samePassword}`)
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
  endsProvider: boolean,
): Promise<NewPassword | undefined> {
  if ('problems' in input || !input.value.password) return undefined
  const given = input.value.password
  const password = { text: given, isCommon: dependencies.isCommonPassword(given) }
  const user = await read(beginGivingPassword, { username, password, endsProvider })
  return {
    passwordHash: await dependencies.passwords.hash(given, addressKey(address)),
    accountKey: dependencies.digest(usernameKey(user.username)),
  }
}
