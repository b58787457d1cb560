import type { WithAuditDetails } from '../../call/audit-details.ts'
import type { Call } from '../../call/call.ts'
import { type Parsed, unwrapParsed } from '../../call/parsed.ts'
import { operationRefused } from '../../errors.ts'
import { findTitleProblem } from '../../items/reserved-title.ts'
import type { OAuthStores } from '../store.ts'
import { type App, builtInApps, isBuiltIn, keepsSecret, newSecret, withoutSecret } from './app.ts'
import { defaultPrivileges, noSwitches, type Registration } from './registration.ts'

/** Operations of the server's operator on apps: without a caller, by the commands of the program. */

interface Operated extends WithAuditDetails {
  readonly app: App
}

/** Registers an app of an organization, without an item. */
export async function registerOperatorApp(
  { oauth, directory }: OAuthStores,
  { now }: Call,
  input: {
    readonly portalId: string
    readonly clientId: string
    /** Hash of a secret that the app gets if it keeps one. */
    readonly secretHash: string
    /** Days until that ends. */
    readonly secretDays: number | undefined
    readonly title: string
    readonly given: Parsed<Pick<Registration, 'appType'> & Partial<Registration>>
  },
): Promise<Operated> {
  const { portalId, clientId, title } = input
  const { appType, redirectUris = [], httpReferrers = [], privileges = defaultPrivileges } = unwrapParsed(input.given)
  const portal = await directory.findPortal(portalId)
  if (!portal) throw unknownOrganization(portalId)
  const titleProblem = findTitleProblem(title, portal)
  if (titleProblem) throw operationRefused(`The title ${titleProblem}`)
  const app: App = {
    clientId,
    portalId,
    itemId: undefined,
    owner: undefined,
    title,
    appType,
    redirectUris,
    httpReferrers,
    privileges,
    ...withoutSecret,
    ...(keepsSecret(appType) && newSecret(input.secretHash, now, input.secretDays)),
    ...noSwitches,
    isConfirmed: true,
    createdAt: now,
    modifiedAt: now,
  }
  await oauth.addApp(app)
  return { app, audit: auditOf(app) }
}

/** Gives an app another secret. With `endsFormer` the present one and the app's own tokens end now; otherwise it stays valid. */
export async function renewOperatorSecret(
  stores: OAuthStores,
  { now }: Call,
  input: {
    readonly clientId: string
    readonly secretHash: string
    readonly secretDays: number | undefined
    readonly endsFormer: boolean
  },
): Promise<Operated> {
  const app = await requireRegistered(stores, input.clientId)
  if (!keepsSecret(app.appType)) throw operationRefused(`An app of type ${app.appType} keeps no secret.`)
  const former = input.endsFormer ? withoutSecret : app
  const renewed = {
    ...app,
    ...newSecret(input.secretHash, now, input.secretDays),
    formerSecretHash: former.secretHash,
    formerSecretExpiresAt: former.secretExpiresAt,
    modifiedAt: now,
  }
  await stores.oauth.updateApp(renewed)
  if (input.endsFormer || app.formerSecretHash !== undefined) await stores.oauth.removeAppTokens(app.clientId)
  return { app: renewed, audit: auditOf(app) }
}

/** Ends an app with everything that was issued under it. */
export async function unregisterOperatorApp(
  stores: OAuthStores,
  _call: Call,
  input: { readonly clientId: string },
): Promise<Operated> {
  const app = await requireRegistered(stores, input.clientId)
  await stores.oauth.removeApp(app.clientId)
  return { app, audit: auditOf(app) }
}

/**
 * Switches an app off or on again: a built-in one for one organization or all of them. An app that is switched off ends what it was
 * issued.
 */
export async function switchOperatorApp(
  stores: OAuthStores,
  { now }: Call,
  input: { readonly clientId: string; readonly portalId: string | undefined; readonly isDisabled: boolean },
): Promise<Operated> {
  const { clientId, portalId, isDisabled } = input
  const builtIn = builtInApps.find((app) => app.clientId === clientId)
  if (builtIn) {
    const portals = await findPortals(stores, portalId)
    for (const portal of portals) {
      await stores.oauth.putSwitch(portal, clientId, isDisabled)
      if (isDisabled) await stores.oauth.removeGrantsOfApp(clientId, portal)
    }
    const audit = portals.map((portal) => auditOf({ ...builtIn, portalId: portal }))
    return { app: { ...builtIn, isDisabled }, audit }
  }
  const app = await requireRegistered(stores, clientId)
  if (portalId !== undefined && app.portalId !== portalId) throw unknownApp(clientId)
  const switched = { ...app, isDisabled, modifiedAt: now }
  await stores.oauth.updateApp(switched)
  if (isDisabled) {
    await stores.oauth.removeGrantsOfApp(clientId, app.portalId!)
    await stores.oauth.removeAppTokens(clientId)
  }
  return { app: switched, audit: auditOf(app) }
}

/** Ids of all organizations, or the one that is named. */
async function findPortals({ directory }: OAuthStores, portalId: string | undefined): Promise<readonly string[]> {
  if (portalId === undefined) return (await directory.listPortals()).map((portal) => portal.portalId)
  if (!(await directory.findPortal(portalId))) throw unknownOrganization(portalId)
  return [portalId]
}

async function requireRegistered({ oauth }: OAuthStores, clientId: string): Promise<App> {
  const app = await oauth.findApp(clientId)
  if (app && !isBuiltIn(app)) return app
  throw unknownApp(clientId)
}

function unknownApp(clientId: string) {
  return operationRefused(`There is no app ${clientId}; "cartulary app list" lists all of them.`)
}

function unknownOrganization(portalId: string) {
  return operationRefused(`There is no organization ${portalId}; "cartulary organization list" lists all of them.`)
}

function auditOf({ clientId, portalId, owner }: App) {
  return { portalId, target: `/oauth2/apps/${clientId}`, ...(owner && { ownerId: owner.userId }) }
}
