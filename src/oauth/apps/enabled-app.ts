import type { OAuthReader } from '../store.ts'
import { type App, builtInApps } from './app.ts'

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
