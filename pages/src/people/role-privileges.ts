import { builtInRoles, isBuiltInRole, type Privilege } from '../../../src/call/privilege.ts'
import { call, post } from '../session/session.ts'

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
