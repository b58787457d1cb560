/**
 * Three servers on one PostgreSQL behind a load balancer, killed one after the other while clients assign and read.
 * Prints the losses (nothing that was acknowledged) and the time until recovery.
 */
import { type ChildProcess, spawn } from 'node:child_process'
import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { setTimeout as delay } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { findFreePort, Postgres } from '../test/support/databases/postgres.ts'
import { createBalancer } from './round-robin.ts'

const clients = 16
const groups = 20
const pauseMilliseconds = 2_000
const password = randomBytes(12).toString('hex')
const secret = randomBytes(32).toString('hex')
const program = fileURLToPath(new URL('../bin/cartulary.mjs', import.meta.url))

interface Replica {
  readonly url: URL
  process: ChildProcess
}

/** Client-side record of the documents that were sent. */
interface Ledger {
  readonly acknowledged: string[]
  readonly unanswered: string[]
  /** Times of acknowledgements in milliseconds. */
  readonly moments: number[]
  reads: number
  failedReads: number
}

await using postgres = await Postgres.open()
const database = await postgres.createDatabase()
const replicas: Replica[] = []
for (let number = 0; number < 3; number += 1) {
  const url = new URL(`http://127.0.0.1:${await findFreePort()}`)
  replicas.push({ url, process: start(url) })
}
const balancer = createBalancer(() => replicas.map(({ url }) => url)).listen(0, '127.0.0.1')
await once(balancer, 'listening')
const base = `http://127.0.0.1:${(balancer.address() as AddressInfo).port}/sharing/rest`
await Promise.all(replicas.map(({ url }) => untilReady(url)))

const { token } = await post('/generateToken', { username: 'admin', password })
const groupIds: string[] = []
for (let number = 0; number < groups; number += 1) {
  groupIds.push((await post('/community/createGroup', { title: `Group ${number}`, token })).group.id)
}

const ledger: Ledger = { acknowledged: [], unanswered: [], moments: [], reads: 0, failedReads: 0 }
let isOver = false
const load = Promise.all(Array.from({ length: clients }, (_, client) => work(client)))
await delay(pauseMilliseconds)
const kills: { readonly maxGap: number; readonly restart: number }[] = []
for (const replica of replicas) {
  const begun = performance.now()
  replica.process.kill('SIGKILL')
  await once(replica.process, 'exit')
  await delay(pauseMilliseconds / 2)
  const restarted = performance.now()
  replica.process = start(replica.url)
  await untilReady(replica.url)
  const restart = performance.now() - restarted
  await delay(pauseMilliseconds / 2)
  kills.push({ maxGap: maxGap(ledger.moments.filter((moment) => moment >= begun)), restart })
}
isOver = true
await load

const kept = await postgres.query<{ document: string }>(
  'select document from category_schema_versions where document is not null',
  [],
  database,
)
const documents = new Set(kept.map(({ document }) => document))
const lost = ledger.acknowledged.filter((document) => !documents.has(document))
const late = ledger.unanswered.filter((document) => documents.has(document))

console.log(`Assigns acknowledged            ${ledger.acknowledged.length}`)
console.log(`  of these lost                 ${lost.length}`)
console.log(
  `Assigns without an answer       ${ledger.unanswered.length}, of which ${late.length} were stored all the same`,
)
console.log(`Reads answered                  ${ledger.reads}, not answered ${ledger.failedReads}`)
for (const [number, { maxGap: gap, restart }] of kills.entries()) {
  const times = `longest pause between two acknowledged assigns ${Math.round(gap)} ms, ready again after ${Math.round(restart)} ms`
  console.log(`Server ${number + 1} killed                 ${times}`)
}
balancer.close()
balancer.closeAllConnections()
for (const replica of replicas) replica.process.kill('SIGTERM')
await Promise.all(replicas.map(({ process }) => once(process, 'exit')))
if (lost.length > 0) process.exitCode = 1

function start(url: URL): ChildProcess {
  const { PATH = '' } = process.env
  return spawn(process.execPath, [program], {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: {
      PATH,
      PORT: url.port,
      PUBLIC_URL: 'http://localhost',
      DATABASE_URL: database,
      SECRET_KEY: secret,
      ADMIN_PASSWORD: password,
      LOG_LEVEL: 'error',
      // All versions are kept, as every one is checked at the end.
      LIMIT_SCHEMA_VERSIONS: '1000000000',
      LIMIT_ITEM_BYTES_PER_USER: '1000000000000',
      LIMIT_ITEM_BYTES_PER_ORGANIZATION: '1000000000000',
    },
  })
}

async function untilReady(url: URL): Promise<void> {
  while (true) {
    const response = await fetch(new URL('/health/ready', url)).catch(() => undefined)
    if (response?.ok) return
    await delay(10)
  }
}

/** Assigns to the groups round-robin, and reads in between. */
async function work(client: number): Promise<void> {
  for (let count = 0; !isOver; count += 1) {
    const path = `/community/groups/${groupIds[(client + count) % groups]}`
    if (count % 3 === 2) {
      const read = await fetch(`${base}${path}/categorySchema?token=${token}`).catch(() => undefined)
      if (read?.ok) ledger.reads += 1
      else ledger.failedReads += 1
      continue
    }
    const document = JSON.stringify({ categorySchema: [{ title: `Client ${client} document ${count}` }] })
    const answer = await post(`${path}/assignCategorySchema`, { categorySchema: document, token }).catch(
      () => undefined,
    )
    if (answer?.success) {
      ledger.acknowledged.push(document)
      ledger.moments.push(performance.now())
    } else ledger.unanswered.push(document)
  }
}

// biome-ignore lint/suspicious/noExplicitAny: answers of several operations
async function post(path: string, parameters: Record<string, string>): Promise<any> {
  const response = await fetch(`${base}${path}`, { method: 'POST', body: new URLSearchParams(parameters) })
  return response.json()
}

function maxGap(moments: readonly number[]): number {
  return Math.max(0, ...moments.slice(1).map((moment, index) => moment - moments[index]!))
}
