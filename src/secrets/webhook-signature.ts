import { createHmac, randomBytes } from 'node:crypto'
import { version } from '../version.ts'

/** Begin of secrets that this server makes; base64 of the key is behind it (Standard Webhooks). */
const prefix = 'whsec_'

/** A new secret of a webhook. */
export function createWebhookSecret(): string {
  return `${prefix}${randomBytes(32).toString('base64')}`
}

export interface SentDelivery {
  readonly id: string
  /** Number of the attempt, from 1. */
  readonly attempt: number
  /** Epoch milliseconds of this attempt. */
  readonly now: number
  readonly body: Uint8Array
  /** Secrets that count, the newer one first. */
  readonly secrets: readonly [newer: string, former?: string]
}

/** The headers of a delivery, with a signature by each secret. */
export function signDelivery({ id, attempt, now, body, secrets }: SentDelivery): Readonly<Record<string, string>> {
  const timestamp = String(Math.floor(now / 1_000))
  const sign = (secret: string) =>
    `v1,${createHmac('sha256', keyOf(secret)).update(`${id}.${timestamp}.`).update(body).digest('base64')}`
  return {
    'content-type': 'application/json',
    'content-length': String(body.length),
    'user-agent': `Cartulary/${version}`,
    'webhook-id': id,
    'webhook-timestamp': timestamp,
    'webhook-signature': secrets.flatMap((secret) => (secret === undefined ? [] : sign(secret))).join(' '),
    'webhook-attempt': String(attempt),
    'x-esriHook-Signature': `sha256=${createHmac('sha256', secrets[0]).update(body).digest('base64')}`,
  }
}

/** Key of a signature: the bytes behind the prefix, or else the text of a person's own secret. */
function keyOf(secret: string): Buffer {
  return secret.startsWith(prefix) ? Buffer.from(secret.slice(prefix.length), 'base64') : Buffer.from(secret)
}
