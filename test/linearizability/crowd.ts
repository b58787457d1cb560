import { setTimeout as delay } from 'node:timers/promises'
import { seededRandom } from '../support/inputs/seeded-random.ts'
import { formEncode, type Parameters } from '../support/portal/portal.ts'
import { aSchema } from '../support/portal/schema-builder.ts'
import type { AnsweredInvitation, Fixture, Owner } from './fixture.ts'
import { answerOf, History } from './history.ts'
import {
  type InvitationInput,
  type ItemInput,
  invitationAnswerOf,
  itemAnswerOf,
  type SchemaInput,
  schemaAnswerOf,
} from './models.ts'

/** Servers that answer the same, and may end at any time. */
export interface Site {
  /** URL of the API at the server that is next; waits while there is none. */
  base(turn: number): Promise<string>
  /** Resolves when all of them are there. */
  settle(): Promise<unknown>
}

/** Failure of servers while clients are at work. */
export type Fault = () => unknown

export interface Round {
  readonly site: Site
  readonly fixture: Fixture
  readonly seed: number
  /** Minimum per client that works on schemas or items: none stops before the last fault. */
  readonly operations: number
  /** Each when all servers have come back from the one before. */
  readonly faults: readonly Fault[]
}

/** Histories that the clients of a round recorded. */
export interface Histories {
  readonly schemas: History<SchemaInput, string | null>
  readonly invitations: History<InvitationInput, string | null>
  readonly items: History<ItemInput, string | null>
}

const writers = Array.from({ length: 10 }, (_, index) => `writer ${index + 1}`)
const inviters = Array.from({ length: 6 }, (_, index) => `inviter ${index + 1}`)

const searchers = Array.from({ length: 4 }, (_, index) => `searcher ${index + 1}`)

/** Concurrent operations on an invitation. The first two have one outcome each, the others as many as there are races. */
const mixes: readonly (readonly InvitationInput['operation'][])[] = [
  ['read', 'import'],
  ['read', 'refresh'],
  ['import', 'invalidate'],
  ['import', 'refresh'],
  ['refresh', 'invalidate'],
  ['import', 'refresh', 'invalidate', 'read'],
]
/** However the races ended, the state that they left refuses what it has to. */
const closing = ['read', 'import', 'refresh', 'invalidate', 'read'] as const
const operationsOfInviter = 4
/** How often a fault is repeated that leaves no request without an answer. */
const maxTries = 5

/** Lets all clients work concurrently, each without a pause and each operation at another server, with faults in between. */
export async function playRound(round: Round): Promise<Histories> {
  const crowd = new Crowd(round)
  await crowd.play()
  return crowd
}

class Crowd implements Histories {
  readonly schemas: Histories['schemas'] = new History()
  readonly invitations: Histories['invitations'] = new History()
  readonly items: Histories['items'] = new History()
  readonly #round: Round
  readonly #progress = new Progress()
  #isOver = false

  constructor(round: Round) {
    this.#round = round
  }

  async play(): Promise<void> {
    await Promise.all([
      ...writers.map((client, index) => this.#write(client, index)),
      ...searchers.map((client, index) => this.#search(client, index)),
      this.#decideAll(),
      this.#causeAll(),
    ])
    await this.#round.site.settle()
  }

  async #write(client: string, index: number): Promise<void> {
    const { fixture, seed, operations } = this.#round
    const random = seededRandom(seed * writers.length + index)
    let owner = chooseOwner(fixture.owners, random)
    for (let count = 0; count < operations || !this.#isOver; count += 1) {
      // A client that stays with an owner finds out whether another server knows the latest answer of this one.
      if (random() < 0.5) owner = chooseOwner(fixture.owners, random)
      await this.#askSchema(client, index + count, owner, random())
    }
  }

  async #askSchema(client: string, turn: number, { id: owner, path, token }: Owner, chance: number): Promise<void> {
    const send = await this.#reach(turn, token)
    const record = (input: SchemaInput, place: string, parameters: Parameters = {}) =>
      this.schemas.record(client, input, async () => schemaAnswerOf(await send(`${path}/${place}`, parameters)))
    if (chance < 0.4) {
      const document = JSON.stringify(aSchema({ title: `${turn} of ${client}` }))
      await record({ operation: 'assign', owner, document }, 'assignCategorySchema', { categorySchema: document })
    } else if (chance < 0.65) {
      await record({ operation: 'delete', owner }, 'deleteCategorySchema')
    } else {
      await record({ operation: 'read', owner }, 'categorySchema')
    }
    this.#progress.advance()
  }

