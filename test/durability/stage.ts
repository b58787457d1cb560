import { setTimeout as delay } from 'node:timers/promises'
import { expect } from 'vitest'
import type { Query } from '../support/databases/recorded.ts'
import { seededRandom } from '../support/inputs/seeded-random.ts'
import { adminPassword } from '../support/portal/portal.ts'
import { type CartularyProcess, type Folder, serve } from '../support/portal/process.ts'
import { until } from '../support/until.ts'
import { assignOnce, changeScene, pathOf, type Scene, setScene } from './clients.ts'
import { doorOf, readText } from './http-door.ts'
import { Ledger } from './ledger.ts'
import { requireTruth } from './truth.ts'

/** A server process that is struck again and again, and clients who remember what it told them. */
export class Stage implements AsyncDisposable {
  readonly ledger = new Ledger()
  server: CartularyProcess
  readonly #start: () => Promise<CartularyProcess>
  readonly #token: string
  readonly #scene: Scene
  readonly #random: () => number
  /** Apart from the clients' own: when it strikes does not depend on how fast they are. */
  readonly #strikes: () => number

  private constructor(
    server: CartularyProcess,
    start: () => Promise<CartularyProcess>,
    token: string,
    scene: Scene,
    seed: number,
  ) {
    this.server = server
    this.#start = start
    this.#token = token
    this.#scene = scene
    this.#random = seededRandom(seed)
    this.#strikes = seededRandom(seed)
  }

  /** A server on an empty database; it leaves what it needs in the folder. */
  static async open(folder: Folder, databaseUrl: string, seed: number): Promise<Stage> {
    const environment = {
      DATABASE_URL: databaseUrl,
      ADMIN_PASSWORD: adminPassword,
      SECRET_KEY: 'a secret of the tests, long enough for a key',
    }
    const start = () => serve({ folder: folder.path, environment })
    await using owned = new AsyncDisposableStack()
    const server = owned.use(await start())
    const token = await server.signIn('admin', adminPassword)
    const scene = await setScene(doorOf({ server, token }))
    owned.move()
    return new Stage(server, start, token, scene, seed)
  }

  /** Starts the server again, after it was killed. */
  async restart(): Promise<void> {
    this.server = await this.#start()
  }

  /** Lets every client work until, after a random number of answers and a moment, something strikes. */
  async changeUntilStruck(strike: () => Promise<unknown>): Promise<void> {
    let answersToGo = 1 + Math.floor(this.#strikes() * 40)
    let isStruck = false
    const enough = Promise.withResolvers<void>()
    const changing = changeScene({
      ...this.#clients(() => isStruck),
      isOver: () => isStruck,
      answered() {
        answersToGo -= 1
        if (answersToGo === 0) enough.resolve()
      },
    })
    await Promise.race([enough.promise, changing])
    await delay(this.#strikes() * 4)
    isStruck = true
    await Promise.all([strike(), changing])
    this.ledger.settleAll()
  }

  /** Asks for assigns until one is answered. */
  async awaitRecovery(): Promise<void> {
    const clients = { ...this.#clients(() => true), answered: () => undefined, isOver: () => false }
    await until('an assign is answered', () => assignOnce(clients))
    this.ledger.settleAll()
  }

  /** The tables are what the clients know, and what the server answers is what the tables hold. */
  async requireTruth(query: Query, place: string): Promise<void> {
    await requireTruth({ query, ledger: this.ledger, place })
    const present = await query<{ owner_id: string; document: string | null }>(
      `SELECT head.owner_id, kept.document FROM category_schemas head JOIN category_schema_versions kept
       ON kept.owner_kind = head.owner_kind AND kept.owner_id = head.owner_id AND kept.version = head.version`,
    )
    for (const owner of this.#scene.owners) {
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
    const door = doorOf(this.#reached(), isExcused)
    return { scene: this.#scene, ledger: this.ledger, random: this.#random, door }
  }
}
