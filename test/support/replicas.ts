import { createServer, type Server as HttpServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import type { FastifyInstance, InjectOptions } from 'fastify'
import type { Config } from '../../src/config.ts'
import { prepareFirstRun } from '../../src/first-run.ts'
import type { Surroundings } from '../../src/open-ports.ts'
import { openServer, type Server } from '../../src/server.ts'
import type { PostgresStorage } from '../../src/storage/postgres.ts'
import { queryAt } from './postgres.ts'
import { createDatabase } from './test-database.ts'

/** How many servers share a database. */
const replicas = 3

/** Groups of servers kept for the next test that wants the same settings: most tests take less time than a start. */
const mostSpare = 6
const spare = new Map<string, Group[]>()

/**
 * Three servers on one PostgreSQL database, each asked in its turn, as one server: requests that are injected, and
 * those over the network, behind a proxy that passes each one to the next server.
 */
export async function openReplicas(config: Config, surroundings: Surroundings & { now(): number }): Promise<Server> {
  const key = JSON.stringify(config)
  const group = spare.get(key)?.pop() ?? (await Group.open(config, surroundings))
  return group.begin(key, surroundings.now)
}

class Group {
  readonly #servers: readonly Server[]
  readonly #addresses: readonly string[]
  readonly #proxy: HttpServer
  readonly #url: string
  readonly #config: Config
  readonly #world: { now: () => number }
  #turn = 0

  private constructor(
    servers: readonly Server[],
    addresses: readonly string[],
    proxy: HttpServer,
    config: Config,
    world: { now: () => number },
  ) {
    this.#servers = servers
    this.#addresses = addresses
    this.#proxy = proxy
    this.#config = config
    this.#world = world
    this.#url = config.database.engine === 'postgres' ? config.database.url : ''
  }

  static async open(given: Config, surroundings: Surroundings): Promise<Group> {
    const proxy = createServer({ maxHeaderSize: 1024 * 1024 }).listen(0, '127.0.0.1')
    await new Promise((resolve) => proxy.once('listening', resolve))
    const { port } = proxy.address() as AddressInfo
    const config: Config = {
      ...given,
      port: 0,
      secretKey: { kind: 'text', text: 'one secret for all the servers of a test' },
      publicUrl: given.publicUrl ?? `http://localhost:${port}`,
      database: { engine: 'postgres', url: await createDatabase(), connections: 4 },
    }
    const world = { now: Date.now }
    const outside = { ...surroundings, now: () => world.now() }
    const servers = await Promise.all(Array.from({ length: replicas }, () => openServer(config, outside)))
    const addresses = await Promise.all(servers.map((server) => server.listen()))
    return new Group(servers, addresses, proxy, config, world)
  }

  /** As one server, on an empty database. */
  async begin(key: string, now: () => number): Promise<Server> {
    this.#world.now = now
    this.#proxy.on('request', (incoming: IncomingMessage, outgoing: ServerResponse) => {
      this.#pass(this.#addresses[this.#next()]!, incoming, outgoing).catch(() => outgoing.destroy())
    })
    const [first] = this.#servers
    const { ports } = first!
    const inject = async (words: InjectOptions | string) => {
      const answer = await this.#servers[this.#next()]!.app.inject(words)
      if (typeof words === 'object' && words.method === 'POST') await this.#hear()
      return answer
    }
    const origin = `http://localhost:${(this.#proxy.address() as AddressInfo).port}`
    const app = { inject, server: this.#proxy, listeningOrigin: origin } as unknown as FastifyInstance
    return {
      app,
      ports,
      firstRun: await this.#empty(),
      publicUrl: () => first!.publicUrl(),
      metricsUrl: () => first!.metricsUrl(),
      listen: async () => origin,
      close: () => this.#end(key),
    }
  }

  /** Waits until every server has heard what the last request ended: a client may have to wait for up to a second. */
  async #hear(): Promise<void> {
    await Promise.all(this.#servers.map(({ ports }) => (ports.storage as PostgresStorage).catchUp()))
  }

  #next(): number {
    this.#turn = (this.#turn + 1) % replicas
    return this.#turn
  }

  async #empty(): Promise<Server['firstRun']> {
    const tables = "select string_agg(quote_ident(tablename), ',') as names from pg_tables where schemaname = 'public'"
    const [found] = await queryAt<{ names: string }>(this.#url, `${tables} and tablename not like 'kysely%'`)
    await queryAt(this.#url, `truncate ${found!.names} restart identity`)
    return prepareFirstRun(this.#servers[0]!.ports, this.#config)
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
    if (incoming.method === 'POST') await this.#hear()
    outgoing.writeHead(answer.statusCode!, answer.rawHeaders)
    outgoing.end(answered)
  }

  /** Keeps the servers for another test, unless a test has closed something of them. */
  async #end(key: string): Promise<void> {
    this.#proxy.removeAllListeners('request')
    this.#proxy.closeAllConnections()
    const waiting = spare.get(key) ?? []
    spare.set(key, waiting)
    waiting.push(this)
    const all = [...spare.values()].flat()
    if (all.length > mostSpare) await all.find((group) => group !== this)!.#close()
  }

  async #close(): Promise<void> {
    for (const groups of spare.values()) {
      const place = groups.indexOf(this)
      if (place !== -1) groups.splice(place, 1)
    }
    this.#proxy.close()
    await Promise.all(this.#servers.map((server) => server.close()))
  }
}
