import { type Call, requirePermission } from '../call/call.ts'
import { isDefaultAdministrator } from '../directory/permissions.ts'
import { requireOwnPortal } from '../directory/portal-operations.ts'
import type { Readers } from '../storage/storage.ts'

/** Counts that housekeeping has taken over the whole database. */
export interface DatabaseFigures {
  readonly organizations: number
  /** Kept versions of category schemas. */
  readonly schemaVersions: number
  readonly auditEntries: number
}

/**
 * Figures of the server: for administrators of the organization that was created first, which is the operator's (chosen). To
 * others they would reveal the load of other organizations.
 */
export async function readServerFigures(
  stores: Readers,
  call: Call,
  input: { readonly portalId: string },
): Promise<DatabaseFigures> {
  const { directory, categories, audit } = stores
  const { caller, portal } = await requireOwnPortal(stores, call, input.portalId)
  const first = await directory.findDefaultPortal()
  requirePermission(isDefaultAdministrator(caller, portal.portalId) && first?.portalId === portal.portalId)
  const schemaVersions = await categories.countVersions()
  const organizations = (await directory.listPortals()).length
  return { organizations, schemaVersions, auditEntries: await audit.estimateEntries() }
}
