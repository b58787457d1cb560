/**
 * Content by category beside a headless CMS: the same items, a filter by category, a page of 20 with the total, and how many
 * items each category and each type has. Both on SQLite, asked by an administrator, one browse after the other.
 */
import { join } from 'node:path'
import { fill, openSite } from './content.ts'
import type { Site } from './content-site.ts'
import { openPeer } from './peers.ts'
import { medianOf, type Run } from './result.ts'
import { Folder, type Running } from './servers.ts'

/** What a browse answers. */
interface Browsed {
  readonly total: number
  /** Items by the path of a category that they carry, of those without categories below them. */
  readonly byCategory: Readonly<Record<string, number>>
  readonly byType: Readonly<Record<string, number>>
}

interface Contestant {
  readonly name: string
  /** How it is asked. */
  readonly way: string
  browse(path: string): Promise<Browsed>
}

/** Milliseconds of a browse on one server. */
export interface ContentPeer {
  readonly name: string
  readonly way: string
  readonly category: 'without others below it' | 'with all below it'
  readonly items: number
  readonly found: number
  readonly p50: number
  readonly p99: number
}

export async function measurePeersContent(run: Run, size: number): Promise<readonly ContentPeer[]> {
  using folder = new Folder()
  const content = await fill(folder, size)
  await using site = await openSite(content)
  console.log('Starting Directus with the same items …')
  await using directus = await openPeer<Directus>('directus', 'content.mjs', join(folder.path, 'service.db'))
  const contestants = [cartularyOf(site), await directusOf(directus)]
  const leaves = site.paths.filter((path) => path.lastIndexOf('/') > 0)
  const trees = site.paths.filter((path) => path.lastIndexOf('/') === 0)
  const peers: ContentPeer[] = []
  for (const [category, paths] of [
    ['without others below it', leaves],
    ['with all below it', trees],
  ] as const) {
    for (const path of paths.slice(0, 3)) await requireEqual(contestants, path)
    const found = (await contestants[0]!.browse(paths[0]!)).total
    const times = await alternate(run, contestants, paths)
    for (const [at, { name, way }] of contestants.entries()) {
      const peer: ContentPeer = { name, way, category, items: size, found, ...times[at]! }
      peers.push(peer)
      const [p50, p99] = [peer.p50, peer.p99].map((milliseconds) => milliseconds.toFixed(1))
      console.log(`${name}, a category ${category} (${found} of ${size} items): ${p50} ms, p99 ${p99} ms`)
    }
  }
  for (const { name, way } of contestants) console.log(`${name}: ${way}.`)
  return peers
}

/** Rounds of all in turn. */
async function alternate(run: Run, contestants: readonly Contestant[], paths: readonly string[]) {
  for (const contestant of contestants) await browseFor(run.warmMilliseconds, contestant, paths)
  const rounds: (readonly { readonly p50: number; readonly p99: number }[])[] = []
  for (let number = 0; number < run.rounds; number += 1) {
    const round = []
    for (const contestant of contestants) round.push(await browseFor(run.milliseconds, contestant, paths))
    rounds.push(round)
  }
  return contestants.map((_, at) => ({
    p50: medianOf(rounds.map((round) => round[at]!.p50)),
    p99: medianOf(rounds.map((round) => round[at]!.p99)),
  }))
}

async function browseFor(milliseconds: number, { browse }: Contestant, paths: readonly string[]) {
  const times: number[] = []
  for (const end = performance.now() + milliseconds; times.length === 0 || performance.now() < end; ) {
    const begun = performance.now()
    await browse(paths[(times.length * 7) % paths.length]!)
    times.push(performance.now() - begun)
  }
  times.sort((one, other) => one - other)
  return { p50: times[Math.floor(times.length / 2)]!, p99: times[Math.floor(times.length * 0.99)]! }
}

/** The figures compare only what answers the same. */
async function requireEqual(contestants: readonly Contestant[], path: string): Promise<void> {
  const [first, ...others] = await Promise.all(contestants.map(({ browse }) => browse(path)))
  for (const [at, other] of others.entries()) {
    if (asText(first!) === asText(other)) continue
    throw new Error(`${contestants[at + 1]!.name} finds something else below ${path}: ${asText(other)}`)
  }
}