  async #search(client: string, index: number): Promise<void> {
    const { fixture, seed, operations } = this.#round
    const random = seededRandom(seed * searchers.length + index)
    let written: ItemInput | undefined
    for (let count = 0; count < operations || !this.#isOver; count += 1) {
      const { tag: item, path, token } = fixture.items[Math.floor(random() * fixture.items.length)]!
      const send = await this.#reach(index + count, token)
      const record = (input: ItemInput, place: string, parameters: Parameters) =>
        this.items.record(client, input, async () => itemAnswerOf(await send(place, parameters), input))
      const chance = random()
      const counted = { countFields: 'tags', num: '1' }
      if (chance < 0.4) {
        written = { operation: 'update', item, tag: `${count} of ${client}` }
        await record(written, `${path}/update`, { tags: `${item},${written.tag}` })
      } else if (chance < 0.7 && written) {
        // Another server finds by it what this one has written.
        const q = `tags:"${written.item}" AND tags:"${written.tag}"`
        await record({ ...written, operation: 'search' }, '/search', { ...counted, q })
      } else {
        await record({ operation: 'search', item }, '/search', { ...counted, q: `tags:"${item}"` })
      }
      this.#progress.advance()
    }
  }

  async #decideAll(): Promise<void> {
    const { fixture, seed } = this.#round
    for (const [index, invitation] of fixture.invitations.entries()) {
      await this.#decide(invitation, mixes[(seed + index) % mixes.length]!)
    }
  }

  async #decide(invitation: AnsweredInvitation, mix: readonly InvitationInput['operation'][]): Promise<void> {
    await Promise.all(
      inviters.map(async (client, index) => {
        for (let count = 0; count < operationsOfInviter; count += 1) {
          const place = index + count
          await this.#askInvitation(client, place, mix[place % mix.length]!, invitation)
        }
      }),
    )
    for (const [turn, operation] of closing.entries()) {
      await this.#askInvitation(inviters[0]!, turn, operation, invitation)
    }
  }

  async #askInvitation(
    client: string,
    turn: number,
    operation: InvitationInput['operation'],
    { id, path, collaborationPath, response, token }: AnsweredInvitation,
  ): Promise<void> {
    const asked: Record<typeof operation, [path: string, parameters?: Parameters]> = {
      read: [path],
      invalidate: [`${path}/invalidate`],
      refresh: [`${path}/refresh`],
      import: [`${collaborationPath}/importInvitationResponse`, { invitationResponseJSON: response }],
    }
    const send = await this.#reach(turn, token)
    await this.invitations.record(client, { operation, invitation: id }, async () =>
      invitationAnswerOf(await send(...asked[operation])),
    )
    this.#progress.advance()
  }

  /** The server whose turn it is. Where there is none, nothing is asked yet. */
  async #reach(turn: number, token: string) {
    const base = await this.#round.site.base(turn)
    const headers = { 'x-esri-authorization': `Bearer ${token}` }
    return async (path: string, parameters: Parameters = {}): Promise<string> => {
      const body = new URLSearchParams(formEncode({ f: 'json', ...parameters }))
      return answerOf(await fetch(`${base}${path}`, { method: 'POST', headers, body }))
    }
  }

  async #causeAll(): Promise<void> {
    const { fixture, seed, operations, faults } = this.#round
    const random = seededRandom(seed)
    const ofInvitation = inviters.length * operationsOfInviter + closing.length
    const total = (writers.length + searchers.length) * operations + fixture.invitations.length * ofInvitation
    try {
      for (const [index, fault] of faults.entries()) {
        await this.#progress.reach(Math.floor((0.8 * total * (index + random())) / faults.length))
        for (let tries = 0; tries < maxTries && !(await this.#cause(fault, random)); tries += 1);
      }
    } finally {
      this.#isOver = true
    }
  }

  /** Answers whether it left requests without an answer. */
  async #cause(fault: Fault, random: () => number): Promise<boolean> {
    await this.#round.site.settle()
    // Between two answers, not always just after one.
    await delay(random() * 4)
    const lost = this.#lost
    await fault()
    await this.#progress.reach(this.#progress.ended + writers.length + inviters.length + searchers.length)
    return this.#lost > lost
  }

  get #lost(): number {
    return [this.schemas, this.invitations, this.items]
      .flatMap(({ reasons }) => [...reasons.values()])
      .reduce((sum, n) => sum + n, 0)
  }
}

/** Draws the first ones more often than the last: three concurrent clients on the first, one now and then on the last. */
function chooseOwner(owners: readonly Owner[], random: () => number): Owner {
  return owners[Math.floor(random() ** 2 * owners.length)]!
}

/** How many operations have ended, with an answer or without. */
class Progress {
  ended = 0
  readonly #waiting = new Map<() => void, number>()

  advance(): void {
    this.ended += 1
    for (const [resolve, count] of this.#waiting) {
      if (this.ended < count) continue
      this.#waiting.delete(resolve)
      resolve()
    }
  }

  /** Resolves when that many have ended. */
  async reach(count: number): Promise<void> {
    if (this.ended >= count) return
    const { promise, resolve } = Promise.withResolvers<void>()
    this.#waiting.set(resolve, count)
    await promise
  }
}
