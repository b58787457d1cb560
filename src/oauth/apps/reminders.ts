import { nothingDone, type WithAuditDetails } from '../../call/audit-details.ts'
import type { Call } from '../../call/call.ts'
import type { OAuthStores } from '../store.ts'
import { reminderMilliseconds } from './app.ts'

/** An app whose secret ends, and the addresses of who is told. */
export interface EndingSecret {
  readonly clientId: string
  readonly title: string
  readonly organization: string
  readonly expiresAt: number
  readonly emails: readonly string[]
}

/** Most apps of one call (chosen), and most administrators who are told of one. */
const mostApps = 20
const mostAdministrators = 10

/** Takes secrets that end within 30 days, each once, for a mail to the owner of the app and to administrators (chosen). */
export async function takeEndingSecrets(
  { oauth, directory }: OAuthStores,
  { now }: Call,
): Promise<WithAuditDetails & { readonly ending: readonly EndingSecret[] }> {
  const apps = await oauth.listEndingSecrets({ from: now, to: now + reminderMilliseconds }, mostApps)
  const ending: EndingSecret[] = []
  for (const app of apps) {
    await oauth.updateApp({ ...app, isReminded: true })
    const { clientId, title, portalId, secretExpiresAt, owner } = app
    const portal = portalId === undefined ? undefined : await directory.findPortal(portalId)
    if (!portal || secretExpiresAt === undefined) continue
    const person = owner && (await directory.findUserById(owner.userId))
    const page = { start: 1, num: mostAdministrators }
    const { entries } = await directory.listUsers(portal.portalId, page, { role: 'org_admin' })
    const told = [...(person ? [person] : []), ...entries].filter(({ disabled, email }) => !disabled && email !== '')
    const emails = [...new Set(told.map(({ email }) => email))]
    ending.push({ clientId, title, organization: portal.name, expiresAt: secretExpiresAt, emails })
  }
  return { ending, audit: nothingDone }
}
