import type { WebhookSecrets } from '../webhooks/secrets.ts'
import type { Seal } from './sealed.ts'
import { signDelivery } from './webhook-signature.ts'

/** Secrets of webhooks are sealed as private keys are, and opened only where deliveries are signed. */
export function openWebhookSecrets({ seal, open }: Pick<Seal, 'seal' | 'open'>): WebhookSecrets {
  return {
    seal,
    async sign(deliveries, [newer, former], now) {
      if (deliveries.length === 0) return []
      const opened = await open(newer)
      const secrets = former === undefined ? ([opened] as const) : ([opened, await open(former)] as const)
      return deliveries.map(({ deliveryId: id, payload, attempts: attempt }) =>
        signDelivery({ id, attempt, now, body: Buffer.from(payload), secrets }),
      )
    },
  }
}
