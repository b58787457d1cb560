/**
 * Search replicas of three servers under a steady stream of changes of items: each change is searched for on another server as soon as
 * it is acknowledged, and now and then all stand still while counts are compared with those of PostgreSQL.
 */
import { setTimeout as delay } from 'node:timers/promises'
import { queryAt } from '../test/support/databases/postgres.ts'
import { seededRandom } from '../test/support/inputs/seeded-random.ts'
import { fill, move } from './content.ts'
import { openPostgres } from './postgres.ts'
import { type Sample, sampleOf, untilReady } from './replica-figures.ts'
import { type Figure, figureOf, medianOf, type Part, type Result, type Run, resultsOf } from './result.ts'
import { Folder, openService, post, type Running, signIn } from './servers.ts'

const servers = 3
const changesPerSecond = 50
/** Changes under way at most: a machine that is too slow for the rate is not flooded. */
const maxUnderWay = 16
/** Milliseconds between two samples of figures, and between two comparisons of counts. */
const sampleInterval = 60_000

interface ReplicaOptions {
  readonly minutes: number
  readonly items: number
}

interface Seen {
  readonly wrong: readonly string[]
  readonly failed: ReadonlyMap<string, number>
  readonly changes: number
  readonly comparisons: number
  readonly seconds: number
  /** Samples of each server, in chronological order. */
  readonly samples: readonly (readonly Sample[])[]
}

export function measureReplicas(run: Run, options: ReplicaOptions): AsyncIterable<Result> {
  const within = { direction: 'at most' } as const
  const parts: readonly Part<Seen>[] = [
    {
      ...within,
      name: 'replicas: wrong answers',
      goal: 0,
      unit: 'answers',
      figure: ({ wrong, changes, comparisons }) => ({
        ...figureOf([wrong.length]),
        remark: `${changes.toLocaleString('en')} changes, each searched for at once on another server; ${comparisons} comparisons of counts${wrong
          .map((one) => `; ${one}`)
          .slice(0, 5)
          .join('')}`,
      }),
    },
    {
      ...within,
      name: 'replicas: requests that failed',
      goal: 0,
      unit: 'requests',
      figure: ({ failed }) => ({
        ...figureOf([[...failed.values()].reduce((sum, count) => sum + count, 0)]),
        remark: [...failed].map(([reason, count]) => `${reason}: ${count}`).join('; '),
      }),
    },
    {
      name: 'replicas: changes a second',
      goal: 0.95 * changesPerSecond,
      direction: 'at least',
      unit: 'a second',
      figure: ({ changes, seconds }) => figureOf([changes / seconds]),
    },
    {
      ...within,
      name: 'replicas: catching up a search',
      goal: 5,
      unit: 'ms',
      figure: (seen) => perFollow(seen, 'followMilliseconds', ({ follows }) => follows),
    },
    {
      ...within,
      name: 'replicas: processor time of following',
      goal: 5,
      unit: '% of a core, each server',
      figure: (seen) => perFollow(seen, 'followProcessorMilliseconds', () => seen.seconds * 10),
    },
    {
      ...within,
      name: 'replicas: bytes of the file after, of before',
      goal: 1.3,
      unit: '×',
      figure: ({ samples }) => growth(samples, ({ bytes }) => bytes),
    },
    {
      ...within,
      name: 'replicas: memory of a server after, of before',
      goal: 1.15,
      unit: '×',
      figure: ({ samples }) => growth(samples, ({ resident }) => resident),
    },
    {
      ...within,
      name: 'replicas: fills of a server',
      goal: 1,
      unit: 'fills',
      figure: ({ samples }) => figureOf(samples.map((own) => own.at(-1)!.fills)),
    },
  ]
  return resultsOf(parts, run, () => measure(run, options))
}

/** Increase of a figure over the whole time, divided, on each server. */
function perFollow({ samples }: Seen, figure: keyof Sample, divisor: (increase: Sample) => number): Figure {
  return figureOf(
    samples.map((own) => {
      const [first, last] = [own[0]!, own.at(-1)!]
      return (last[figure] - first[figure]) / divisor({ ...last, follows: last.follows - first.follows })
    }),
  )
}

