import type { AuditReader } from '../../audit/store.ts'
import { nothingDone, type WithAuditDetails } from '../../call/audit-details.ts'
import type { AuditEntry } from '../../call/audit-entry.ts'
import { type Call, requireCaller, requirePermission } from '../../call/call.ts'
import { type Caller, nameOfApp } from '../../call/caller.ts'
import { type Parsed, unwrapParsed } from '../../call/parsed.ts'
import { isDefaultAdministrator } from '../../directory/permissions.ts'
import { requirePrivilege } from '../../directory/portal-operations.ts'
import { appChanged, operationRefused, resourceNotFound } from '../../errors.ts'
import { type NamedItem, requireUserItem } from '../../items/item-access.ts'
import { findTitleProblem } from '../../items/reserved-title.ts'
import type { ItemReaders } from '../../items/store.ts'
import type { Page, Slice } from '../../paging.ts'
import type { OAuthReaders, OAuthStores } from '../store.ts'
import { type App, builtInApps, isBuiltIn, keepsSecret, newSecret, ownClientId, withoutSecret } from './app.ts'
import {
  type AppReaders,
  appPrivilege,
  governsApps,
  requireApp,
  requireItemOfApp,
  requireKnownApp,
} from './app-access.ts'
import {
  type AppSwitches,
  defaultPrivileges,
  noSwitches,
  type Registration,
  switchesOfAdministrators,
} from './registration.ts'

type AppStores = OAuthStores & AppReaders

/** An app, and whether the secret that was prepared for it has become its own. */
interface ChangedApp extends WithAuditDetails {
  readonly app: App
  readonly hasNewSecret: boolean
}

interface GivenForItem {
  readonly itemId: string
  /** Days until a secret that it gets ends. */
  readonly secretDays?: number | undefined
}

/** Registers an app for an item of type Application (documented). An item has one app at most. */
export async function registerApp(
  stores: AppStores,
  call: Call,
  input: {
    readonly clientId: string
    /** Hash of a secret that the app gets if it keeps one. */
    readonly secretHash: string
    /** Whether it takes no administrator. */
    readonly isForMembers: boolean
    readonly given: Parsed<Partial<Registration> & Pick<Registration, 'appType'> & GivenForItem>
  },
): Promise<ChangedApp> {
  const caller = requireCaller(call)
  const { itemId, appType, redirectUris = [], httpReferrers = [], privileges, secretDays } = unwrapParsed(input.given)
  const item = await requireItemOfApp(stores, caller, itemId)
  if (!input.isForMembers) requirePermission(governsApps(caller, item.portalId), appPrivilege)
  if (item.type !== 'Application') {
    throw operationRefused(`itemId: the item is of type ${item.type}; an app is registered for an Application.`)
  }
  const portal = await stores.directory.findPortal(item.portalId)
  const titleProblem = portal && findTitleProblem(item.title, portal)
  if (titleProblem) throw operationRefused(`itemId: the title ${titleProblem}`)
  if (await stores.oauth.findAppOfItem(itemId)) throw operationRefused('itemId: the item has an app already.')
  if (privileges) requireMayGive(caller, privileges, [])
  const hasNewSecret = keepsSecret(appType)
  const app: App = {
    clientId: input.clientId,
    portalId: item.portalId,
    itemId,
    owner: { userId: item.ownerId, username: item.ownerUsername },
    title: item.title,
    appType,
    redirectUris,
    httpReferrers,
    privileges: privileges ?? defaultPrivileges.filter((privilege) => caller.privileges.has(privilege)),
    ...withoutSecret,
    ...(hasNewSecret && newSecret(input.secretHash, call.now, secretDays)),
    ...noSwitches,
    isConfirmed: false,
    createdAt: call.now,
    modifiedAt: call.now,
  }
  await stores.oauth.addApp(app)
  return { app, hasNewSecret, audit: auditOf(app) }
}

/** An app never gets what the person who registers or changes it does not have. */
function requireMayGive(caller: Caller, privileges: readonly string[], held: readonly string[]): void {
  const missing = privileges.find((privilege) => !held.includes(privilege) && !holdsPrivilege(caller, privilege))
  if (missing !== undefined) requirePermission(false, missing)
}

/**
 * A person acts as the app by its secret: only who has all of its privileges gets one, or governs the apps (chosen). The owner of
 * its item may have fewer than who gave them.
 */
function requireMayGetSecret(caller: Caller, { portalId, privileges }: App): void {
  if (portalId === undefined || !governsApps(caller, portalId)) requireMayGive(caller, privileges, [])
}

function holdsPrivilege({ privileges }: Caller, privilege: string): boolean {
  return (privileges as ReadonlySet<string>).has(privilege)
}

