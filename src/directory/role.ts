import { type BuiltInRole, builtInRoles, isBuiltInRole, type Privilege } from '../call/privilege.ts'
import { withoutUnseen } from '../plain-text.ts'
import { field, type Named, type RecordOf } from '../record.ts'
import { say } from '../sentences/say.ts'

export const roleLimits = { name: 128, description: 250 } as const

export const roleFields = {
  /** 16 letters and digits. */
  roleId: field.text(),
  portalId: field.text(),
  name: field.text(roleLimits.name),
  description: field.text(roleLimits.description),
  privileges: field.json<readonly Privilege[]>(),
  createdAt: field.time(),
  modifiedAt: field.time(),
}

/** A custom role of one organization. */
export interface Role extends RecordOf<typeof roleFields>, Named {}

/** Names of the built-in roles (documented); in other languages they have other names. */
const builtInNames: Readonly<Record<BuiltInRole, string>> = {
  org_admin: 'Administrator',
  org_publisher: 'Publisher',
  org_user: 'User',
  org_viewer: 'Viewer',
}

/** The form in which names of roles are compared with those: without case, width, what is not seen, and spaces around them. */
function roleNameKey(name: string): string {
  return withoutUnseen(name.normalize('NFKC')).trim().toLowerCase()
}

const reserved: ReadonlySet<string> = new Set(Object.entries(builtInNames).flat().map(roleNameKey))

/**
 * Why a custom role may not be called so beside the others (chosen): whom a role is given to would be mistaken. Undefined if it may.
 */
export function findRoleNameProblem(name: string, others: readonly string[]): string | undefined {
  const key = roleNameKey(name)
  if (reserved.has(key)) return say('roleBuiltIn', { name: name.trim() })
  const same = others.find((other) => roleNameKey(other) === key)
  return same === undefined ? undefined : say('roleOther', { name: same.trim() })
}

/** Custom roles that a refusal names. */
const maxNamed = 20

/** The refusal of a role that does not exist, with those that do. */
export function unknownRole(text: string, custom: readonly string[]): string {
  const rest = custom.length > maxNamed ? [`${custom.length - maxNamed} more`] : []
  const names = [...Object.keys(builtInRoles), ...custom.slice(0, maxNamed), ...rest]
  return say('roleUnknown', { role: text, roles: names.join(', ') })
}

/** Privileges of a role; none for a custom role that was deleted. */
export function privilegesOf(role: string, custom: Role | undefined): readonly Privilege[] {
  if (isBuiltInRole(role)) return builtInRoles[role satisfies BuiltInRole]
  return custom?.privileges ?? []
}
