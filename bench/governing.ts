/** Time of plans, moves, version lists and imports where many items carry categories. */
import type { Category, CategorySchema } from '../src/categories/schema.ts'
import { mediansOf, ratioOf, type Site, send, type Write } from './content-site.ts'
import { fire, type Outcome } from './load.ts'
import { type Figure, figureOf, type Row, type Run } from './result.ts'
import { largeSkos } from './schema-files.ts'
import { post } from './servers.ts'
import { largeSchema } from './work.ts'

const { categorySchema } = JSON.parse(largeSchema) as CategorySchema
const [first, ...others] = categorySchema as readonly [Category, ...Category[]]
const renamed = { ...first, title: `${first.title} renamed` }
const schemaOf = (...trees: readonly Category[]) => JSON.stringify({ categorySchema: trees })
const moveOf = (from: Category, to: Category) => JSON.stringify([{ from: `/${from.title}`, to: `/${to.title}` }])

/** Rows for the organization whose items these are. */
export function governingRows(site: Site): readonly Row[] {
  const within = { direction: 'at most', unit: 'ms' } as const
  return [
    { ...within, name: 'schema: plan with impact', goal: site.url === undefined ? 20 : 30, measure: planning(site) },
    {
      direction: 'at most',
      unit: '× assign',
      name: 'schema: assign with a move',
      goal: site.url === undefined ? 1.5 : 1.8,
      measure: moving(site),
    },
    { ...within, name: 'schema: list of 100 versions', goal: 5, measure: listingVersions(site) },
    {
      direction: 'at most',
      unit: '× alone',
      name: 'schema: p99 of reads beside imports of 1 MiB',
      goal: 2,
      measure: readsBesideImports(site),
    },
  ]
}

/** Plans that rename a tree, with all items below it, and remove two categories of another tree. */
function planning(site: Site): Row['measure'] {
  const [next = first, ...rest] = others
  const shorter = { ...next, categories: next.categories!.slice(2) }
  const form = { categorySchema: schemaOf(renamed, shorter, ...rest), moves: moveOf(first, renamed) }
  const plan: Write = () => ['/portals/self/categorySchema/plan', form]
  return async (run) => {
    const { impact } = await post(site, '/portals/self/categorySchema/plan', { ...form, token: site.token })
    // Null if counting them would take too long.
    const count = (items: number | null) => items?.toLocaleString('en') ?? 'many'
    const remark = `${count(impact.moved)} items move, ${count(impact.vanishing)} vanish`
    return { ...(await timesOf(run, (milliseconds) => send(site, plan, 1, milliseconds))), remark }
  }
}

/** Ratio of assigns that rename a tree back and forth to plain ones: medians of single requests. */
function moving(site: Site): Row['measure'] {
  let isRenamed = false
  const turn: Write = () => {
    const [from, to] = isRenamed ? [renamed, first] : [first, renamed]
    isRenamed = !isRenamed
    return ['/portals/self/assignCategorySchema', { categorySchema: schemaOf(to, ...others), moves: moveOf(from, to) }]
  }
  const plain: Write = () => {
    return ['/portals/self/assignCategorySchema', { categorySchema: schemaOf(isRenamed ? renamed : first, ...others) }]
  }
  return async (run) => {
    for (const write of [turn, plain]) await send(site, write, 1, run.warmMilliseconds)
    const pairs: (readonly [number, number])[] = []
    for (let round = 0; round < run.rounds; round += 1) {
      const before = await versionOf(site)
      const moves = await send(site, turn, 1, run.milliseconds)
      // The load checks only the length of most answers, so refused moves are found by the version.
      if ((await versionOf(site)) !== before + moves.requests) throw new Error('Some of the moves were refused.')
      pairs.push([moves.p50, (await send(site, plain, 1, run.milliseconds)).p50])
    }
    if (isRenamed) {
      const [path, form] = turn(0)
      await post(site, path, { ...form, token: site.token })
    }
    const [moved, plainly] = mediansOf(pairs)
    return { ...ratioOf(pairs), remark: `${moved.toFixed(2)} ms, plain ${plainly.toFixed(2)} ms` }
  }
}

async function versionOf(site: Site): Promise<number> {
  const answer = await post(site, '/portals/self/categorySchema', { withVersion: 'true', token: site.token })
  return Number(answer['version'])
}

function listingVersions(site: Site): Row['measure'] {
  return async (run) => {
    for (let version = 0; version < 100; version += 1) {
      const form = { categorySchema: schemaOf(first, ...others), comment: `Change ${version}`, token: site.token }
      await post(site, '/portals/self/assignCategorySchema', form)
    }
    return timesOf(run, (milliseconds) => read(site, '/portals/self/categorySchema/versions?num=100&', milliseconds))
  }
}

/** Rate of schema reads while files are imported continuously as dry runs, divided by the rate of reads alone. */
function readsBesideImports(site: Site): Row['measure'] {
  return async (run) => {
    const round = () => read(site, '/portals/self/categorySchema?', run.milliseconds)
    await round()
    const pairs: (readonly [number, number])[] = []
    let imports = 0
    for (let number = 0; number < run.rounds; number += 1) {
      const before = await round()
      let isOver = false
      const importing = (async () => {
        for (; !isOver; imports += 1) await importSkos(site)
      })()
      pairs.push([(await round()).p99, before.p99])
      isOver = true
      await importing
    }
    const [beside, alone] = mediansOf(pairs)
    return {
      ...ratioOf(pairs),
      remark: `${beside.toFixed(2)} ms beside ${imports} imports, ${alone.toFixed(2)} ms alone`,
    }
  }
}

async function importSkos({ port, token }: Site): Promise<void> {
  const form = new FormData()
  // A file with its parameters may have 1 MiB.
  const file = largeSkos.slice(0, largeSkos.lastIndexOf('\n', largeSkos.length - 2_000) + 1)
  for (const [name, value] of Object.entries({ f: 'json', token, language: 'en' })) form.set(name, value)
  form.set('file', new Blob([file]), 'terms.ttl')
  const url = `http://127.0.0.1:${port}/sharing/rest/portals/self/categorySchema/import`
  const answer = await (await fetch(url, { method: 'POST', body: form })).text()
  // On a busy machine an import may time out; that is load beside the reads all the same.
  if (answer.includes('"error"') && !answer.includes('more than 5 seconds')) throw new Error(answer.slice(0, 500))
}

function read({ port, token }: Site, path: string, milliseconds: number): Promise<Outcome> {
  const request = Buffer.from(`GET /sharing/rest${path}f=json&token=${token} HTTP/1.1\r\nHost: localhost\r\n\r\n`)
  return fire({
    port,
    connections: 1,
    milliseconds,
    next: () => request,
    isSuccess: (body) => !body.includes('"error"'),
  })
}

/** Medians of requests that are sent one after the other. */
async function timesOf(run: Run, round: (milliseconds: number) => Promise<Outcome>): Promise<Figure> {
  await round(run.warmMilliseconds)
  const times: number[] = []
  for (let number = 0; number < run.rounds; number += 1) times.push((await round(run.milliseconds)).p50)
  return figureOf(times)
}
