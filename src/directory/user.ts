import { defaultsOf, field, type Named, type RecordOf } from '../record.ts'
import { say } from '../sentences/say.ts'

/** A user to whom a mail is sent. */
export interface MailedUser {
  readonly username: string
  readonly email: string
  /** Name of the organization. */
  readonly organization: string
}

/** Who sees the user: administrators (`private`), members of the organization (`org`), or anyone (`public`). */
export const userAccesses = ['private', 'org', 'public'] as const

export const unitChoices = ['english', 'metric'] as const
/** Units in which clients show lengths and areas; empty if none are set. */
export type Units = (typeof unitChoices)[number] | ''

/** Who knows the password: this server, or an identity provider (documented). */
export const userProviders = ['arcgis', 'enterprise'] as const

/** Limits of a profile: names, texts, codes and one tag in UTF-16 code units, and how many tags (chosen). */
export const profileLimits = {
  name: 128,
  providerUsername: 255,
  description: 10_000,
  code: 32,
  tag: 128,
  tags: 128,
} as const

export const userFields = {
  userId: field.id(),
  username: field.text(),
  portalId: field.text(),
  fullName: field.text(profileLimits.name),
  firstName: field.text(profileLimits.name),
  lastName: field.text(profileLimits.name),
  email: field.text(),
  description: field.text(profileLimits.description).or(''),
  tags: field.texts(profileLimits.tags, profileLimits.tag).or([]),
  /** Language, such as `en` or `pt-BR`; empty if none is set. */
  culture: field.text(profileLimits.code).or(''),
  /** Country by its two letters, or `WO` for the world; empty if none is set. */
  region: field.text(profileLimits.code).or(''),
  units: field.text<Units>().or(''),
  access: field.choice(userAccesses).or('org'),
  /** A built-in role, or the id of a custom role. */
  role: field.text(),
  disabled: field.flag().or(false),
  createdAt: field.time(),
  modifiedAt: field.time(),
  /** Undefined until the first sign-in. */
  lastSignInAt: field.time().optional(),
  /**
   * Name at the identity provider of the user who signs in through it, or whom it is expected to send; undefined for a user
   * of this server alone.
   */
  providerUsername: field.text(profileLimits.providerUsername).optional(),
}

/** A person with an account in one organization. Usernames are unique on the whole server, whatever their case. */
export interface User extends RecordOf<typeof userFields>, Named {}

export const usernameLength = { min: 3, max: 128 } as const
const usernamePattern = /^[A-Za-z0-9._@-]{3,128}$/

/**
 * Returns the problem of a username (documented: letters, digits, dot, at, underscore, hyphen, and not the id of a user; the
 * shortest length is chosen, and that no username looks like an id).
 */
export function findUsernameProblem(username: string): string | undefined {
  if (!usernamePattern.test(username)) {
    return say('usernameRule')
  }
  if (usernameKey(username).startsWith(formerMember)) return say('usernameOfFormer', { beginning: formerMember })
  return isUserId(usernameKey(username)) ? say('usernameLikeId') : undefined
}

/** Whether a text could be the id of a user. */
export function isUserId(text: string): boolean {
  return /^[0-9a-f]{32}$/.test(text)
}

/** Begins the names under which the log has people who are erased. */
export const formerMember = 'former-member-'

/** The form in which usernames are compared. Only ASCII letters are lower-cased: the Kelvin sign is not a `k`. */
export function usernameKey(username: string): string {
  return username.replace(/[A-Z]/g, (letter) => letter.toLowerCase())
}

/** Properties of a new user. */
export type NewUser = Pick<User, 'userId' | 'username' | 'fullName' | 'firstName' | 'lastName' | 'email' | 'role'> &
  Partial<Pick<User, 'description' | 'providerUsername'>>

const userDefaults = defaultsOf(userFields)

/** A new, enabled user. */
export function newUser(person: NewUser, portalId: string, now: number): User {
  const { userId, username, fullName, firstName, lastName, email, description = '', role, providerUsername } = person
  return {
    ...userDefaults,
    userId,
    username,
    portalId,
    fullName: fullName || [firstName, lastName].filter(Boolean).join(' ') || username,
    firstName,
    lastName,
    email,
    description,
    role,
    createdAt: now,
    modifiedAt: now,
    lastSignInAt: undefined,
    providerUsername,
  }
}

/** A single address as mail servers take it (chosen): none that could be read as several, or as a name beside an address. */
export function isMailAddress(text: string): boolean {
  return text.length <= 254 && /^[^\s\p{Cc}@,;:<>()[\]"\\]+@[^\s\p{Cc}@,;:<>()[\]"\\]+$/u.test(text)
}

/** Returns the problem of an e-mail address: a name and a host are expected (chosen); it may be empty. */
export function findEmailProblem(email: string): string | undefined {
  return email === '' || /^[^\s@]+@[^\s@]+$/.test(email) ? undefined : say('noMailAddress')
}
