import { nothingDone, type WithAuditDetails } from '../../call/audit-details.ts'
import type { Call } from '../../call/call.ts'
import type { OAuthReader, OAuthStores } from '../store.ts'
import { type App, reminderTimes } from './app.ts'

/** An app whose secret ends. */
export interface EndingSecret {
  readonly clientId: string
  readonly title: string
  readonly organization: string
  readonly expiresAt: number
}

/** Mail to one address. */
export interface Reminder {
  readonly to: string
  readonly secrets: readonly EndingSecret[]
}

/** Most apps of one call (chosen), and most administrators who are reminded of one. */
const maxApps = 100
const maxAdministrators = 10

/** Apps whose secrets end within 30 days and were made for longer. */
export function listEnding(oauth: OAuthReader, now: number, max: number): Promise<readonly App[]> {
  return oauth.listEndingSecrets({ from: now, to: now + reminderTimes[0] }, { longerThan: reminderTimes[0] }, max)
}

/**
 * Takes secrets that end within 30 days, and again within 7, for mails to the owner of the app and to administrators (chosen): one
 * to each address, with all of them. The second one comes where the first was lost.
 */
export async function takeEndingSecrets(
  { oauth, directory }: OAuthStores,
  { now }: Call,
): Promise<WithAuditDetails & { readonly reminders: readonly Reminder[] }> {
  const byAddress = new Map<string, EndingSecret[]>()
  // The latest first: an app whose last reminder is due needs no first one.
  for (const [sent, time] of [...reminderTimes.entries()].reverse()) {
    const of = { longerThan: reminderTimes[0], reminders: sent + 1 }
    for (const app of await oauth.listEndingSecrets({ from: now, to: now + time }, of, maxApps)) {
      await oauth.updateApp({ ...app, reminders: sent + 1 })
      const { clientId, title, portalId, secretExpiresAt: expiresAt, owner } = app
      const portal = portalId === undefined ? undefined : await directory.findPortal(portalId)
      if (!portal || expiresAt === undefined) continue
      const person = owner && (await directory.findUserById(owner.userId))
      const page = { start: 1, num: maxAdministrators }
      const { entries } = await directory.listUsers(portal.portalId, page, { role: 'org_admin' })
      const reminded = [...(person ? [person] : []), ...entries].filter(
        ({ disabled, email }) => !disabled && email !== '',
      )
      for (const email of new Set(reminded.map(({ email }) => email))) {
        const secrets = byAddress.get(email) ?? []
        byAddress.set(email, [...secrets, { clientId, title, organization: portal.name, expiresAt }])
      }
    }
  }
  return { reminders: [...byAddress].map(([to, secrets]) => ({ to, secrets })), audit: nothingDone }
}
