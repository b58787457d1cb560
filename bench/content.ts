/** Time that searches, writes and batches of writes of items take, by the number of items in the database. */
import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { totalmem } from 'node:os'
import { join } from 'node:path'
import { queryAt } from '../test/support/databases/postgres.ts'
import { fillContent, selectiveMatches, wideMatches, wordsOfKind } from './content-fill.ts'
import { ratioOf, type Site, send, type Write } from './content-site.ts'
import { governingRows } from './governing.ts'
import { fire, type Outcome } from './load.ts'
import { doctorRow, fillReplica, manyItemsRows } from './many-items.ts'
import { openPostgres, secretKey } from './postgres.ts'
import { figureOf, NotMeasured, type Result, type Row, type Run, resultOf } from './result.ts'
import {
  type Environment,
  Folder,
  openService,
  post,
  programOf,
  type Running,
  type Server,
  signIn,
  startService,
} from './servers.ts'
import { assign, largeSchema, read, smallSchema } from './work.ts'

const groups = 1_000
const groupsOfReader = 20
const password = 'correct horse battery staple'
const pageAndCounts = 'num=20&countFields=categories,tags,type&countSize=200'

/** On SQLite, then with the same items on PostgreSQL with a quarter of the memory for its pages; or on one engine only. */
export async function* measureContent(
  run: Run,
  { size, engine }: { readonly size: number; readonly engine: string | undefined },
): AsyncIterable<Result> {
  using folder = new Folder()
  const content = await fill(folder, Math.min(size, run.maxRows), run.checkout)
  if (engine !== 'postgres') {
    yield* measureSite(await openSite(content), run, (name) => `${name}, ${shorten(size)} items`)
  }
  if (engine === 'sqlite') return
  const quarter = `shared_buffers=${Math.floor(totalmem() / 4 / 1024 ** 2)}MB`
  await using postgres = await openPostgres('second', quarter)
  move(content, postgres.environment)
  const url = postgres.environment['DATABASE_URL']!
  await warm(url)
  // However few the items of a quick run are, its replica answers.
  const environment = {
    ...postgres.environment,
    ...content.environment,
    DATABASE_URL: url,
    SEARCH_REPLICA: folder.path,
  }
  const site = await openSite({ ...content, environment }, url)
  yield* measureSite(site, run, (name) => `PostgreSQL: ${name}, ${shorten(size)} items`)
}

/** Reads all pages into the memory of PostgreSQL. */
async function warm(url: string): Promise<void> {
  console.log('Reading all pages …')
  await queryAt(url, 'create extension pg_prewarm')
  await queryAt(
    url,
    `select pg_prewarm(oid) from pg_class where relkind in ('r', 'i', 't') and relnamespace <> 'pg_catalog'::regnamespace`,
  )
}

async function* measureSite(site: Site, run: Run, nameOf: (name: string) => string): AsyncIterable<Result> {
  await using _ = site
  if (site.url !== undefined) yield* fillReplica(site, run, nameOf)
  for (const row of rowsOf(site, run)) {
    const name = nameOf(row.name)
    if (name.includes(run.only))
      yield await resultOf({ ...row, name, measure: (given) => row.measure(given).catch(late) }, run)
  }
}

/** Reports a search that exceeded its deadline as not measured; the other rows are still measured. */
function late(error: unknown): never {
  if (!(error instanceof Error && error.message.startsWith('No success: HTTP/1.1 503'))) throw error
  throw new NotMeasured('The service answered 503: it took longer than a search may.')
}

/** Moves the content of one database to another, as an operator would. */
export function move({ environment: from, checkout }: Pick<Filled, 'environment' | 'checkout'>, to: Environment): void {
  console.log('Moving it to PostgreSQL …')
  const words = [programOf(checkout), 'migrate-data', '--from', from['DATABASE_URL']!, '--to', to['DATABASE_URL']!]
  execFileSync(process.execPath, words, { stdio: ['ignore', 'ignore', 'pipe'] })
}

function shorten(size: number): string {
  return size % 1_000_000 === 0 ? `${size / 1_000_000}M` : `${size / 1_000}k`
}