/** The last quarter of the samples beside the first one, on each server. */
function growth(samples: Seen['samples'], figure: (sample: Sample) => number): Figure {
  const megabytes = (bytes: number) => `${Math.round(bytes / 1e6)} MB`
  const pairs = samples.map((own) => {
    const quarter = Math.ceil(own.length / 4)
    return [medianOf(own.slice(0, quarter).map(figure)), medianOf(own.slice(-quarter).map(figure))] as const
  })
  const remark = pairs.map(([before, after]) => `${megabytes(before)} → ${megabytes(after)}`).join(', ')
  return { ...figureOf(pairs.map(([before, after]) => after / before)), remark }
}

async function measure(run: Run, { minutes, items }: ReplicaOptions): Promise<Seen> {
  await using stack = new AsyncDisposableStack()
  const folder = stack.use(new Folder())
  const content = await fill(folder, Math.min(items, run.maxRows), run.checkout)
  const postgres = stack.use(await openPostgres('all', 'shared_buffers=512MB'))
  move(content, postgres.environment)
  const url = postgres.environment['DATABASE_URL']!
  const environment = { ...content.environment, DATABASE_URL: url, SEARCH_REPLICA: folder.path }
  const opened: Running[] = []
  while (opened.length < servers) opened.push(stack.use(await openService(environment, 'all', run.checkout)))
  const token = await signIn(opened[0]!)
  console.log('Filling the replicas …')
  for (const server of opened) await untilReady(server, token)

  const world = new World(opened, url, token, content)
  const samples: Sample[][] = opened.map(() => [])
  const sample = async () => {
    for (const [at, server] of opened.entries()) samples[at]!.push(await sampleOf(server))
  }
  await sample()
  const begun = performance.now()
  const end = begun + minutes * 60_000
  let paused = 0
  for (let next = begun; next < end; ) {
    const until = Math.min(end, next + sampleInterval)
    await world.change(until)
    const stopped = performance.now()
    await world.compare()
    await sample()
    paused += performance.now() - stopped
    next = performance.now()
    const last = samples.map((own) => own.at(-1)!)
    console.log(
      `${Math.round((next - begun) / 60_000)} min: ${world.changes} changes, ${world.wrong.length} wrong, failed ${JSON.stringify([...world.failed])}, ${JSON.stringify(last)}`,
    )
  }
  const { changes, comparisons, wrong, failed } = world
  return { changes, comparisons, wrong, failed, samples, seconds: (performance.now() - begun - paused) / 1_000 }
}

/** Items and what is known of them. */
class World {
  readonly wrong: string[] = []
  readonly failed = new Map<string, number>()
  changes = 0
  comparisons = 0
  readonly #servers: readonly Running[]
  readonly #url: string
  readonly #token: string
  readonly #leaves: readonly string[]
  readonly #groupIds: readonly string[]
  readonly #random = seededRandom(52)
  /** Items that no change is under way of, each with its last mark. */
  readonly #free: { id: string; mark: string | undefined; isAdded: boolean }[]

  constructor(
    opened: readonly Running[],
    url: string,
    token: string,
    { itemIds, paths, groupIds }: Awaited<ReturnType<typeof fill>>,
  ) {
    this.#servers = opened
    this.#url = url
    this.#token = token
    this.#groupIds = groupIds
    this.#leaves = paths.filter((path) => path.lastIndexOf('/') > 0)
    this.#free = itemIds.map((id) => ({ id, mark: undefined, isAdded: false }))
  }

  /** Makes changes at the rate, until that time. */
  async change(until: number): Promise<void> {
    const under = new Set<Promise<void>>()
    const begun = performance.now()
    for (let made = 0; performance.now() < until; made += 1) {
      const one = this.#changeOne().finally(() => under.delete(one))
      under.add(one)
      if (under.size >= maxUnderWay) await Promise.race(under)
      await delay(Math.max(0, begun + (made * 1_000) / changesPerSecond - performance.now()))
    }
    await Promise.all(under)
  }