interface LogReaders {
  readonly audit: AuditReader
}

/** An app, and when and from where it got tokens of its own by its secret, the latest first, as far as the log goes back. */
export interface UsedApp {
  readonly app: App
  readonly lastUses: readonly Pick<AuditEntry, 'at' | 'address'>[]
}

const maxUses = 10

async function withUses({ audit }: LogReaders, app: App): Promise<UsedApp> {
  const { portalId, clientId } = app
  if (portalId === undefined) return { app, lastUses: [] }
  const filter = { actors: [nameOfApp(clientId)], actions: ['issueTokens'], succeeded: true }
  return { app, lastUses: await audit.listEntries({ portalId, filter, order: 'desc', max: maxUses }) }
}

export async function readApp(
  stores: OAuthReaders & LogReaders,
  call: Call,
  input: { readonly clientId: string },
): Promise<UsedApp> {
  return withUses(stores, (await requireApp(stores, call, input.clientId)).app)
}

/** The app of an item. */
export async function readItemApp(
  stores: OAuthReaders & ItemReaders & LogReaders,
  call: Call,
  input: NamedItem,
): Promise<UsedApp> {
  const { caller, found } = await requireUserItem(stores, call, input)
  const item = await requireItemOfApp(stores, caller, found.item.itemId)
  const app = await stores.oauth.findAppOfItem(item.itemId)
  if (!app) throw resourceNotFound(['No app is registered for this item.'])
  return withUses(stores, app)
}

/** Every app that signs in users of the caller's organization: built-in ones with whether they are switched off. */
export async function listApps(
  { oauth }: OAuthReaders,
  call: Call,
  input: { readonly page: Parsed<Page> },
): Promise<Slice<App> & { readonly page: Page; readonly builtIn: readonly App[] }> {
  const caller = requireCaller(call)
  requirePrivilege(caller, caller.portalId, appPrivilege)
  const page = unwrapParsed(input.page)
  const off = await oauth.listSwitchedOff(caller.portalId)
  const builtIn = builtInApps.map((app) => ({ ...app, isDisabled: off.includes(app.clientId) }))
  return { ...(await oauth.listApps(caller.portalId, page)), page, builtIn }
}

/** Members of an app that an administrator confirms: what it may do, and how and where it gets tokens. */
const confirmedMembers = [
  'appType',
  'privileges',
  'redirectUris',
  'allowsPlain',
  'cannotProve',
  'queryMayDiffer',
  'rotatesAlways',
] as const

function isSameAsConfirmed(app: App, changed: App): boolean {
  return confirmedMembers.every((name) => JSON.stringify(app[name]) === JSON.stringify(changed[name]))
}

/** Changes only what is given (documented). An app that is switched off ends what it was issued. */
export async function updateApp(
  stores: OAuthStores,
  call: Call,
  input: {
    readonly clientId: string
    /** Hash of a secret that the app gets if it keeps one from now on. */
    readonly secretHash: string
    readonly change: Parsed<Partial<Registration> & Partial<AppSwitches>>
  },
): Promise<ChangedApp> {
  const { caller, app, portalId } = await requireApp(stores, call, input.clientId)
  const change = unwrapParsed(input.change)
  if (isBuiltIn(app)) return switchBuiltIn(stores, app, portalId, change)
  const decides = switchesOfAdministrators.some((name) => change[name] !== undefined && change[name] !== app[name])
  if (decides) requirePermission(governsApps(caller, portalId), appPrivilege)
  if (change.privileges) requireMayGive(caller, change.privileges, app.privileges)
  const changed = { ...app, ...change, modifiedAt: call.now }
  const keeps = keepsSecret(changed.appType)
  const hasNewSecret = keeps && !keepsSecret(app.appType)
  if (hasNewSecret) requireMayGetSecret(caller, { ...app, privileges: change.privileges ?? app.privileges })
  const secret = hasNewSecret ? newSecret(input.secretHash, call.now) : keeps ? {} : withoutSecret
  const isSame = isSameAsConfirmed(app, changed)
  const isConfirmed = app.isConfirmed && (app.owner === undefined || isSame)
  // An administrator decided so of the app as it was.
  const asksNothing = changed.asksNothing && (isSame || governsApps(caller, portalId))
  const next: App = { ...changed, ...secret, isConfirmed, asksNothing }
  await stores.oauth.updateApp(next)
  if (next.isDisabled && !app.isDisabled) await stores.oauth.removeGrantsOfApp(app.clientId, portalId)
  // The app could not renew them without a secret, and another program that names itself so may not have them.
  if (app.secretHash !== undefined && !keeps) await stores.oauth.removeGrantsWithSecret(app.clientId)
  if (next.isDisabled || !keeps) await stores.oauth.removeAppTokens(app.clientId)
  return { app: next, hasNewSecret, audit: auditOf(next) }
}

