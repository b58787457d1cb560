import { type Call, requireCaller, requirePermission } from '../../call/call.ts'
import type { Caller } from '../../call/caller.ts'
import { holds } from '../../directory/permissions.ts'
import { itemNotFound, resourceNotFound } from '../../errors.ts'
import { canViewItem } from '../../items/item-permissions.ts'
import type { ItemOfMember, ItemReader } from '../../items/store.ts'
import type { OAuthReader, OAuthReaders } from '../store.ts'
import { type App, builtInApps } from './app.ts'

/** The privilege over every app of the organization (chosen). */
export const appPrivilege = 'portal:admin:manageSecurity'

export type AppReaders = OAuthReaders & { readonly items: ItemReader }

export function governsApps(caller: Caller, portalId: string): boolean {
  return holds(caller, portalId, appPrivilege)
}

interface FoundApp {
  readonly caller: Caller
  readonly app: App
  readonly portalId: string
}

/** The app of the caller's organization, which a built-in one is of too, whatever the caller may do with it. */
export async function requireKnownApp({ oauth }: OAuthReaders, call: Call, clientId: string): Promise<FoundApp> {
  const caller = requireCaller(call)
  const builtIn = builtInApps.find((known) => known.clientId === clientId)
  if (builtIn) {
    const { portalId } = caller
    const isDisabled = (await oauth.listSwitchedOff(portalId)).includes(clientId)
    return { caller, app: { ...builtIn, isDisabled }, portalId }
  }
  const app = await oauth.findApp(clientId)
  if (!app || app.portalId !== caller.portalId) throw resourceNotFound()
  return { caller, app, portalId: app.portalId }
}

/** The app, for the owner of its item and who governs the apps of its organization; a built-in one for the latter alone. */
export async function requireApp(stores: OAuthReaders, call: Call, clientId: string): Promise<FoundApp> {
  const found = await requireKnownApp(stores, call, clientId)
  const { caller, app, portalId } = found
  requirePermission(app.owner?.userId === caller.userId || governsApps(caller, portalId), appPrivilege)
  return found
}

/** The item that an app is registered for, for its owner and who governs the apps of its organization. */
export async function requireItemOfApp(
  { items }: AppReaders,
  caller: Caller,
  itemId: string,
): Promise<ItemOfMember['item']> {
  const found = await items.findItemFor(itemId, caller.userId)
  const governs = found !== undefined && governsApps(caller, found.item.portalId)
  if (!found || !(canViewItem(caller, found) || governs)) throw itemNotFound()
  requirePermission(found.item.ownerId === caller.userId || governs, appPrivilege)
  return found.item
}

/** The app of a client id; undefined if there is none, or it is disabled. */
export async function findEnabledApp(
  { oauth }: { readonly oauth: OAuthReader },
  clientId: string,
): Promise<App | undefined> {
  const app = builtInApps.find((builtIn) => builtIn.clientId === clientId) ?? (await oauth.findApp(clientId))
  return app?.isDisabled ? undefined : app
}

/** Whether the app signs in users of the organization: it is built in and not switched off there, or of that organization. */
export async function signsInUsersOf(
  { oauth }: { readonly oauth: OAuthReader },
  { clientId, portalId }: App,
  ofPortalId: string,
): Promise<boolean> {
  if (portalId !== undefined) return portalId === ofPortalId
  return !(await oauth.listSwitchedOff(ofPortalId)).includes(clientId)
}
