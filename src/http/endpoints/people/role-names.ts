import type { BuiltInRole } from '../../../call/privilege.ts'

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
