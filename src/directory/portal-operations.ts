import { nothingDone, type WithAuditDetails } from '../call/audit-details.ts'
import { type Call, requireCaller, requirePermission } from '../call/call.ts'
import type { Caller } from '../call/caller.ts'
import { type Parsed, unwrapParsed } from '../call/parsed.ts'
import type { Privilege } from '../call/privilege.ts'
import { operationRefused, resourceNotFound } from '../errors.ts'
import type { Page, Slice } from '../paging.ts'
import { say } from '../sentences/say.ts'
import { defaultCategoryPolicy } from './category-policy.ts'
import { passwordLength } from './passwords/password.ts'
import { canViewPortal, holds } from './permissions.ts'
import { formatUrlKey, type Portal, type PortalKey } from './portal.ts'
import type { DirectoryReaders, DirectoryStores, LinksOfUsers } from './store.ts'
import { newUser } from './user.ts'
import { type UserView, viewCaller } from './users/user-view.ts'

/** The portal of a path; `self` is the caller's portal, or the default portal for an anonymous caller (observed). */
export async function findNamedPortal(
  { directory }: DirectoryReaders,
  call: Call,
  portalId: string,
): Promise<Portal | undefined> {
  if (portalId !== 'self') return directory.findPortal(portalId)
  return call.caller ? directory.findPortal(call.caller.portalId) : directory.findDefaultPortal()
}

/** The portal if the caller sees it; otherwise 499 for an anonymous caller, 404 for any other. */
export async function requireVisiblePortal(stores: DirectoryReaders, call: Call, portalId: string): Promise<Portal> {
  const portal = await findNamedPortal(stores, call, portalId)
  if (portal && canViewPortal(call.caller, portal)) return portal
  requireCaller(call)
  throw resourceNotFound()
}

/** The caller's own portal; otherwise 499 for an anonymous caller, 404 for a non-member, or 403 if the portal is public. */
export async function requireOwnPortal(
  stores: DirectoryReaders,
  call: Call,
  portalId: string,
): Promise<{ caller: Caller; portal: Portal }> {
  const caller = requireCaller(call)
  const portal = await findNamedPortal(stores, call, portalId)
  if (!portal || !canViewPortal(caller, portal)) throw resourceNotFound()
  requirePermission(portal.portalId === caller.portalId)
  return { caller, portal }
}

/** Public data of an app that acts as itself. */
export interface AppOfPortal {
  readonly clientId: string
  readonly itemId: string | undefined
  readonly title: string
  readonly owner: { readonly username: string } | undefined
  /** Present privileges of the app. */
  readonly privileges: readonly string[]
}

/** The apps of the directory's portals. */
interface Apps {
  findApp(clientId: string): Promise<AppOfPortal | undefined>
}

export interface PortalView {
  readonly portal: Portal
  /** The caller, if a member of the portal: members get more than the public view. */
  readonly member: UserView | undefined
  /** The caller, if an app of the portal that acts as itself. */
  readonly app: AppOfPortal | undefined
  /** Whether it was created first; undefined unless that was asked. */
  readonly isOldest: boolean | undefined
}

/** Every portal has a public view with name and access, which clients read before sign-in (observed). */
export async function readPortal(
  stores: DirectoryReaders & { readonly oauth: Apps },
  call: Call,
  input: { portalId: string; asksOldest: boolean },
): Promise<PortalView> {
  const portal = await findNamedPortal(stores, call, input.portalId)
  if (!portal) {
    requireCaller(call)
    throw resourceNotFound()
  }
  const { caller } = call
  const isMember = caller?.portalId === portal.portalId
  if (!isMember && input.portalId !== 'self' && portal.access !== 'public') {
    requireCaller(call)
    throw resourceNotFound()
  }
  const app = isMember && caller.isApp ? await stores.oauth.findApp(caller.userId) : undefined
  const oldest = input.asksOldest ? await stores.directory.findDefaultPortal() : undefined
  return {
    portal,
    member: isMember && !caller.isApp ? await viewCaller(stores, call) : undefined,
    app: app && caller && { ...app, privileges: [...caller.privileges] },
    isOldest: oldest && oldest.portalId === portal.portalId,
  }
}