/** Switches a built-in app: an organization decides only whether it signs in its users (chosen). */
async function switchBuiltIn(
  { oauth }: OAuthStores,
  app: App,
  portalId: string,
  { isDisabled, ...others }: Partial<Registration> & Partial<AppSwitches>,
): Promise<ChangedApp> {
  if (Object.keys(others).length > 0) throw operationRefused('Of a built-in app, only disabled can be set.')
  if (isDisabled === undefined || isDisabled === app.isDisabled) return { app, hasNewSecret: false, audit: nothingDone }
  // The pages would be gone on which it could be switched on again.
  if (isDisabled && app.clientId === ownClientId) {
    throw operationRefused(
      `The application of this server is switched off by the command line alone: cartulary app disable ${ownClientId}.`,
    )
  }
  await oauth.putSwitch(portalId, app.clientId, isDisabled)
  if (isDisabled) await oauth.removeGrantsOfApp(app.clientId, portalId)
  return { app: { ...app, isDisabled }, hasNewSecret: false, audit: auditOf(app) }
}

/** Confirms the app: from then on, it may do what its registration lists, whatever its owner may (chosen). */
export async function confirmApp(
  stores: OAuthStores,
  call: Call,
  input: { readonly clientId: string; readonly expected: Parsed<{ readonly ifModified: number | undefined }> },
): Promise<WithAuditDetails & { readonly app: App }> {
  const { caller, app, portalId } = await requireKnownApp(stores, call, input.clientId)
  requirePermission(isDefaultAdministrator(caller, portalId))
  const { ifModified = app.modifiedAt } = unwrapParsed(input.expected)
  if (ifModified !== app.modifiedAt) {
    throw appChanged(`The app was last changed at ${app.modifiedAt}, not at ${ifModified}: read it again.`)
  }
  if (app.isConfirmed) return { app, audit: nothingDone }
  const confirmed = { ...app, isConfirmed: true, modifiedAt: call.now }
  await stores.oauth.updateApp(confirmed)
  return { app: confirmed, audit: auditOf(app) }
}

/** Ends the app with everything that was issued under it. */
export async function unregisterApp(
  stores: OAuthStores,
  call: Call,
  input: { readonly clientId: string },
): Promise<WithAuditDetails & { readonly app: App }> {
  const { app } = await requireApp(stores, call, input.clientId)
  if (isBuiltIn(app)) throw operationRefused('The app is built in: it can be switched off, by disabled=true.')
  await stores.oauth.removeApp(app.clientId)
  return { app, audit: auditOf(app) }
}

/** Gives the app another secret. The present one stays valid beside it, until it is ended; one before that ends now, with all tokens. */
export async function renewAppSecret(
  stores: OAuthStores,
  call: Call,
  input: { readonly clientId: string; readonly secretHash: string; readonly secretDays: Parsed<number | undefined> },
): Promise<WithAuditDetails & { readonly app: App }> {
  const { caller, app } = await requireApp(stores, call, input.clientId)
  if (!keepsSecret(app.appType)) throw operationRefused(`An app of type ${app.appType} keeps no secret.`)
  requireMayGetSecret(caller, app)
  const renewed = {
    ...app,
    ...newSecret(input.secretHash, call.now, unwrapParsed(input.secretDays)),
    formerSecretHash: app.secretHash,
    formerSecretExpiresAt: app.secretExpiresAt,
    modifiedAt: call.now,
  }
  await stores.oauth.updateApp(renewed)
  // It is not known by which secret they were got.
  if (app.formerSecretHash !== undefined) await stores.oauth.removeAppTokens(app.clientId)
  return { app: renewed, audit: auditOf(app) }
}

/** Completes a renewal: the former secret ends, with the tokens that the app got for itself by either. */
export async function endFormerAppSecret(
  stores: OAuthStores,
  call: Call,
  input: { readonly clientId: string },
): Promise<WithAuditDetails & { readonly app: App }> {
  const { app } = await requireApp(stores, call, input.clientId)
  if (app.formerSecretHash === undefined) throw operationRefused('The app has one secret only.')
  const ended = { ...app, formerSecretHash: undefined, formerSecretExpiresAt: undefined, modifiedAt: call.now }
  await stores.oauth.updateApp(ended)
  await stores.oauth.removeAppTokens(app.clientId)
  return { app: ended, audit: auditOf(app) }
}

function auditOf({ clientId, owner }: App) {
  return { target: `/oauth2/apps/${clientId}`, ...(owner && { ownerId: owner.userId }) }
}
