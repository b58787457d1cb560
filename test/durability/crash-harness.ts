import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Query } from '../support/databases/recorded.ts'
import { seededRandom } from '../support/inputs/seeded-random.ts'
import { adminPassword } from '../support/portal/portal.ts'
import { type CartularyProcess, type Folder, serve } from '../support/portal/process.ts'
import { until } from '../support/until.ts'
import { assignOnce, changeFixture, createFixture, type Fixture, pathOf } from './clients.ts'
import { postTo, readText } from './http-client.ts'
import { Ledger } from './ledger.ts'
import { requireConsistency } from './oracle.ts'

/** A server process that fails again and again, and clients that keep what it answered. */
export class CrashHarness implements AsyncDisposable {
  readonly ledger = new Ledger()
  server: CartularyProcess
  readonly #start: () => Promise<CartularyProcess>
  readonly #token: string
  readonly #fixture: Fixture
  readonly #random: () => number
  /** Apart from the clients' own: when something fails does not depend on how fast they are. */
  readonly #moments: () => number

  private constructor(
    server: CartularyProcess,
    start: () => Promise<CartularyProcess>,
    token: string,
    fixture: Fixture,
    seed: number,
  ) {
    this.server = server
    this.#start = start
    this.#token = token
    this.#fixture = fixture
    this.#random = seededRandom(seed)
    this.#moments = seededRandom(seed)
  }

  /** A server on an empty database; it leaves what it needs in the folder. */
  static async open(folder: Folder, databaseUrl: string, seed: number): Promise<CrashHarness> {
    const environment = {
      DATABASE_URL: databaseUrl,
      ADMIN_PASSWORD: adminPassword,
      SECRET_KEY: 'a secret of the tests, long enough for a key',
      // Every version is compared with what the clients know.
      LIMIT_SCHEMA_VERSIONS: '1000000000',
      LIMIT_ITEM_BYTES_PER_USER: '1000000000000',
      LIMIT_ITEM_BYTES_PER_ORGANIZATION: '1000000000000',
    }
    const start = () => serve({ folder: folder.path, environment })
    await using owned = new AsyncDisposableStack()
    const server = owned.use(await start())
    const token = await server.signIn('admin', adminPassword)
    const fixture = await createFixture(postTo({ server, token }))
    owned.move()
    return new CrashHarness(server, start, token, fixture, seed)
  }

  /** Starts the server again, after it was killed. */
  async restart(): Promise<void> {
    this.server = await this.#start()
  }

  /** Lets every client work until, after a random number of answers and a moment, something fails. */
  async changeUntil(fault: () => Promise<unknown>): Promise<void> {
    let answersToGo = 1 + Math.floor(this.#moments() * 40)
    let isFailing = false
    const enough = Promise.withResolvers<void>()
    const changing = changeFixture({
      ...this.#clients(() => isFailing),
      isOver: () => isFailing,
      answered() {
        answersToGo -= 1
        if (answersToGo === 0) enough.resolve()
      },
    })
    await Promise.race([enough.promise, changing])
    await delay(this.#moments() * 4)
    isFailing = true
    await Promise.all([fault(), changing])
    this.ledger.settleAll()
  }

  /** Asks for assigns until one is answered. */
  async awaitRecovery(): Promise<void> {
    const clients = { ...this.#clients(() => true), answered: () => undefined, isOver: () => false }
    await until('an assign is answered', () => assignOnce(clients))
    this.ledger.settleAll()
  }

  /** The tables are what the clients know, and what the server answers is what the tables hold. */
  async requireConsistency(query: Query, place: string): Promise<void> {
    await requireConsistency({ query, ledger: this.ledger, place })
    const present = await query<{ owner_id: string; document: string | null }>(
      `SELECT head.owner_id, kept.document FROM category_schemas head JOIN category_schema_versions kept
       ON kept.owner_kind = head.owner_kind AND kept.owner_id = head.owner_id AND kept.version = head.document_version
       WHERE head.is_set = 1`,
    )
    for (const owner of this.#fixture.owners) {
      const document = present.find(({ owner_id }) => owner_id === owner.id)?.document
      const text = await readText(this.#reached(), `${pathOf(owner)}/categorySchema`)
      const wanted = document ?? '{"categorySchema":[]}'
      expect(text, `${place}: the schema of ${owner.kind} ${owner.id} as it is read`).toBe(wanted)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.server[Symbol.asyncDispose]()
  }

  #reached() {
    return { server: this.server, token: this.#token }
  }

  #clients(isExcused: () => boolean) {
    const post = postTo(this.#reached(), isExcused)
    return { fixture: this.#fixture, ledger: this.ledger, random: this.#random, post }
  }
}
