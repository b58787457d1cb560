import { type BuiltInRole, builtInRoles, isBuiltInRole, type Privilege } from '../../../src/call/privilege.ts'
import type { WireRole } from '../../../src/http/shapes/directory/role.ts'
import { listPages } from '../session/list-pages.ts'
import { call, post } from '../session/session.ts'
import { compareTexts } from '../texts/formats.ts'
import { ofPeople as t } from '../texts/rooms.ts'

/** Loads every custom role of the organization. */
export async function loadRoles(signal: AbortSignal): Promise<readonly WireRole[]> {
  return (await listPages<WireRole>('/portals/self/roles', 'roles', signal)).entries
}

export const builtInRoleNames = Object.keys(builtInRoles) as readonly BuiltInRole[]

/** Shown name of a role. */
export function nameOfRole(role: string, custom: readonly WireRole[]): string {
  if (isBuiltInRole(role)) return t(`role_${role}`)
  return custom.find(({ id }) => id === role)?.name ?? role
}

/** Roles for a choice: the built-in ones, then the custom ones by name. */
export function listRoleChoices(custom: readonly WireRole[]): readonly (readonly [string, string])[] {
  return [
    ...builtInRoleNames.map((role) => [role, t(`role_${role}`)] as const),
    ...custom.map(({ id, name }) => [id, name] as const).sort(([, a], [, b]) => compareTexts(a, b)),
  ]
}

/** Loads the privileges of a role; those of built-in ones are the same everywhere. */
export async function loadPrivileges(role: string, signal: AbortSignal): Promise<readonly Privilege[]> {
  if (isBuiltInRole(role)) return builtInRoles[role]
  const answer = await call<{ readonly privileges: readonly Privilege[] }>(
    `/portals/self/roles/${encodeURIComponent(role)}/privileges`,
    {},
    { signal },
  )
  return answer.privileges
}

export async function setPrivileges(role: string, privileges: readonly Privilege[]): Promise<void> {
  const path = `/portals/self/roles/${encodeURIComponent(role)}/setPrivileges`
  await post(path, { privileges: JSON.stringify({ privileges }) })
}
