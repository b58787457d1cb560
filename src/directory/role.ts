import { type BuiltInRole, builtInRoles, isBuiltInRole, type Privilege } from '../call/privilege.ts'
import { withoutUnseen } from '../plain-text.ts'

/** A custom role of one organization. */
export interface Role {
  /** 16 letters and digits. */
  readonly roleId: string
  readonly portalId: string
  readonly name: string
  readonly description: string
  readonly privileges: readonly Privilege[]
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly modifiedAt: number
}

export const roleLimits = { name: 128, description: 250 } as const

/** What the built-in roles are called (documented); in other languages they have other names. */
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

/** Why a custom role may not be called so (chosen): whom a role is given to would be mistaken. Undefined if it may. */
export function findRoleNameProblem(name: string): string | undefined {
  return reserved.has(roleNameKey(name)) ? `${name.trim()} is the name of a built-in role.` : undefined
}

/** Privileges of a role; none for a custom role that was deleted. */
export function privilegesOf(role: string, custom: Role | undefined): readonly Privilege[] {
  if (isBuiltInRole(role)) return builtInRoles[role satisfies BuiltInRole]
  return custom?.privileges ?? []
}
