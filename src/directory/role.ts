import { type BuiltInRole, builtInRoles, isBuiltInRole, type Privilege } from './privilege.ts'

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

/** Privileges of a role; none for a custom role that was deleted. */
export function privilegesOf(role: string, custom: Role | undefined): readonly Privilege[] {
  if (isBuiltInRole(role)) return builtInRoles[role satisfies BuiltInRole]
  return custom?.privileges ?? []
}