/** An account is the earlier name of an organization (observed). */
export const readAccount: typeof readPortal = (...given) => readPortal(...given)

export const readSubscription: typeof readPortal = (...given) => readPortal(...given)

/** The public key with which other portals verify the portal's signatures; for every caller who sees the portal. */
export async function readPublicKey(
  stores: DirectoryReaders,
  call: Call,
  input: { portalId: string },
): Promise<string> {
  const portal = await requireVisiblePortal(stores, call, input.portalId)
  const key = await stores.directory.findPortalKey(portal.portalId)
  if (!key) throw resourceNotFound()
  return key.publicKey
}

/** Rules of passwords: the same for every organization (chosen). For every caller who sees the portal. */
export async function readSecurityPolicy(
  stores: DirectoryReaders,
  call: Call,
  input: { portalId: string },
): Promise<{ readonly passwordLength: typeof passwordLength }> {
  await requireVisiblePortal(stores, call, input.portalId)
  return { passwordLength }
}

/** Purchases of an organization, and its bundles of applications: none, as nothing is sold here. */
export async function listPurchases(
  stores: DirectoryReaders,
  call: Call,
  input: { portalId: string; page: Parsed<Page> },
): Promise<Slice<never> & { readonly page: Page }> {
  await requireOwnPortal(stores, call, input.portalId)
  return { total: 0, entries: [], page: unwrapParsed(input.page) }
}

export async function listAppBundles(
  stores: DirectoryReaders,
  call: Call,
  input: { portalId: string; page: Parsed<Page> },
): Promise<Slice<never> & { readonly page: Page }> {
  return listPurchases(stores, call, input)
}

/** Servers that are federated with an organization: none. */
export async function listServers(stores: DirectoryReaders, call: Call, input: { portalId: string }): Promise<void> {
  await requireOwnPortal(stores, call, input.portalId)
}

export type PortalChange = Partial<
  Pick<Portal, 'name' | 'description' | 'access' | 'culture' | 'categoryPolicy' | 'categoryApproval'>
>

/** Changes only the given properties. */
export async function updatePortal(
  stores: DirectoryStores,
  call: Call,
  input: { portalId: string; change: Parsed<PortalChange> },
): Promise<WithAuditDetails> {
  const { caller, portal } = await requireOwnPortal(stores, call, input.portalId)
  requirePrivilege(caller, portal.portalId, 'portal:admin:manageWebsite')
  const change = unwrapParsed(input.change)
  await stores.directory.updatePortal({ ...portal, ...change, modifiedAt: call.now })
  // Who asks for a second person or for categories, and who no longer does, can be found in the log.
  const { categoryPolicy = portal.categoryPolicy, categoryApproval = portal.categoryApproval } = change
  const data = {
    ...(categoryApproval !== portal.categoryApproval && {
      categoryApproval: { from: portal.categoryApproval, to: categoryApproval },
    }),
    ...(JSON.stringify(categoryPolicy) !== JSON.stringify(portal.categoryPolicy) && {
      categoryPolicy: { from: { ...portal.categoryPolicy }, to: { ...categoryPolicy } },
    }),
  }
  return { audit: Object.keys(data).length === 0 ? {} : { data } }
}

/** The sealed private key of a portal, as it is stored and as it is to be stored. */
export interface ResealedKey {
  readonly portalId: string
  readonly from: string
  readonly to: string
}