function rowsOf(site: Site, run: Run): readonly Row[] {
  const size = site.itemIds.length
  const within = { direction: 'at most', unit: 'ms' } as const
  const leaves = site.paths.filter((path) => path.lastIndexOf('/') > 0)
  const anyOf = (word: string, matches: number) => () => `q=${word}${drawn(wordsOfKind(size, matches))}`
  const goal = (sqlite: number, postgres: number) => ({ goal: site.url === undefined ? sqlite : postgres })
  const browse = () => `categories=${encodeURIComponent(leaves[drawn(leaves.length)]!)}`
  return [
    { ...within, name: 'browse a category', ...goal(6, 10), measure: searching(site, browse) },
    {
      ...within,
      name: 'selective search',
      ...goal(5, 8),
      measure: searching(site, anyOf('selective', selectiveMatches)),
    },
    {
      ...within,
      name: 'search, 20,000 matches',
      ...goal(10, 15),
      measure: searching(site, anyOf('wide', wideMatches)),
    },
    { ...within, name: 'search, commonest word', ...goal(60, 80), measure: searching(site, () => 'q=common') },
    {
      name: 'assigns beside the commonest word, of the same user',
      goal: 0.8,
      direction: 'at least',
      unit: '× alone',
      measure: assignsBesideSearches(site),
    },
    { ...within, name: 'schema read beside the commonest word, p99', goal: 20, measure: readsBesideSearches(site) },
    {
      name: 'add one item',
      ...goal(0.7, 0.5),
      direction: 'at least',
      unit: '× assign',
      measure: againstAssign(site, (at) => [
        '/content/users/admin/addItem',
        { ...describe(at), type: 'Web Map', categories: leaves[at % leaves.length]! },
      ]),
    },
    {
      name: 'update one item',
      goal: 0.5,
      direction: 'at least',
      unit: '× assign',
      measure: againstAssign(site, (at) => [
        `/content/users/admin/items/${site.itemIds[(at * 7_919) % size]}/update`,
        { ...describe(at), categories: leaves[at % leaves.length]! },
      ]),
    },
    { ...within, name: 'updateItems, 100 items', ...goal(20, 60), measure: updatingHundred(site, leaves) },
    ...manyItemsRows(site),
    ...governingRows(site),
    doctorRow(run, site.environment, site.url === undefined ? 60 : 120),
    // Last, because it changes the schema.
    {
      name: 'assign that drops 50 used categories',
      goal: 0.9,
      direction: 'at least',
      unit: '× without items',
      measure: droppingUsed(site),
    },
  ]
}

function describe(at: number): Readonly<Record<string, string>> {
  return {
    title: `Rivers and lakes ${at}`,
    tags: `water,tag${at % 100}`,
    snippet: `What is known of the rivers and lakes, number ${at}`,
    description: `Drawn from surveys of several years, w${at} w${at + 1} w${at + 2}, and kept for readers who want to know more`,
  }
}

function drawn(max: number): number {
  return Math.floor(Math.random() * max)
}

/** Median time of a search, in milliseconds; searches run one after the other. */
function searching(site: Site, query: () => string): Row['measure'] {
  return async (run) => {
    const round = (milliseconds: number) => search(site, query, milliseconds)
    await round(run.warmMilliseconds)
    const times: number[] = []
    for (let number = 0; number < run.rounds; number += 1) times.push((await round(run.milliseconds)).p50)
    return { ...figureOf(times), remark: `${await countFound(site, query())} found` }
  }
}

function search(
  { port, readerToken }: Site,
  query: () => string,
  milliseconds: number,
  token = readerToken,
): Promise<Outcome> {
  const next = () =>
    Buffer.from(
      `GET /sharing/rest/search?f=json&${pageAndCounts}&token=${token}&${query()} HTTP/1.1\r\nHost: localhost\r\n\r\n`,
    )
  return fire({ port, connections: 1, milliseconds, next, isSuccess: (body) => body.includes('"aggregations"') })
}

async function countFound(site: Site, query: string): Promise<string> {
  const { total } = await post(site, `/search?${query}`, { token: site.readerToken })
  return total.toLocaleString('en')
}

const beside = { connections: 32, order: 'sequential' } as const

function assignsBesideSearches(site: Site): Row['measure'] {
  return async (run) => {
    const round = { ...beside, milliseconds: run.milliseconds }
    const pairs: { readonly alone: number; readonly together: number }[] = []
    for (let number = 0; number < run.rounds; number += 1) {
      const alone = await assign(site, smallSchema, round)
      const [together] = await Promise.all([
        assign(site, smallSchema, round),
        search(site, () => 'q=common', run.milliseconds, site.token),
      ])
      pairs.push({ alone: alone.perSecond, together: together.perSecond })
    }
    return ratioOf(pairs.map(({ together, alone }) => [together, alone]))
  }
}

function readsBesideSearches(site: Site): Row['measure'] {
  return async (run) => {
    const round = { connections: 1, order: 'sequential', milliseconds: run.milliseconds } as const
    await assign(site, smallSchema, { ...round, connections: 32 })
    const times: number[] = []
    for (let number = 0; number < run.rounds; number += 1) {
      const [reads] = await Promise.all([read(site, round), search(site, () => 'q=common', run.milliseconds)])
      times.push(reads.p99)
    }
    return figureOf(times)
  }
}

/** Writes per second, divided by those of a schema of 14 categories in the same round. */
function againstAssign(site: Site, write: Write): Row['measure'] {
  return async (run) => {
    const round = { ...beside, milliseconds: run.milliseconds }
    const writeOften = (milliseconds: number) => send(site, write, beside.connections, milliseconds)
    await assign(site, smallSchema, { ...round, milliseconds: run.warmMilliseconds })
    await writeOften(run.warmMilliseconds)
    const pairs: (readonly [number, number])[] = []
    for (let number = 0; number < run.rounds; number += 1) {
      const { perSecond } = await assign(site, smallSchema, round)
      pairs.push([(await writeOften(run.milliseconds)).perSecond, perSecond])
    }
    return ratioOf(pairs)
  }
}