function asText({ total, byCategory, byType }: Browsed): string {
  const sorted = (counts: Browsed['byType']) => Object.entries(counts).sort(([one], [other]) => (one < other ? -1 : 1))
  return JSON.stringify([total, sorted(byCategory), sorted(byType)])
}

interface Counts {
  readonly fieldValues: readonly { readonly value: string; readonly count: number }[]
}

function cartularyOf({ port, token }: Site): Contestant {
  const asked = 'f=json&num=20&countFields=categories,type&countSize=200'
  return {
    name: 'Cartulary',
    way: 'one request; counts of categories with all below them',
    async browse(path) {
      const query = `${asked}&categories=${encodeURIComponent(path)}&token=${token}`
      const { total, results, aggregations } = await ask(`http://127.0.0.1:${port}/sharing/rest/search?${query}`)
      if (results.length !== Math.min(20, total)) throw new Error('A page is not whole.')
      const [categories, types] = aggregations.counts.map(({ fieldValues }: Counts) =>
        fieldValues.map(({ value, count }): [string, number] => [value, count]),
      )
      // The other side counts each category for itself.
      const leaves = categories.filter(([value]: [string, number]) => value.lastIndexOf('/') > 0)
      return { total, byCategory: Object.fromEntries(leaves), byType: Object.fromEntries(types) }
    },
  }
}

interface Directus extends Running {
  readonly token: string
}

async function directusOf({ port, token }: Directus): Promise<Contestant> {
  const headers = { authorization: `Bearer ${token}` }
  const read = (collection: string, query: Readonly<Record<string, string>>) =>
    ask(`http://127.0.0.1:${port}/items/${collection}?${new URLSearchParams(query)}`, headers)
  const { data } = await read('categories', { limit: '-1' })
  const paths = new Map<number, string>(
    data.map(({ id, path }: { readonly id: number; readonly path: string }) => [id, path]),
  )
  const fields = 'id,title,type,tags,snippet,description,modified,categories.categories_id.path'
  return {
    name: 'Directus 12',
    way: 'three requests at once: a page with its total, and an aggregate for each of the two counts; every column that is filtered, sorted or grouped by has an index; categories by their numbers, those below one listed by the client',
    async browse(path) {
      const ids = [...paths].filter(([, one]) => one === path || one.startsWith(`${path}/`)).map(([id]) => id)
      const carries = { categories: { categories_id: { _in: ids } } }
      const filter = JSON.stringify(carries)
      const [page, types, categories] = await Promise.all([
        read('contents', { filter, fields, limit: '20', sort: '-modified', meta: 'filter_count' }),
        read('contents', { filter, 'aggregate[countDistinct]': 'id', 'groupBy[]': 'type', limit: '-1' }),
        read('contents_categories', {
          filter: JSON.stringify({ contents_id: carries }),
          'aggregate[countDistinct]': 'contents_id',
          'groupBy[]': 'categories_id',
          limit: '-1',
        }),
      ])
      const total: number = page.meta.filter_count
      if (page.data.length !== Math.min(20, total)) throw new Error('A page is not whole.')
      const byType = types.data.map(({ type, countDistinct }: Grouped) => [type, Number(countDistinct.id)])
      const byCategory = categories.data.map(({ categories_id, countDistinct }: Grouped) => [
        paths.get(categories_id),
        Number(countDistinct.contents_id),
      ])
      return { total, byCategory: Object.fromEntries(byCategory), byType: Object.fromEntries(byType) }
    },
  }
}

interface Grouped {
  readonly type: string
  readonly categories_id: number
  readonly countDistinct: { readonly id: number; readonly contents_id: number }
}

// biome-ignore lint/suspicious/noExplicitAny: answers of several servers
async function ask(url: string, headers: Readonly<Record<string, string>> = {}): Promise<any> {
  // biome-ignore lint/suspicious/noExplicitAny: the same
  const answer = (await (await fetch(url, { headers })).json()) as any
  if (answer.error || answer.errors) throw new Error(`${url}: ${JSON.stringify(answer).slice(0, 500)}`)
  return answer
}
