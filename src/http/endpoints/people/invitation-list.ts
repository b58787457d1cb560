import type { Parsed } from '../../../call/parsed.ts'
import type { BuiltInRole } from '../../../call/privilege.ts'
import { findPasswordProblem } from '../../../directory/passwords/password.ts'
import { findEmailProblem, profileLimits } from '../../../directory/user.ts'
import type { Invited, Invitee } from '../../../directory/users/invitation-operations.ts'
import { limitReached } from '../../../errors.ts'
import { isObject } from '../../../json-text.ts'
import { invitationMail } from '../../../mail/texts.ts'
import { findNameProblem, isBlank } from '../../../plain-text.ts'
import { say } from '../../../sentences/say.ts'
import { addressKey } from '../../../tokens/address.ts'
import { PasswordsBusy } from '../../../tokens/password.ts'
import type { ApiRequest } from '../endpoint.ts'
import { lostPasswordAddress, newPasswordAddress } from '../sign-in.ts'

/** An entry as the client writes it: what is made of it outside, such as id and password hash, comes later. */
export type ListedInvitee = Omit<Invitee, 'userId' | 'password' | 'passwordHash' | 'linkHash'> & {
  readonly password: string | undefined
}

/** `{"invitations":[{"username", "password", …}]}` → entries. The members of a mail message are ignored (observed). */
export function parseInvitationList(value: unknown): Parsed<readonly ListedInvitee[]> {
  const entries = isObject(value) ? value['invitations'] : undefined
  if (!Array.isArray(entries)) return { problems: ['has no list "invitations".'] }
  if (entries.length === 0) return { problems: ['has no entry in "invitations".'] }
  const problems: string[] = []
  const invitees = entries.map((entry: unknown, position) => readEntry(entry, `/invitations/${position}`, problems))
  return problems.length > 0 ? { problems } : { value: invitees }
}

function readEntry(entry: unknown, place: string, problems: string[]): ListedInvitee {
  const members = isObject(entry) ? entry : {}
  const text = (member: string, longest: number = profileLimits.name): string => {
    const value = members[member] ?? ''
    const emailProblem = () => (member === 'email' ? findEmailProblem(String(value).trim()) : undefined)
    const problem = typeof value === 'string' ? (findNameProblem(value, longest) ?? emailProblem()) : 'is not a string.'
    if (problem) problems.push(`${place}/${member} ${problem}`)
    return isBlank(String(value)) ? '' : String(value)
  }
  const password = members['password'] ?? undefined
  if (password !== undefined && typeof password !== 'string') problems.push(`${place}/password is not a string.`)
  if (!isObject(entry)) problems.push(`${place} is not an object.`)
  return {
    username: text('username'),
    fullName: text('fullname') || text('fullName'),
    firstName: text('firstname') || text('firstName'),
    lastName: text('lastname') || text('lastName'),
    email: text('email').trim(),
    role: roleNamed(text('role') || 'org_user'),
    providerUsername: expected(
      text('provider'),
      text('idpUsername', profileLimits.providerUsername),
      `${place}/idpUsername`,
      problems,
    ),
    password: typeof password === 'string' ? password : undefined,
  }
}

/** Username at the identity provider; undefined for a user of this server. Adds a problem if it is missing. */
function expected(provider: string, idpUsername: string, place: string, problems: string[]): string | undefined {
  if (provider !== 'enterprise') return undefined
  if (idpUsername.trim() === '') problems.push(`${place} ${missingIdpUsername}`)
  return idpUsername.trim()
}

export const missingIdpUsername = 'is missing; provider enterprise needs it.'

/** Milliseconds in which all passwords of one call have to be hashed: a client waits as long (chosen). */
const hashingTimeout = 60_000

/** Invitees as the operation takes them, and how those without a password are notified. */
export interface PreparedInvitees {
  readonly invitees: Parsed<readonly Invitee[]>
  /** Mails a link to each of the users who were created without a password and who are not sent by an identity provider. */
  mail(outcome: Invited): void
}

/** Hashes the passwords one after the other, each in a turn of its own, so that a long list does not delay sign-ins. */
export async function prepareInvitees(
  listed: Parsed<readonly ListedInvitee[]>,
  { address, dependencies, publicUrl }: Pick<ApiRequest, 'address' | 'dependencies' | 'publicUrl'>,
): Promise<PreparedInvitees> {
  if ('problems' in listed) return { invitees: listed, mail() {} }
  const entries = listed.value
  const { limits, passwords, isCommonPassword, random, now, mailer } = dependencies
  if (entries.length > limits.usersInvited) {
    throw limitReached('usersInvited', say('usersInvited', { max: limits.usersInvited }))
  }
  const until = now() + hashingTimeout
  const invitees: Invitee[] = []
  const links = new Map<string, string>()
  for (const entry of entries) {
    if (now() > until) throw new PasswordsBusy()
    const { password: text } = entry
    const password = text === undefined ? undefined : { text, isCommon: isCommonPassword(text) }
    const isAcceptable = password !== undefined && findPasswordProblem(password) === undefined
    const passwordHash = isAcceptable ? await passwords.hash(password.text, addressKey(address)) : undefined
    const userId = random.id()
    const link = mailer && text === undefined && entry.providerUsername === undefined ? random.token() : undefined
    if (link !== undefined) links.set(userId, link)
    const linkHash = link === undefined ? undefined : random.hashToken(link)
    invitees.push({ ...entry, userId, password, passwordHash, linkHash })
  }
  return {
    invitees: { value: invitees },
    mail({ invited, inviter, organization }) {
      const again = lostPasswordAddress(publicUrl)
      for (const { userId, username, email } of invited) {
        const link = links.get(userId)
        if (link === undefined) continue
        const account = { username, email, organization, publicUrl }
        mailer?.send(invitationMail(account, inviter, { link: newPasswordAddress(publicUrl, link), again }))
      }
    },
  }
}

/** Ids that the administration API of the public portal has for built-in roles (documented). */
const idsOfBuiltInRoles: Readonly<Record<string, BuiltInRole>> = {
  iAAAAAAAAAAAAAAA: 'org_viewer',
  iBBBBBBBBBBBBBBB: 'org_user',
  iCCCCCCCCCCCCCCC: 'org_publisher',
}

/** The role that a client names: a built-in one by that id; any other text is judged by the operation. */
export function roleNamed(role: string): string {
  return Object.hasOwn(idsOfBuiltInRoles, role) ? idsOfBuiltInRoles[role]! : role
}
