import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import { createFixture, pathOf } from '../durability/clients.ts'
import { Ledger, type Owner } from '../durability/ledger.ts'
import { requireConsistency } from '../durability/oracle.ts'
import type { Query } from '../support/databases/recorded.ts'
import type { Parameters } from '../support/portal/portal.ts'
import { aSchema } from '../support/portal/schema-builder.ts'
import { until } from '../support/until.ts'

/** An answer, as far as clients look at it. */
export interface Answered {
  readonly status: number
  readonly requestId: string
  readonly retryAfter: string | undefined
  readonly text: string
}

/** Requests to a server by its administrator. */
export interface Reach {
  /** Undefined where the connection ended without an answer. */
  post(path: string, parameters: Parameters): Promise<Answered | undefined>
  /** A path beside the API. */
  get(path: string): Promise<Answered>
}

/** Outcome of a write as a client knows it: acknowledged, refused with 503, or not answered. */
export type Outcome = 'done' | 'refused' | 'unanswered'

/** A failure that is begun, and ended as soon as it was seen. */
export interface Fault {
  begin(): unknown
  end(): unknown
  /** Over as soon as it has begun: it begins again until a client is refused. */
  readonly isBrief?: true
  /** Whether it keeps the server from the database, so that probes see it. */
  readonly isSeen?: true
}

const askInterval = 20
const writersOfOwner = 2

const refusal = {
  error: { code: 503, message: 'The service is temporarily unavailable.', details: [] },
}

/** Clients that write to a server while its surroundings fail, and keep what it answered. */
export class Observer {
  readonly ledger = new Ledger()
  readonly reach: Reach
  readonly owners: readonly Owner[]

  private constructor(reach: Reach, owners: readonly Owner[]) {
    this.reach = reach
    this.owners = owners
  }

  /** Opens an observer on a server with a new organization. */
  static async open(reach: Reach): Promise<Observer> {
    const { owners } = await createFixture(async (path, parameters) => {
      const answered = await reach.post(path, parameters)
      return answered && { ...answered, isDone: !('error' in JSON.parse(answered.text)) }
    })
    return new Observer(reach, owners)
  }

  /** Assigns one more schema; what is not done has to be refused as the contract says. */
  async assign(owner = this.owners[0]!, reach = this.reach): Promise<Outcome> {
    const title = `Schema ${this.ledger.exchanges('assign').length + 1}`
    const document = JSON.stringify(aSchema({ title }))
    const number = this.ledger.send({ kind: 'assign', owner, document })
    const answered = await reach.post(`${pathOf(owner)}/assignCategorySchema`, { categorySchema: document })
    if (!answered) return 'unanswered'
    const { status, text, requestId, retryAfter } = answered
    if (status === 200) {
      expect(JSON.parse(text)).toEqual({ success: true })
      this.ledger.answer(number, { isDone: true, requestId, text })
      return 'done'
    }
    expect({ status, retryAfter, body: JSON.parse(text) }).toEqual({ status: 503, retryAfter: '5', body: refusal })
    return 'refused'
  }

  /**
   * Lets clients write and probes ask while something fails. The process has to answer all the while, clients have to
   * be refused and probes to see it; afterwards writes are done again, and the server is ready.
   */
  async runThrough({ begin, end, isBrief, isSeen }: Fault): Promise<void> {
    let isOver = false
    const seen = { done: 0, refused: 0, unanswered: 0, live: 0, unready: 0 }
    const repeat = async (ask: () => Promise<void>) => {
      while (!isOver) {
        await ask()
        await delay(askInterval)
      }
    }
    const write = (owner: Owner) =>
      repeat(async () => {
        const outcome = await this.assign(owner)
        expect(outcome).not.toBe('unanswered')
        seen[outcome] += 1
      })
    const watchLife = repeat(async () => {
      expect((await this.reach.get('/health/live')).status).toBe(200)
      seen.live += 1
    })
    const watchReadiness = repeat(async () => {
      const { status, text } = await this.reach.get('/health/ready')
      if (status === 200) return
      expect([status, JSON.parse(text).status]).toEqual([503, 'unavailable'])
      expect(text).toMatch(/"reason":"The database does not answer[^"]*\."/)
      seen.unready += 1
    })
    const writers = this.owners.flatMap((owner) => Array.from({ length: writersOfOwner }, () => write(owner)))
    const work = [...writers, watchLife, watchReadiness]
    const atWork = Promise.all(work)
    const course = async () => {
      await until('the clients are at work', () => seen.done >= writers.length)
      const before = { ...seen }
      await begin()
      await until('the fault was seen', async () => {
        if (isBrief) await begin()
        const isRefused = seen.refused > before.refused
        // One of them may have been asked before.
        const isAlive = seen.live > before.live + 1
        return isRefused && isAlive && (!isSeen || seen.unready > before.unready)
      })
      await end()
      await until('assigns are done again', async () => (await this.assign()) === 'done')
      await until('it is ready', async () => (await this.reach.get('/health/ready')).status === 200)
    }
    // The first failure fails the test: the course never ends where a client has given up.
    const passed = course()
    try {
      await Promise.race([passed, atWork.then(() => passed)])
    } finally {
      isOver = true
      await Promise.allSettled([passed, ...work])
    }
    await atWork
  }

  /** Every acknowledged write is in the tables, each is whole, and nothing is there that was not sent. */
  async requireConsistency(query: Query): Promise<void> {
    this.ledger.settleAll()
    await requireConsistency({ query, ledger: this.ledger, place: 'afterwards' })
  }
}
