/**
 * What people would otherwise take, on the same work: one JSON document of 1 KB of one among 200 records is replaced,
 * and read back. Each is set up as it comes, with the simplest sign-in that it has, and SQLite as it ships it.
 */
import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, readFileSync, writeFileSync } from 'node:fs'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { Outcome } from './load.ts'
import { listInstalledPackages, listRuntimePackages, megabytesOf } from './packages.ts'
import { medianOf, type Run } from './result.ts'
import {
  Folder,
  type Running,
  residentBytes,
  type Server,
  start,
  startFloor,
  startService,
  stop,
  untilSaid,
} from './servers.ts'
import { assign, putForReading, type Request, type Round, read, send, smallSchema } from './work.ts'

/** A server and what it came to; or why it could not be measured. */
export interface Peer {
  readonly name: string
  /** What a write of it means. */
  readonly promise: string
  readonly writes?: Speed
  readonly reads?: Speed
  readonly idleMegabytes?: number
  readonly packages?: number
  readonly installedMegabytes?: number
  readonly remark?: string
}

interface Speed {
  readonly perSecond: number
  readonly timesFloor: number
  readonly timesCartulary: number
  /** Milliseconds that 99 of 100 were answered in. */
  readonly p99: number
}

interface Contestant {
  readonly name: string
  readonly promise: string
  /** Whether the others can do without it. */
  readonly mayFail: boolean
  open(): Promise<Opened>
}

interface Opened {
  readonly server: Server
  readonly size: { readonly packages: number; readonly installedMegabytes: number }
  write(round: Round): Promise<Outcome>
  read(round: Round): Promise<Outcome>
}

/** The package of `bench/peers/<folder>`, whose start.mjs tells its port, a token and the ids of 200 records. */
interface Product {
  readonly folder: string
  readonly name: string
  readonly promise: string
  readonly method: 'PUT' | 'PATCH'
  readonly path: string
  readonly body: string
}

const products: readonly Product[] = [
  {
    folder: 'json-server',
    name: 'json-server 0.17',
    promise: 'not durable (a file rewritten, never synced); no sign-in, no permissions, no history',
    method: 'PUT',
    path: '/groups/{group}',
    body: smallSchema,
  },
  {
    folder: 'nestjs',
    name: 'NestJS 12 + TypeORM',
    promise: 'durable; one fixed token, no permissions, no history, no checks of the document',
    method: 'PUT',
    path: '/groups/{group}',
    body: smallSchema,
  },
  {
    folder: 'strapi',
    name: 'Strapi 5',
    promise: 'durable; API token with permissions, no history, no checks of the document',
    method: 'PUT',
    path: '/api/groups/{group}',
    body: `{"data":${smallSchema}}`,
  },
  {
    folder: 'directus',
    name: 'Directus 12',
    promise: 'durable; static token with permissions, activity and revisions, no checks of the document',
    method: 'PATCH',
    path: '/items/groups/{group}',
    body: smallSchema,
  },
]

const contestants: readonly Contestant[] = [
  {
    name: 'the floor',
    promise: 'durable; nothing else',
    mayFail: false,
    async open() {
      const server = await startFloor(200)
      return {
        server,
        size: { packages: 0, installedMegabytes: 0 },
        write: (round) => putForReading(server, smallSchema, round),
        read: (round) => read(server, round),
      }
    },
  },
  {
    name: 'Cartulary',
    promise: 'durable; sign-in, permissions, history, every document checked',
    mayFail: false,
    async open() {
      const server = await startService(200)
      return {
        server,
        size: sizeOf(listRuntimePackages()),
        write: (round) => assign(server, smallSchema, round),
        read: (round) => read(server, round),
      }
    },
  },
  ...products.map((product) => ({
    name: product.name,
    promise: product.promise,
    mayFail: true,
    open: () => openProduct(product),
  })),
]

/** Waits so long for npm, and for a server that may have to fill a database. */
const patience = { install: 15 * 60_000, start: 5 * 60_000 }

