import { createServer, type Server as HttpServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance, InjectOptions } from 'fastify'
import pg from 'pg'
import type { Config } from '../../../src/config.ts'
import { prepareFirstRun } from '../../../src/first-organization.ts'
import type { WriteCommand } from '../../../src/operations/command.ts'
import { openServer, type Server } from '../../../src/server.ts'
import { channel, type PostgresStorage } from '../../../src/storage/postgres/postgres.ts'
import { connectionSettings } from '../../../src/storage/postgres/session.ts'
import { numberedTables, tableNames } from '../../../src/storage/tables/tables.ts'
import type { PasswordHash } from '../../../src/tokens/password.ts'
import { tablesOfIndex } from '../databases/rewindable-tables.ts'
import { createDatabase } from '../databases/test-database.ts'
import { rememberDatabase } from './portal-database.ts'
import { ChangingWorld, hasReachedLimit, type ReusedServers, type World } from './reused-servers.ts'

/** How many servers share a database. */
const replicas = 3

const secret = 'one secret for all the servers of a test'

/** Empties every table, those that refer to others first: for a few rows quicker than to truncate all the tables. */
const emptying = [
  ...[...tableNames.toReversed(), 'owner_tag_changes', ...tablesOfIndex].map((name) => `delete from ${name}`),
  ...numberedTables.map((name) => `select setval(pg_get_serial_sequence('${name}', 'id'), 1, false)`),
].join('; ')

/**
 * Three servers on one PostgreSQL database, each asked in its turn, as one server: requests that are injected, and
 * those over the network, behind a proxy that passes each one to the next server.
 */
export class Replicas implements ReusedServers {
  readonly #servers: readonly Server[]
  readonly #addresses: readonly string[]
  readonly #proxy: HttpServer
  readonly #connection: pg.Client
  readonly #config: Config
  readonly #world: ChangingWorld
  #turn = 0
  /** Whether changes of callers were notified that not every server may have received. */
  #isNotified = false

  private constructor(
    servers: readonly Server[],
    addresses: readonly string[],
    proxy: HttpServer,
    connection: pg.Client,
    config: Config,
    world: ChangingWorld,
  ) {
    this.#servers = servers
    this.#addresses = addresses
    this.#proxy = proxy
    this.#config = config
    this.#world = world
    this.#connection = connection.on('notification', () => {
      this.#isNotified = true
    })
  }

  static async open(settings: Config, passwords: PasswordHash): Promise<Replicas> {
    const proxy = createServer({ maxHeaderSize: 1024 * 1024 }).listen(0, '127.0.0.1')
    await new Promise((resolve) => proxy.once('listening', resolve))
    const { port } = proxy.address() as AddressInfo
    const url = await createDatabase()
    const config: Config = {
      ...settings,
      port: 0,
      secretKey: { kind: 'text', text: secret },
      publicUrl: settings.publicUrl ?? `http://localhost:${port}`,
      database: { engine: 'postgres', url, connections: 4, searchReplica: tmpdir() },
    }
    const world = new ChangingWorld()
    const overrides = { ...world, passwords }
    const servers = await Promise.all(Array.from({ length: replicas }, () => openServer(config, overrides)))
    const addresses = await Promise.all(servers.map((server) => server.listen()))
    const connection = new pg.Client(connectionSettings(url))
    await connection.connect()
    await connection.query(`listen ${channel}`)
    return new Replicas(servers, addresses, proxy, connection, config, world)
  }

  async begin(world: Partial<World>, end: () => Promise<void>): Promise<Server> {
    this.#world.change(world)
    this.#proxy.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
      this.#pass(this.#addresses[this.#next()]!, incoming, outgoing).catch(() => outgoing.destroy())
    })
    const [first] = this.#servers
    const { dependencies } = first!
    const inject = async (words: InjectOptions | string) => {
      const answer = await this.#servers[this.#next()]!.app.inject(words)
      if (typeof words === 'object' && words.method === 'POST') await this.#receive(answer.body)
      return answer
    }
    const origin = `http://localhost:${(this.#proxy.address() as AddressInfo).port}`
    const app = { inject, server: this.#proxy, listeningOrigin: origin } as unknown as FastifyInstance
    let isOpen = true
    const server: Server = {
      app,
      dependencies,
      firstRun: await this.#empty(),
      publicUrl: () => first!.publicUrl(),
      certificate: () => undefined,
      metricsUrl: () => first!.metricsUrl(),
      onWritten: () => undefined,
      listen: async () => origin,
      close: async () => {
        if (!isOpen) return
        isOpen = false
        this.#proxy.removeAllListeners('request')
        this.#proxy.closeAllConnections()
        await end()
      },
    }
    return rememberDatabase(server, {
      engine: 'postgres',
      connection: this.#connection,
      forgetCallers: () => this.#forgetCallers(),
    })
  }

  async #forgetCallers(): Promise<void> {
    await this.#connection.query(`notify ${channel}, 'all of them'`)
    await this.#catchUp()
  }

  /** Waits until every server has received the changes of a request: a client may have to wait for up to a second. */
  async #receive(answer: string): Promise<void> {
    // A refused request is rolled back, and not notified; but a code that is used again revokes its tokens.
    if (answer.startsWith('{"error":') && !answer.includes('"error_description":')) return
    // PostgreSQL sends notifications before it answers.
    await this.#connection.query('select 1')
    if (this.#isNotified) await this.#catchUp()
  }

  async #catchUp(): Promise<void> {
    this.#isNotified = false
    await Promise.all(
      this.#servers.map(({ dependencies }) => (dependencies.storage as PostgresStorage<WriteCommand>).catchUp()),
    )
  }

  #next(): number {
    this.#turn = (this.#turn + 1) % replicas
    return this.#turn
  }

  async #empty(): Promise<Server['firstRun']> {
    await this.#connection.query(emptying)
    return prepareFirstRun(this.#servers[0]!.dependencies, this.#config)
  }

  async #pass(address: string, incoming: IncomingMessage, outgoing: ServerResponse): Promise<void> {
    const body = await buffer(incoming)
    const url = new URL(address)
    const options = { host: url.hostname, port: url.port, method: incoming.method!, path: incoming.url! }
    const passed = request({ ...options, headers: incoming.rawHeaders, setHost: false } as never)
    passed.end(body)
    const answer = await new Promise<IncomingMessage>((resolve, reject) => {
      passed.once('response', resolve).once('error', reject)
    })
    const answered = await buffer(answer)
    if (incoming.method === 'POST') await this.#receive(answered.toString())
    outgoing.writeHead(answer.statusCode!, answer.rawHeaders)
    outgoing.end(answered)
  }

  isAsNew(): boolean {
    return !this.#servers.some(hasReachedLimit)
  }

  async close(): Promise<void> {
    this.#proxy.close()
    await this.#connection.end()
    await Promise.all(this.#servers.map((server) => server.close()))
  }
}
