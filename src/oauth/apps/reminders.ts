import { nothingDone, type WithAuditDetails } from '../../call/audit-details.ts'
import type { Call } from '../../call/call.ts'
import type { DirectoryReader } from '../../directory/store.ts'
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

/** Maximum number of apps of one call (chosen), and most administrators who are reminded of one. */
const maxApps = 100
const maxAdministrators = 10

/** Apps whose secrets end within 30 days and were made for longer. */
export function listEnding(oauth: OAuthReader, now: number, max: number): Promise<readonly App[]> {
  return oauth.listEndingSecrets({ from: now, to: now + reminderTimes[0] }, { longerThan: reminderTimes[0] }, max)
}

/** An app of whose secret reminders are due, and their number when they are sent. */
export interface DueReminder {
  readonly clientId: string
  readonly expiresAt: number
  readonly reminders: number
}

/**
 * Secrets that end within 30 days, and again within 7, for mails to the owner of the app and to administrators (chosen): one to each
 * address, with all of them. They count as sent when `markReminded` says so: until then, a crash loses none.
 */
export async function findReminders(
  { oauth, directory }: { readonly oauth: OAuthReader; readonly directory: DirectoryReader },
  now: number,
): Promise<{ readonly due: readonly DueReminder[]; readonly reminders: readonly Reminder[] }> {
  const byAddress = new Map<string, EndingSecret[]>()
  const due = new Map<string, DueReminder>()
  // The latest first: an app whose last reminder is due needs no first one.
  for (const [sent, time] of [...reminderTimes.entries()].reverse()) {
    const of = { longerThan: reminderTimes[0], reminders: sent + 1 }
    for (const app of await oauth.listEndingSecrets({ from: now, to: now + time }, of, maxApps)) {
      const { clientId, title, portalId, secretExpiresAt: expiresAt, owner } = app
      if (expiresAt === undefined || due.has(clientId)) continue
      due.set(clientId, { clientId, expiresAt, reminders: sent + 1 })
      const portal = portalId === undefined ? undefined : await directory.findPortal(portalId)
      if (!portal) continue
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
  return { due: [...due.values()], reminders: [...byAddress].map(([to, secrets]) => ({ to, secrets })) }
}

/** Counts reminders as sent, of secrets that were not renewed meanwhile. */
export async function markReminded(
  { oauth }: Pick<OAuthStores, 'oauth'>,
  _call: Call,
  { due }: { readonly due: readonly DueReminder[] },
): Promise<WithAuditDetails> {
  for (const { clientId, expiresAt, reminders } of due) {
    const app = await oauth.findApp(clientId)
    if (app?.secretExpiresAt === expiresAt && app.reminders < reminders) await oauth.updateApp({ ...app, reminders })
  }
  return { audit: nothingDone }
}
