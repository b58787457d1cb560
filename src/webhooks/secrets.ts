import type { Delivery } from './hook.ts'

/** Secrets of webhooks that count, sealed; the newer one first. */
export type SealedSecrets = readonly [newer: string, former?: string]

/** A delivery with the number of its present attempt. */
export type SignedDelivery = Pick<Delivery, 'deliveryId' | 'payload' | 'attempts'>

/** Seals the secrets of webhooks, and signs by them. */
export interface WebhookSecrets {
  seal(secret: string): Promise<string>
  /** Headers of each delivery, as if sent now. */
  sign(
    deliveries: readonly SignedDelivery[],
    secrets: SealedSecrets,
    now: number,
  ): Promise<readonly Readonly<Record<string, string>>[]>
}
