import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Query } from '../durability/claim.ts'
import { pathOf, setScene } from '../durability/clients.ts'
import { Ledger, type Owner } from '../durability/ledger.ts'
import { requireTruth } from '../durability/truth.ts'
import type { Parameters } from '../support/portal/portal.ts'
import { aSchema } from '../support/portal/schema-builder.ts'

/** An answer, as far as clients look at it. */
export interface Answered {
  readonly status: number
  readonly requestId: string
  readonly retryAfter: string | undefined
  readonly text: string
}

/** How a server is asked, by the administrator. */
export interface Reach {
  /** Undefined where the connection ended without an answer. */
  post(path: string, parameters: Parameters): Promise<Answered | undefined>
  /** A path beside the API. */
  get(path: string): Promise<Answered>
}

/** What a client knows of a write: it was acknowledged, refused with 503, or not answered. */
export type Outcome = 'done' | 'refused' | 'unanswered'

/** What fails, for so long, and how that ends. */
export interface Fault {
  begin(): unknown
  readonly milliseconds: number
  end(): unknown
}

/** What clients and probes saw; times are milliseconds. */
export interface Figures {
  /** Answers to assigns, from the beginning of the fault on. */
  readonly done: number
  readonly refused: number
  readonly slowestRefusal: number
  readonly slowestLive: number
  /** From the beginning to the first 503 of /health/ready; undefined where it stays ready. */
  readonly unreadyAfter: number | undefined
  /** From the end to the first answer of an assign that was done. */
  readonly recoveredAfter: number
  /** From the end to the first 200 of /health/ready. */
  readonly readyAfter: number
}

/** A client hears of an outage in so many milliseconds, and of its end (chosen). */
export const longestRefusal = 5_000
const longestRecovery = 5_000
/** A probe takes 2 seconds at most, and its answer counts for another one; the rest is for a machine with other work. */
export const longestReady = 3_500
/** How long a process may take to say that it lives, on a machine with other work. */
const longestLife = 1_000

const betweenAsks = 20
const writersOfOwner = 2

const refusal = {
  error: { code: 503, message: 'The service is temporarily unavailable.', details: [] },
}

/** Clients who write to a server while its surroundings fail, and remember what it told them. */
export class Witness {
  readonly ledger = new Ledger()
  readonly reach: Reach
  readonly owners: readonly Owner[]

  private constructor(reach: Reach, owners: readonly Owner[]) {
    this.reach = reach
    this.owners = owners
  }

  /** On a server with a new organization. */
  static async open(reach: Reach): Promise<Witness> {
    const { owners } = await setScene(async (path, parameters) => {
      const answered = await reach.post(path, parameters)
      return answered && { ...answered, isDone: !('error' in JSON.parse(answered.text)) }
    })
    return new Witness(reach, owners)
  }

  /** Assigns one more schema; what is not done has to be refused as the contract says, and in time. */
  async assign(owner = this.owners[0]!, reach = this.reach): Promise<Outcome> {
    const title = `Schema ${this.ledger.deeds('assign').length + 1}`
    const document = JSON.stringify(aSchema({ title }))
    const number = this.ledger.send({ kind: 'assign', owner, document })
    const begun = performance.now()
    const answered = await reach.post(`${pathOf(owner)}/assignCategorySchema`, { categorySchema: document })
    if (!answered) return 'unanswered'
    const { status, text, requestId, retryAfter } = answered
    if (status === 200) {
      expect(JSON.parse(text)).toEqual({ success: true })
      this.ledger.answer(number, { isDone: true, requestId, text })
      return 'done'
    }
    expect({ status, retryAfter, body: JSON.parse(text) }).toEqual({ status: 503, retryAfter: '5', body: refusal })
    expect(performance.now() - begun, 'milliseconds of a refusal').toBeLessThan(longestRefusal)
    return 'refused'
  }

  /** Lets clients write and probes ask while something fails, and until it has recovered; answers what they saw. */
  async suffer({ begin, milliseconds, end }: Fault): Promise<Figures> {
    let isOver = false
    let slowestRefusal = 0
    let slowestLive = 0
    let unreadyAt: number | undefined
    const doneAt: number[] = []
    let refused = 0

    const write = async (owner: Owner) => {
      while (!isOver) {
        const sent = performance.now()
        const outcome = await this.assign(owner)
        expect(outcome).not.toBe('unanswered')
        if (outcome === 'done') {
          doneAt.push(performance.now())
        } else {
          refused += 1
          slowestRefusal = Math.max(slowestRefusal, performance.now() - sent)
        }
        await delay(betweenAsks)
      }
    }
    const watchLife = async () => {
      while (!isOver) {
        const sent = performance.now()
        const { status } = await this.reach.get('/health/live')
        expect(status).toBe(200)
        slowestLive = Math.max(slowestLive, performance.now() - sent)
        await delay(betweenAsks)
      }
    }
    const watchReadiness = async () => {
      while (!isOver) {
        const { status, text } = await this.reach.get('/health/ready')
        if (status !== 200) {
          expect([status, JSON.parse(text).status]).toEqual([503, 'unavailable'])
          expect(text).toMatch(/"reason":"The database does not answer[^"]*\."/)
          unreadyAt ??= performance.now()
        }
        await delay(betweenAsks)
      }
    }

    const work = [
      ...this.owners.flatMap((owner) => Array.from({ length: writersOfOwner }, () => write(owner))),
      watchLife(),
      watchReadiness(),
    ]
    const atWork = Promise.all(work)
    const story = async (): Promise<Figures> => {
      await until('the clients are at work', () => doneAt.length >= work.length)
      const before = doneAt.length
      const begunAt = performance.now()
      await begin()
      await delay(milliseconds)
      await end()
      const endedAt = performance.now()
      await until('assigns are done again', () => doneAt.some((moment) => moment > endedAt))
      const recoveredAfter = doneAt.find((moment) => moment > endedAt)! - endedAt
      await untilReady(this.reach)
      return {
        done: doneAt.length - before,
        refused,
        slowestRefusal,
        slowestLive,
        unreadyAfter: unreadyAt && unreadyAt - begunAt,
        recoveredAfter,
        readyAfter: performance.now() - endedAt,
      }
    }
    // Whoever fails first fails the test: the story never ends where a client has given up.
    const told = story()
    let figures: Figures
    try {
      figures = (await Promise.race([told, atWork.then(() => told)])) as Figures
    } finally {
      isOver = true
      await Promise.allSettled([told, ...work])
    }
    await atWork
    expect(figures.recoveredAfter, 'milliseconds to recover').toBeLessThan(longestRecovery)
    expect(figures.readyAfter, 'milliseconds to be ready').toBeLessThan(longestRecovery)
    expect(figures.slowestLive, 'milliseconds of /health/live').toBeLessThan(longestLife)
    return figures
  }

  /** Every acknowledged write is in the tables, each is whole, and nothing is there that nobody sent. */
  async requireTruth(query: Query): Promise<void> {
    this.ledger.settleAll()
    await requireTruth({ query, ledger: this.ledger, place: 'afterwards' })
  }
}

/** Waits for something that has to come about within ten seconds. */
export async function until(what: string, isSo: () => boolean | Promise<boolean>): Promise<void> {
  const latest = performance.now() + 10_000
  while (!(await isSo())) {
    if (performance.now() > latest) throw new Error(`It is not so after 10 seconds: ${what}.`)
    await delay(betweenAsks / 2)
  }
}

async function untilReady(reach: Reach): Promise<void> {
  await until('/health/ready says so', async () => (await reach.get('/health/ready')).status === 200)
}