/** Replaces sealed private keys: all of them, or none if one was changed since it was read. */
export async function resealPortalKeys(
  { directory }: DirectoryStores,
  _call: Call,
  input: { readonly keys: readonly ResealedKey[] },
): Promise<void> {
  for (const { portalId, from, to } of input.keys) {
    if (await directory.replaceSealedKey(portalId, from, to)) continue
    throw operationRefused('Another process has re-sealed private keys at the same time; nothing was changed.')
  }
}

/** A new key pair in place of one whose private half does not open any more. */
export interface RenewedKey {
  readonly portalId: string
  /** The sealed private key that it replaces. */
  readonly from: string
  readonly key: PortalKey
}

/** Gives organizations new key pairs: all of them, or none if one was changed since it was read. */
export async function renewPortalKeys(
  { directory }: DirectoryStores,
  _call: Call,
  input: { readonly keys: readonly RenewedKey[] },
): Promise<WithAuditDetails> {
  for (const { portalId, from, key } of input.keys) {
    if (await directory.replaceKey(portalId, from, key)) continue
    throw operationRefused('Another process has changed keys at the same time; nothing was changed.')
  }
  return { audit: input.keys.map(({ portalId }) => ({ portalId, target: `/portals/${portalId}` })) }
}

/** A new organization, private at first (contract §2), with its first administrator. */
export interface NewOrganization {
  /** Whether it is created only if there is no organization yet. */
  readonly isFirst: boolean
  readonly portal: { readonly portalId: string; readonly name: string; readonly key: PortalKey }
  readonly administrator: { readonly userId: string; readonly username: string; readonly passwordHash: string }
  /** The link by which the administrator is replaced at the first run; undefined for none. */
  readonly firstRun?: { readonly linkHash: string; readonly expiresAt: number } | undefined
}

/** Creates an organization; `portal` is undefined if `isFirst` and there is one already. */
export async function createPortal(
  { directory, oauth }: DirectoryStores & { readonly oauth: LinksOfUsers },
  call: Call,
  { isFirst, portal: { portalId, name, key }, administrator, firstRun }: NewOrganization,
): Promise<WithAuditDetails & { readonly portal: Portal | undefined }> {
  if (isFirst && (await directory.findDefaultPortal())) return { portal: undefined, audit: nothingDone }
  const { username, passwordHash } = administrator
  if (await directory.findUser(username)) throw operationRefused(say('usernameTaken', { username }))
  const preferred = formatUrlKey(name, portalId)
  const urlKey = (await directory.hasUrlKey(preferred)) ? portalId.toLowerCase() : preferred
  const times = { createdAt: call.now, modifiedAt: call.now }
  const portal: Portal = {
    portalId,
    name,
    description: '',
    urlKey,
    access: 'private',
    culture: '',
    categoryPolicy: defaultCategoryPolicy,
    categoryApproval: 'none',
    hasCategorySchema: false,
    ...times,
  }
  await directory.addPortal(portal, key)
  const person = { ...administrator, fullName: '', firstName: '', lastName: '', email: '', role: 'org_admin' }
  await directory.addUser(newUser(person, portalId, call.now), passwordHash)
  if (firstRun) await oauth.putLink({ ...firstRun, userId: administrator.userId })
  return { portal, audit: { portalId, target: `/portals/${portalId}` } }
}

/** Languages that are set for the caller: the user's, then that of the organization. */
export async function culturesOf(
  { directory }: DirectoryReaders,
  { caller }: Pick<Call, 'caller'>,
): Promise<readonly string[]> {
  if (!caller) return []
  const user = await directory.findUserById(caller.userId)
  const portal = await directory.findPortal(caller.portalId)
  return [user?.culture ?? '', portal?.culture ?? ''].filter((culture) => culture !== '')
}

/** Refuses with 403 callers without the privilege in this organization. */
export function requirePrivilege(caller: Caller, portalId: string, privilege: Privilege): void {
  // No privilege of the caller would do in another organization.
  requirePermission(holds(caller, portalId, privilege), caller.portalId === portalId ? privilege : undefined)
}
