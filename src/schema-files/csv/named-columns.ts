import type { Parsed } from '../../call/parsed.ts'
import { isObject } from '../../json-text.ts'
import { levelOf, plainRoles, type Role } from './columns.ts'
import type { NamedColumns } from './headings.ts'

const maxHeadingLength = 1_000

/** Columns as a caller names them: an object of headings or numbers by role. */
export function readNamedColumns(value: unknown): Parsed<NamedColumns> {
  if (!isObject(value)) return { problems: ['is not an object such as {"level1":"Theme","ignore":"UUID"}.'] }
  const named: { role: Role; column: string }[] = []
  for (const [role, given] of Object.entries(value)) {
    if (!isRole(role)) {
      const roles = plainRoles.map((one) => (one === 'title' ? 'level1 to level20, title' : one))
      return { problems: [`has ${role.slice(0, maxRoleLength).toWellFormed()}, which is none of ${roles.join(', ')}.`] }
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

const maxRoleLength = 60

function isRole(role: string): role is Role {
  return plainRoles.some((one) => one === role) || levelOf(role as Role) !== undefined
}
