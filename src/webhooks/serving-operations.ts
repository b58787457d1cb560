import { nothingDone, type WithAuditDetails } from '../call/audit-details.ts'
import type { Call } from '../call/call.ts'
import { isPulled, type WebhookSettings } from './hook.ts'
import type { WebhookStores } from './store.ts'

/**
 * Notes where the server is, and whether it sends, for organizations that have webhooks. Of one that was at another place before, this
 * database is a copy, which must not call the receivers of the real one: its hooks that are sent to are off.
 */
export async function noteServing(
  { webhooks }: WebhookStores,
  { now }: Call,
  input: Pick<WebhookSettings, 'portalUrl' | 'sends'> & { readonly revision: string },
): Promise<WithAuditDetails & { readonly copied: number }> {
  const { portalUrl, sends, revision } = input
  let copied = 0
  let isOther = false
  for (const settings of await webhooks.listSettings()) {
    const { portalId } = settings
    if (settings.portalUrl === portalUrl && settings.sends === sends) continue
    isOther = true
    if (placeOf(settings.portalUrl) !== placeOf(portalUrl)) {
      for (const hook of await webhooks.listWebhooks(portalId)) {
        if (isPulled(hook) || !(hook.isActive || hook.ending === 'policy')) continue
        await webhooks.updateWebhook({ ...hook, isActive: false, ending: 'copy', endedBy: undefined, modifiedAt: now })
        copied += 1
      }
    }
    await webhooks.putSettings(portalId, { portalUrl, sends })
  }
  if (isOther) await webhooks.putRevision(revision)
  return { copied, audit: nothingDone }
}

/** Host and context path of a public URL: another port or scheme is the same place. */
function placeOf(url: string): string {
  const { hostname, pathname } = new URL(url)
  return `${hostname}${pathname}`
}