  #below(max: number): number {
    return Math.floor(this.#random() * max)
  }

  async #changeOne(): Promise<void> {
    const at = this.#below(this.#free.length)
    const item = this.#free[at]!
    this.#free[at] = this.#free.at(-1)!
    this.#free.pop()
    const writer = this.#below(servers)
    const [server, other] = [this.#servers[writer]!, this.#servers[(writer + 1 + this.#below(servers - 1)) % servers]!]
    const [token, former, mark] = [this.#token, item.mark, `mark${this.changes}x${this.#below(1e9)}`]
    const category = this.#leaves[this.#below(this.#leaves.length)]!
    this.changes += 1
    const of = `/content/users/admin/items/${item.id}`
    try {
      const kind = this.#below(20)
      let expected: readonly string[] = [item.id]
      if (kind < 2) {
        const form = { title: 'Added', type: 'Web Map', snippet: mark, categories: category, token }
        const { id } = await post(server, '/content/users/admin/addItem', form)
        this.#free.push({ id, mark, isAdded: true })
        expected = former === undefined ? [id] : [id, item.id]
      } else if (kind < 4 && item.isAdded) {
        await post(server, `${of}/delete`, { token })
        item.mark = undefined
        expected = []
      } else if (kind === 4) {
        const groups = this.#groupIds[this.#below(this.#groupIds.length)]!
        await post(server, `${of}/share`, { groups, everyone: String(this.#below(2) === 0), org: 'true', token })
        await post(server, `${of}/update`, { snippet: mark, token })
        item.mark = mark
      } else {
        await post(server, `${of}/update`, { title: `Item ${mark}`, snippet: mark, categories: category, token })
        item.mark = mark
      }
      const words = [mark, former].filter((word) => word !== undefined)
      const { results } = await post(other, '/search', {
        q: words.map((word) => `snippet:${word}`).join(' OR '),
        token,
      })
      const found = (results as { id: string }[]).map(({ id }) => id).sort()
      if (found.join() !== expected.toSorted().join())
        this.wrong.push(`kind ${kind}: ${found.join()} in place of ${expected.join()}`)
      // A deleted item is gone.
      if (expected.length > 0) this.#free.push(item)
    } catch (error) {
      this.#fail(error)
    }
  }

  #fail(error: unknown): void {
    const reason = String(error).replace(/[0-9a-f]{32}/g, '…')
    this.failed.set(reason, (this.failed.get(reason) ?? 0) + 1)
  }

  /** Compares counts of all servers with those of PostgreSQL, while nothing changes. */
  async compare(): Promise<void> {
    const rows = await queryAt<{ value: string; count: string }>(
      this.#url,
      `with recursive below (id, value) as (
        select id, path from category_paths where state <> 'cleared'
        union all select path.id, below.value from below join category_paths as path on path.parent_id = below.id)
      select value, count(distinct item_number) as count from below
        join item_categories on category_id = below.id group by value
      union all select access, count(*) from items group by access
      union all select 'total', count(*) from items`,
    )
    const expected = new Map(rows.map(({ value, count }) => [value, Number(count)]))
    const form = { countFields: 'categories,access', countSize: '200', num: '1', q: '*', token: this.#token }
    for (const server of this.#servers) {
      const answer = await post(server, '/search', form).catch((error: unknown) => this.#fail(error))
      if (answer === undefined) continue
      const { total, aggregations } = answer
      const counted = (aggregations.counts as { fieldValues: { value: string; count: number }[] }[]).flatMap(
        ({ fieldValues }) => fieldValues,
      )
      this.comparisons += 1
      for (const { value, count } of [...counted, { value: 'total', count: total as number }]) {
        if (expected.get(value) === count) continue
        this.wrong.push(`${value}: ${count} in place of ${expected.get(value)}`)
      }
    }
  }
}