function updatingHundred(site: Site, leaves: readonly string[]): Row['measure'] {
  const write: Write = (at) => {
    const items = Array.from({ length: 100 }, (_, place) => ({
      [site.itemIds[(at * 100 + place) % site.itemIds.length]!]: [leaves[(at + place) % leaves.length]],
    }))
    return ['/content/updateItems', { items: JSON.stringify(items) }]
  }
  return async (run) => {
    await send(site, write, 1, run.warmMilliseconds)
    const times: number[] = []
    for (let number = 0; number < run.rounds; number += 1) {
      times.push((await send(site, write, 1, run.milliseconds)).p50)
    }
    return figureOf(times)
  }
}

/** Number of categories that the smaller schema lacks. */
const dropped = 50

/** Rate of such assigns to the organization where it has items, divided by the rate where it has none. */
function droppingUsed(site: Site): Row['measure'] {
  return async (run) => {
    await using empty = await startService(1, await emptyDatabase(site), run.checkout)
    const round = (target: Running & Pick<Server, 'token'>) => assignInTurn(target, run.milliseconds)
    const pairs: (readonly [number, number])[] = []
    for (const target of [empty, site]) await assignInTurn(target, run.warmMilliseconds)
    for (let number = 0; number < run.rounds; number += 1) pairs.push([await round(site), await round(empty)])
    return ratioOf(pairs)
  }
}

/** Assigns per second, alternately of the whole schema and of one that drops categories. */
async function assignInTurn(target: Running & Pick<Server, 'token'>, milliseconds: number): Promise<number> {
  const whole: Schema = JSON.parse(largeSchema)
  const [first, ...others] = whole.categorySchema
  const rest = others.map((tree, at) => (at < 2 ? { ...tree, categories: tree.categories.slice(dropped / 2) } : tree))
  const schemas = [JSON.stringify({ categorySchema: [first, ...rest] }), largeSchema]
  const path = '/portals/self/assignCategorySchema'
  // An even number, so that all categories are present at the end.
  let count = 0
  const begun = performance.now()
  while (count % 2 === 1 || performance.now() - begun < milliseconds) {
    await post(target, path, { categorySchema: schemas[count % 2]!, token: target.token })
    count += 1
  }
  return (count * 1_000) / (performance.now() - begun)
}

async function emptyDatabase({ url }: Site): Promise<Environment> {
  if (url === undefined) return {}
  const database = `empty_${Date.now()}`
  await queryAt(url, `create database ${database}`)
  return { DATABASE_URL: Object.assign(new URL(url), { pathname: `/${database}` }).href, SECRET_KEY: secretKey }
}

interface Filled extends Awaited<ReturnType<typeof prepare>> {
  readonly environment: Environment
  readonly checkout: string
  readonly itemIds: readonly string[]
}

/** Fills a SQLite database with this many items. */
export async function fill(folder: Folder, size: number, checkout: string): Promise<Filled> {
  const file = join(folder.path, 'service.db')
  const environment: Environment = {
    ...folder.environment,
    LIMIT_GROUPS_OWNED: '20000',
    LIMIT_MEMBERSHIPS: '20000',
    LIMIT_ITEMS_OWNED: '10000000',
    LIMIT_ITEMS_PER_ORGANIZATION: '10000000',
  }
  const prepared = await prepare(environment, checkout)
  console.log(`Filling a database with ${size.toLocaleString('en')} items …`)
  const itemIds = fillContent(file, { ...prepared, size })
  return {
    ...prepared,
    itemIds,
    checkout,
    environment: { ...environment, SECRET_KEY: readFileSync(`${file}.key`, 'utf8').trim() },
  }
}

async function openSite({ environment, checkout, ...content }: Filled, url?: string): Promise<Site> {
  const service = await openService(environment, 'first', checkout)
  const { token: readerToken } = await post(service, '/generateToken', {
    username: 'reader',
    password,
    expiration: '300',
  })
  return { ...content, ...service, environment, token: await signIn(service), readerToken, url }
}

/** Creates the groups, the reader and the categories by requests. */
async function prepare(environment: Environment, checkout: string) {
  await using service = await startService(groups, environment, checkout)
  const { token, groupIds } = service
  const role = 'iBBBBBBBBBBBBBBB'
  await post(service, '/portaladmin/security/users/createUser', { username: 'reader', password, role, token })
  for (const id of groupIds.slice(0, groupsOfReader)) {
    await post(service, `/community/groups/${id}/addUsers`, { users: 'reader', token })
  }
  await post(service, '/portals/self/assignCategorySchema', { categorySchema: largeSchema, token })
  const { id: userId, username, orgId } = await post(service, '/community/self', { token })
  const { categorySchema }: Schema = JSON.parse(largeSchema)
  const paths = categorySchema.flatMap(({ title, categories }) => [
    `/${title}`,
    ...categories.map((category) => `/${title}/${category.title}`),
  ])
  return { groupIds, paths, portalId: orgId as string, owner: { userId, username } }
}

interface Schema {
  readonly categorySchema: readonly { readonly title: string; readonly categories: readonly { title: string }[] }[]
}
