import { formatCsvRow, guardFormula } from '../../../../src/csv-text.ts'

/** A person to be created, as typed. */
export interface NewPerson {
  readonly username: string
  readonly fullName: string
  readonly email: string
  readonly role: string
}

export const emptyPerson: NewPerson = { username: '', fullName: '', email: '', role: 'org_user' }

/** A created person with the initial password. */
export interface CreatedPerson extends NewPerson {
  readonly password: string
}

/** A person with a password, or without one, who is sent a link. */
export interface InvitedPerson extends NewPerson {
  readonly password: string | undefined
}

export function hasPassword(person: InvitedPerson): person is CreatedPerson {
  return person.password !== undefined
}

/** Entries for `inviteUsers`. */
export function invitationsOf(people: readonly InvitedPerson[]): string {
  const invitations = people.map(({ username, fullName, email, role, password }) => ({
    username,
    ...(password !== undefined && { password }),
    role,
    ...(fullName && { fullname: fullName }),
    ...(email && { email }),
  }))
  return JSON.stringify({ invitations })
}

/** Splits people into created and refused ones, in the order of the request. */
export function sortOutcome<Person extends NewPerson>(
  people: readonly Person[],
  { notInvited, reasons = [] }: { readonly notInvited: readonly string[]; readonly reasons?: readonly string[] },
): {
  readonly created: readonly Person[]
  readonly refused: readonly { readonly person: Person; readonly reason: string }[]
} {
  // A repeated username: the first one is created and the later one is refused.
  const left = notInvited.map((username, position) => ({ username, reason: reasons[position] ?? '' }))
  const created: Person[] = []
  const refused: { person: Person; reason: string }[] = []
  for (const person of people.toReversed()) {
    const position = left.findLastIndex(({ username }) => username === person.username)
    if (position === -1) created.unshift(person)
    else refused.unshift({ person, reason: left.splice(position, 1)[0]!.reason })
  }
  return { created, refused }
}

/** Created people with their passwords, as CSV for a spreadsheet. */
export function formatCreatedPeople(people: readonly CreatedPerson[]): string {
  const rows = people.map(({ username, fullName, email, password }) => [username, fullName, email, password])
  return `\u{feff}${[['username', 'fullName', 'email', 'password'], ...rows].map((cells) => formatCsvRow(cells.map(guardFormula))).join('')}`
}
