import type { Dependencies } from '../operations/dependencies.ts'
import { type AttemptOutcome, type Outgoing, secretLost } from '../webhooks/attempts.ts'
import { isPulled } from '../webhooks/hook.ts'
import { type Claimed, listDue } from '../webhooks/sending-operations.ts'
import { execute } from './housekeeping.ts'
import { startLooks } from './loop.ts'

/** Parts of the program that sending needs. */
export type SendingNeeds = Pick<Dependencies, 'storage' | 'random' | 'now' | 'webhookSecrets'> & {
  readonly outgoing: Outgoing
}

/** Milliseconds between two looks for what is due (chosen), if no write says that there is something. */
const lookInterval = 5_000
/** Attempts at the same time, and milliseconds for which one counts as such (chosen): who is slower goes on beside them. */
const slots = { max: 16, milliseconds: 1_000 } as const
/** Maximum slow attempts beside them (chosen). */
const maxSlow = 256

/** Sends deliveries of webhooks that are due. */
export interface Sending {
  /** Looks for what is due: a write may have added it. */
  wake(): void
  /** Begins no further attempt, and resolves when the last one is written. */
  end(): Promise<void>
}

export function startSending(needs: SendingNeeds, onFailure: (error: unknown) => void): Sending {
  const running = new Map<string, Promise<void>>()
  let slow = 0
  let isEnding = false
  let isWoken = false
  /** Whether any hook is sent to: without one, a write costs nothing. */
  let hasHooks = false
  const looks = startLooks(async () => {
    await findHooks().catch(onFailure)
    wake()
  }, lookInterval)
  let looking: Promise<void> | undefined

  async function findHooks(): Promise<void> {
    const all = await needs.storage.read(({ webhooks }) => webhooks.listCollecting())
    hasHooks = all.some(({ hook }) => !isPulled(hook))
  }

  async function lookUntilDone(): Promise<void> {
    while (isWoken && !isEnding) {
      isWoken = false
      await look().catch(onFailure)
    }
    looking = undefined
  }

  function wake(): void {
    if (!hasHooks || isEnding) return
    isWoken = true
    looking ??= lookUntilDone()
  }

  async function look(): Promise<void> {
    const free = slots.max - (running.size - Math.min(slow, maxSlow))
    if (isEnding || free <= 0) return
    const due = await needs.storage.read((stores) => listDue(stores, needs.now()))
    const webhookIds = due.filter((id) => !running.has(id)).slice(0, free)
    if (webhookIds.length === 0) return
    const lease = needs.random.id()
    const { claimed } = await execute(needs, 'claimDeliveries', { webhookIds, lease })
    for (const one of claimed) {
      const ended = make(one, lease)
        .catch(onFailure)
        .finally(() => {
          running.delete(one.webhookId)
          wake()
        })
      running.set(one.webhookId, ended)
    }
  }

  async function make(claimed: Claimed, lease: string): Promise<void> {
    let isSlow = false
    const timer = setTimeout(() => {
      isSlow = true
      slow += 1
      wake()
    }, slots.milliseconds)
    try {
      const outcome = await send(needs, claimed)
      const { webhookId, delivery } = claimed
      const settled = { webhookId, deliveryId: delivery.deliveryId, lease, outcome }
      await execute(needs, 'settleDelivery', { ...settled, jitter: Math.random(), revision: needs.random.id() })
    } finally {
      clearTimeout(timer)
      if (isSlow) slow -= 1
    }
  }

  void looks.run()
  return {
    wake,
    async end() {
      isEnding = true
      await Promise.all([looks.end(), looking])
      await Promise.all(running.values())
    },
  }
}

async function send(
  { outgoing, webhookSecrets, now }: SendingNeeds,
  { url, delivery, timeout, sealedSecrets }: Claimed,
): Promise<AttemptOutcome> {
  const attempt = { ...delivery, attempts: delivery.attempts + 1 }
  const signed = await webhookSecrets.sign([attempt], sealedSecrets, now()).catch(() => undefined)
  const headers = signed?.[0]
  if (!headers) return { failure: secretLost, tookMs: 0 }
  return outgoing.post({ url, headers, body: Buffer.from(delivery.payload), timeout })
}
