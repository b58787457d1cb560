import { operationRefused, resourceNotFound } from '../errors.ts'
import { accept, type Parsed } from '../input.ts'
import { type Call, type Caller, requireCaller, requirePermission } from './caller.ts'
import { holds, seesPortal } from './permissions.ts'
import { formatUrlKey, type Portal, type PortalAccess, type PortalKey } from './portal.ts'
import type { DirectoryStore } from './store.ts'

interface Needs {
  readonly directory: DirectoryStore
}

/** The portal that a path names; `self` is the caller's, and for an anonymous caller the default one (observed). */
export async function findNamedPortal({ directory }: Needs, call: Call, portalId: string): Promise<Portal | undefined> {
  if (portalId !== 'self') return directory.findPortal(portalId)
  return call.caller ? directory.findPortal(call.caller.portalId) : directory.findDefaultPortal()
}

/** The portal if the caller sees it: 499 for an anonymous caller, 404 for anyone else who does not. */
export async function requireVisiblePortal(stores: Needs, call: Call, portalId: string): Promise<Portal> {
  const portal = await findNamedPortal(stores, call, portalId)
  if (portal && seesPortal(call.caller, portal)) return portal
  requireCaller(call)
  throw resourceNotFound()
}

/** For what only members do: 499 for an anonymous caller; for an outsider 404, or 403 where the portal is public. */
export async function requireOwnPortal(
  stores: Needs,
  call: Call,
  portalId: string,
): Promise<{ caller: Caller; portal: Portal }> {
  const caller = requireCaller(call)
  const portal = await findNamedPortal(stores, call, portalId)
  if (!portal || !seesPortal(caller, portal)) throw resourceNotFound()
  requirePermission(portal.portalId === caller.portalId)
  return { caller, portal }
}

export interface PortalView {
  readonly portal: Portal
  /** Whether the caller belongs to it, and so sees more than the public view. */
  readonly isMember: boolean
}

/** Every portal has a public view: its name, and whether it may be read further (observed: clients ask before sign-in). */
export async function readPortal(stores: Needs, call: Call, input: { portalId: string }): Promise<PortalView> {
  const portal = await findNamedPortal(stores, call, input.portalId)
  if (!portal) {
    requireCaller(call)
    throw resourceNotFound()
  }
  const isMember = call.caller?.portalId === portal.portalId
  if (!isMember && input.portalId !== 'self' && portal.access !== 'public') {
    requireCaller(call)
    throw resourceNotFound()
  }
  return { portal, isMember }
}

/** The public key by which others check what the portal signs; whoever sees the portal may have it. */
export async function readPublicKey(stores: Needs, call: Call, input: { portalId: string }): Promise<string> {
  const portal = await requireVisiblePortal(stores, call, input.portalId)
  const key = await stores.directory.findPortalKey(portal.portalId)
  if (!key) throw resourceNotFound()
  return key.publicKey
}

export interface PortalChange {
  readonly name?: string | undefined
  readonly description?: string | undefined
  readonly access?: PortalAccess | undefined
}

/** Changes what is given and leaves the rest. */
export async function updatePortal(
  stores: Needs,
  call: Call,
  input: { portalId: string; change: Parsed<PortalChange> },
): Promise<void> {
  const { caller, portal } = await requireOwnPortal(stores, call, input.portalId)
  requirePermission(holds(caller, portal.portalId, 'portal:admin:manageWebsite'))
  const change = accept(input.change)
  await stores.directory.updatePortal({
    ...portal,
    name: change.name ?? portal.name,
    description: change.description ?? portal.description,
    access: change.access ?? portal.access,
    modifiedAt: call.now,
  })
}

/** A new organization, private until its administrators say otherwise (contract §2). */
export async function createPortal(
  { directory }: Needs,
  call: Call,
  input: { portalId: string; name: string; key: PortalKey },
): Promise<Portal> {
  const wished = formatUrlKey(input.name, input.portalId)
  const urlKey = (await directory.hasUrlKey(wished)) ? input.portalId.toLowerCase() : wished
  const portal: Portal = {
    portalId: input.portalId,
    name: input.name,
    description: '',
    urlKey,
    access: 'private',
    hasCategorySchema: false,
    createdAt: call.now,
    modifiedAt: call.now,
  }
  if (await directory.findPortal(portal.portalId)) throw operationRefused(`Portal ${portal.portalId} exists already.`)
  await directory.addPortal(portal, input.key)
  return portal
}
