import type { Invitee } from '../../directory/users/user-operations.ts'
import { isObject } from '../../json-text.ts'
import type { Parsed } from '../../parsed.ts'
import { findTextProblem } from './parameter-types.ts'

/** An entry as the client writes it: what is made of it outside, id and password hash, comes later. */
export type ListedInvitee = Omit<Invitee, 'userId' | 'passwordHash'>

const longestName = 128

/** `{"invitations":[{"username", "password", …}]}` → entries. The members of a mail message are ignored (observed). */
export function parseInvitationList(value: unknown): Parsed<readonly ListedInvitee[]> {
  const entries = isObject(value) ? value['invitations'] : undefined
  if (!Array.isArray(entries)) return { problems: ['has no list "invitations".'] }
  const problems: string[] = []
  const invitees = entries.map((entry: unknown, position) => readEntry(entry, `/invitations/${position}`, problems))
  return problems.length > 0 ? { problems } : { value: invitees }
}

function readEntry(entry: unknown, place: string, problems: string[]): ListedInvitee {
  const members = isObject(entry) ? entry : {}
  const text = (member: string): string => {
    const value = members[member] ?? ''
    const problem = typeof value === 'string' ? findTextProblem(value, longestName) : 'is not a string.'
    if (problem) problems.push(`${place}/${member} ${problem}`)
    return String(value)
  }
  const password = members['password'] ?? undefined
  if (password !== undefined && typeof password !== 'string') problems.push(`${place}/password is not a string.`)
  if (!isObject(entry)) problems.push(`${place} is not an object.`)
  return {
    username: text('username'),
    fullName: text('fullname') || text('fullName'),
    firstName: text('firstname') || text('firstName'),
    lastName: text('lastname') || text('lastName'),
    email: text('email'),
    role: text('role') || 'org_user',
    password: typeof password === 'string' ? password : undefined,
  }
}
