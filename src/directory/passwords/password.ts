import { field, type GivenOf, type Named } from '../../record.ts'
import { say } from '../../sentences/say.ts'
import { isSequence } from './sequence.ts'

/** Length of a password in UTF-16 code units (chosen); the upper bound limits the work of hashing. */
export const passwordLength = { min: 8, max: 128 } as const

/** A new password, before it is judged. */
export interface ChosenPassword {
  readonly text: string
  /** Whether it is on the list of common passwords, which the rooms do not read. */
  readonly isCommon: boolean
}

/** Names that a password must not mainly consist of. */
export interface PasswordContext {
  readonly username?: string | undefined
  /** Name of the organization. */
  readonly organization?: string | undefined
}

/** Refusal where the new password is the present one. */
export const samePassword = say('passwordSame')

/**
 * Problems of a new password: its length, that it is a common one, a repetition or a sequence, or little more than the name
 * of the user, of the organization or of this program. There are no rules of composition (chosen, after NIST SP 800-63B).
 */
export function findPasswordProblem(
  { text: password, isCommon }: ChosenPassword,
  context: PasswordContext = {},
): string | undefined {
  const problem = findLengthProblem(password)
  if (problem !== undefined) return problem
  if (isCommon) return say('passwordCommon')
  if (isSequence(password)) {
    return say('passwordSequence')
  }
  const names = [
    ['the username', context.username],
    ['the name of the organization', context.organization],
    ['the name of this program', 'cartulary'],
  ] as const
  const own = names.find(([, name]) => name !== undefined && isLittleMore(password, name))
  return own && say('passwordNamed', { name: own[0] })
}

/** Returns the problem of a password by its length and its characters alone. */
export function findLengthProblem(password: string): string | undefined {
  const { min, max } = passwordLength
  if (!password.isWellFormed()) return say('passwordSurrogate')
  if (password.length >= min && password.length <= max) return undefined
  return say('passwordLength', { length: password.length, min, max })
}

/** Shorter names occur in other words. */
const shortestName = 4

/** Whether so little is left of the password without the name that it would be too short. */
function isLittleMore(password: string, name: string): boolean {
  const letters = lettersOf(password)
  const own = lettersOf(name)
  if (own.length < shortestName || !letters.includes(own)) return false
  return letters.replaceAll(own, '').length < passwordLength.min
}

/** Lower case, without what is between words. */
function lettersOf(text: string): string {
  return text.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
}

export const passwordLinkFields = {
  /** SHA-256 of what is in its address, in lower-case hex. */
  linkHash: field.text(),
  userId: field.id(),
  /** The administrator who made it, without whose right it is worth nothing (chosen); undefined for one that the operator or the page made. */
  makerId: field.id().optional(),
  expiresAt: field.time(),
}

/** Link for a new password, once and within an hour, whether an administrator, the operator or the page of sign-in made it (chosen). */
export interface PasswordLink extends GivenOf<typeof passwordLinkFields>, Named {}

export const linkMilliseconds = 60 * 60_000

/** Milliseconds between two links that are mailed to one user (chosen): anyone can ask for them. */
export const linkInterval = 10 * 60_000
