/** Concurrent requests of one user's programs: how many of them are refused, and how long they take. */
import { execFile, execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Burst, BurstOutcome } from './at-once-program.ts'
import { fire } from './load.ts'
import { type Nginx, openNginx } from './nginx.ts'
import { openPostgres } from './postgres.ts'
import { type Figure, figureOf, type Result, type Row, type Run, resultOf } from './result.ts'
import {
  createGroups,
  type Environment,
  Folder,
  openService,
  post,
  programOf,
  type Running,
  signIn,
} from './servers.ts'
import { largeSchema } from './work.ts'

const groups = 300
const items = 20_000
const run = promisify(execFile)

/** Servers with shared content. */
interface Site {
  readonly name: string
  /** Ports of the servers, used round-robin. */
  ports(): Promise<readonly number[]>
  readonly token: string
  readonly groupIds: readonly string[]
}

type Asked = Pick<Burst, 'kind' | 'count'> & { readonly name: string; readonly groups?: number }

const bursts: readonly Asked[] = [
  { name: '1,000 addItem', kind: 'addItem', count: 1_000 },
  { name: '300 assigns of 200 categories to one group', kind: 'assign', count: 300, groups: 1 },
  { name: '300 assigns of 200 categories to 300 groups', kind: 'assign', count: 300, groups },
  { name: '300 searches with counts', kind: 'search', count: 300 },
]

/** Runs on one server with SQLite, then on three with PostgreSQL; or on one engine only. */
export async function* measureAtOnce(given: Run, engine: string | undefined): AsyncIterable<Result> {
  using folder = new Folder()
  const groupIds = await fill(folder, given)
  if (engine !== 'postgres') {
    await using service = await openService(folder.environment, 'all', given.checkout)
    yield* measureServers('SQLite', [service], groupIds, given)
  }
  if (engine === 'sqlite') return
  await using stack = new AsyncDisposableStack()
  const postgres = stack.use(await openPostgres())
  const environment = { ...postgres.environment, SECRET_KEY: secretOf(folder) }
  move(folder, environment, given.checkout)
  const servers: Running[] = []
  for (let number = 0; number < 3; number += 1) {
    servers.push(stack.use(await openService(environment, 'all', given.checkout)))
  }
  yield* measureServers('three servers on PostgreSQL', servers, groupIds, given)
}

/** Measures the servers directly, and through nginx. */
async function* measureServers(
  name: string,
  servers: readonly Running[],
  groupIds: readonly string[],
  given: Run,
): AsyncIterable<Result> {
  const token = await signIn(servers[0]!)
  const ports = servers.map(({ port }) => port)
  await using stack = new AsyncDisposableStack()
  const opened: Nginx[] = []
  const throughNginx = async () => {
    if (opened.length === 0) opened.push(stack.use(await openNginx(given.checkout, ports)))
    return opened.map(({ port }) => port)
  }
  const sites: readonly Site[] = [
    { name, ports: async () => ports, token, groupIds },
    { name: `${name} behind nginx`, ports: throughNginx, token, groupIds },
  ]
  for (const row of sites.flatMap(rowsOf)) if (row.name.includes(given.only)) yield await resultOf(row, given)
}

function rowsOf(site: Site): readonly Row[] {
  return bursts.map((burst) => ({
    name: `${site.name}: ${burst.name}`,
    goal: 0,
    direction: 'at most',
    unit: 'refused',
    measure: () => send(site, burst),
  }))
}

async function send(site: Site, { kind, count, groups: some = 1 }: Asked): Promise<Figure> {
  const { token } = site
  const groupIds = site.groupIds.slice(0, some)
  const burst: Burst = { kind, count, ports: await site.ports(), token, groupIds, schema: largeSchema }
  const program = fileURLToPath(new URL('at-once-program.ts', import.meta.url))
  const { stdout } = await run(process.execPath, [program, JSON.stringify(burst)])
  const { seconds, refused }: BurstOutcome = JSON.parse(stdout)
  const reasons = Object.entries(refused).map(([reason, times]) => `; ${times} × ${reason}`)
  const sum = Object.values(refused).reduce((all, times) => all + times, 0)
  return { ...figureOf([sum]), remark: `${seconds.toFixed(2)} s${reasons.join('')}` }
}

/** Creates groups of the administrator, and items with categories of the organization. */
async function fill(folder: Folder, { checkout, maxRows }: Run): Promise<readonly string[]> {
  const count = Math.min(items, maxRows)
  console.log(`Filling a database with ${count.toLocaleString('en')} items …`)
  await using service = await openService(folder.environment, 'all', checkout)
  const token = await signIn(service)
  await post(service, '/portals/self/assignCategorySchema', { categorySchema: largeSchema, token })
  const begun = { items: 0 }
  const next = () => {
    const number = begun.items++
    const categories = `/Tree ${1 + (number % 4)}/Category ${1 + (number % 4)} ${number % 39}`
    const form = { title: `Rivers ${number}`, type: 'Web Map', tags: `water,tag${number % 50}`, categories, f: 'json' }
    const body = new URLSearchParams({ ...form, token }).toString()
    const head = 'POST /sharing/rest/content/users/admin/addItem HTTP/1.1\r\nHost: localhost'
    const type = 'Content-Type: application/x-www-form-urlencoded'
    return Buffer.from(`${head}\r\n${type}\r\nContent-Length: ${body.length}\r\n\r\n${body}`)
  }
  const isSuccess = (body: string) => body.includes('"success":true')
  await fire({ port: service.port, connections: 16, milliseconds: 0, atLeast: count, next, isSuccess })
  return await createGroups(service, token, groups)
}

function secretOf(folder: Folder): string {
  return readFileSync(join(folder.path, 'service.db.key'), 'utf8').trim()
}

/** Moves the content to PostgreSQL, as an operator would. */
function move(folder: Folder, to: Environment, checkout: string): void {
  console.log('Moving it to PostgreSQL …')
  const [from, url] = [folder.environment, to].map((environment) => environment['DATABASE_URL']!)
  const words = [programOf(checkout), 'migrate-data', '--from', from!, '--to', url!]
  execFileSync(process.execPath, words, { stdio: ['ignore', 'ignore', 'pipe'] })
}