export async function measurePeers(run: Run): Promise<readonly Peer[]> {
  await using stack = new AsyncDisposableStack()
  const opened: { readonly contestant: Contestant; readonly open: Opened; readonly idle: number | undefined }[] = []
  const refused: Peer[] = []
  for (const contestant of contestants) {
    const { name, promise } = contestant
    console.log(`Starting ${name} …`)
    try {
      const open = await contestant.open()
      stack.use(open.server)
      await open.write({ connections: 1, milliseconds: 0, order: 'in turn' })
      await delay(run.idleSeconds * 1000)
      opened.push({ contestant, open, idle: residentBytes(open.server) })
    } catch (error) {
      if (!contestant.mayFail) throw error
      refused.push({ name, promise, remark: error instanceof Error ? error.message.slice(0, 1_000) : String(error) })
    }
  }
  const writes = await alternate(
    run,
    opened.map(({ open }) => open.write),
  )
  const reads = await alternate(
    run,
    opened.map(({ open }) => open.read),
  )
  return [
    ...opened.map(({ contestant: { name, promise }, idle, open }, index) => ({
      name,
      promise,
      writes: writes[index]!,
      reads: reads[index]!,
      ...(idle !== undefined && { idleMegabytes: Math.round(idle / 1e6) }),
      ...open.size,
    })),
    ...refused,
  ]
}

/** Rounds of all in turn. The floor is the first, Cartulary the second. */
async function alternate(run: Run, works: readonly ((round: Round) => Promise<Outcome>)[]): Promise<readonly Speed[]> {
  const round: Round = { connections: 32, milliseconds: run.milliseconds, order: 'in turn' }
  for (const work of works) await work({ ...round, milliseconds: run.warmMilliseconds, atLeast: 200 })
  const rounds: Outcome[][] = []
  for (let number = 0; number < run.rounds; number += 1) {
    const outcomes: Outcome[] = []
    for (const work of works) outcomes.push(await work(round))
    rounds.push(outcomes)
  }
  return works.map((_, index) => ({
    perSecond: medianOf(rounds.map((outcomes) => outcomes[index]!.perSecond)),
    timesFloor: medianOf(rounds.map((outcomes) => outcomes[index]!.perSecond / outcomes[0]!.perSecond)),
    timesCartulary: medianOf(rounds.map((outcomes) => outcomes[index]!.perSecond / outcomes[1]!.perSecond)),
    p99: medianOf(rounds.map((outcomes) => outcomes[index]!.p99)),
  }))
}

async function openProduct({ folder, method, path, body }: Product): Promise<Opened> {
  const server = await openPeer<Server>(folder, 'start.mjs')
  const bearer = server.token === '' ? {} : { bearer: server.token }
  const write: Request = { ...bearer, method, path, type: 'application/json', body }
  return {
    server,
    size: sizeOf(listInstalledPackages(installedAt(folder))),
    write: (round) => send(server, round, write),
    read: (round) => send(server, round, { ...bearer, method: 'GET', path }),
  }
}

/** Runs a program of the package `bench/peers/<name>`, and answers what it says when it is ready. */
export async function openPeer<Said extends Running>(
  name: string,
  programFile: string,
  ...words: readonly string[]
): Promise<Said> {
  const installed = install(name)
  const folder = new Folder()
  const child = start([`${installed}/${programFile}`, folder.path, ...words], { NODE_ENV: 'production' })
  const close = () => stop(child).then(() => folder[Symbol.dispose]())
  try {
    const said = await Promise.race([untilSaid(child, /^ready (\{.*\})$/m), late(patience.start)])
    return { ...JSON.parse(said), pid: child.pid!, [Symbol.asyncDispose]: close }
  } catch (error) {
    await close()
    throw error
  }
}

async function late(milliseconds: number): Promise<never> {
  await delay(milliseconds, undefined, { ref: false })
  throw new Error('It did not become ready in time.')
}

/** A copy with its packages in `bench/.peers`, made once. */
function install(name: string): string {
  const source = fileURLToPath(new URL(`peers/${name}`, import.meta.url))
  const target = installedAt(name)
  const wanted = readFileSync(`${source}/package.json`, 'utf8')
  const isThere = existsSync(`${target}/installed`) && readFileSync(`${target}/installed`, 'utf8') === wanted
  cpSync(source, target, { recursive: true })
  if (isThere) return target
  console.log('  Installing it …')
  const words = ['install', '--no-audit', '--no-fund', '--no-package-lock', '--loglevel=error']
  execFileSync('npm', words, { cwd: target, stdio: ['ignore', 'ignore', 'pipe'], timeout: patience.install })
  writeFileSync(`${target}/installed`, wanted)
  return target
}

function installedAt(name: string): string {
  return fileURLToPath(new URL(`.peers/${name}`, import.meta.url))
}

function sizeOf(packages: readonly string[]): Opened['size'] {
  return { packages: packages.length, installedMegabytes: megabytesOf(packages) }
}
