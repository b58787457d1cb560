import type { Parsed } from '../../call/parsed.ts'
import { isObject } from '../../json-text.ts'
import { levelOf, plainRoles, type Role } from './columns.ts'

const maxHeadingLength = 1_000
const maxRoleLength = 60

/** Roles that columns of a table may be given, with an example of how. */
export interface NameableRoles<Of extends string> {
  readonly names: string
  readonly isRole: (name: string) => name is Of
  readonly example: string
}

/** Roles of the columns of a category schema. */
export const schemaRoles: NameableRoles<Role> = {
  names: plainRoles.map((one) => (one === 'title' ? 'level1 to level20, title' : one)).join(', '),
  isRole: (role): role is Role => plainRoles.some((one) => one === role) || levelOf(role as Role) !== undefined,
  example: '{"level1":"Theme","level2":2,"ignore":"UUID"}',
}

/** Columns of a table as a caller names them: an object of headings or numbers by role. */
export function readNamed<Of extends string>(
  value: unknown,
  { names, isRole, example }: NameableRoles<Of>,
): Parsed<readonly { readonly role: Of; readonly column: string }[]> {
  if (!isObject(value)) return { problems: [`is not an object such as ${example}.`] }
  const named: { role: Of; column: string }[] = []
  for (const [role, given] of Object.entries(value)) {
    if (!isRole(role)) {
      return { problems: [`has ${role.slice(0, maxRoleLength).toWellFormed()}, which is none of ${names}.`] }
    }
    for (const column of Array.isArray(given) ? given : [given]) {
      const isName = typeof column === 'string' && column.trim() !== '' && column.length <= maxHeadingLength
      if (!isName && !(Number.isInteger(column) && column > 0)) {
        return { problems: [`${role} has to be a heading, a number from 1, or a list of them.`] }
      }
      named.push({ role, column: String(column) })
    }
  }
  return { value: named }
}
