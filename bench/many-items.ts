/** Time of work over many items: coverage, completeness, tables, the doctor, and the fill of a search replica. */
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Site } from './content-site.ts'
import { ownBytes } from './processes.ts'
import { sampleOf, untilReady } from './replica-figures.ts'
import { type Figure, figureOf, type Part, type Result, type Row, type Run, resultsOf } from './result.ts'
import { type Environment, programOf } from './servers.ts'

/** Rows of a table: as many as one may have. */
const maxRows = 20_000

/** Fills the replica of a server on PostgreSQL: what follows is answered by it. */
export async function* fillReplica(site: Site, run: Run, nameOf: (name: string) => string): AsyncIterable<Result> {
  const within = { direction: 'at most' } as const
  const parts: readonly Part<Filled>[] = [
    { ...within, name: 'first fill of the replica', goal: 60, unit: 's', figure: ({ seconds }) => figureOf([seconds]) },
    { ...within, name: 'file of the replica', goal: 600, unit: 'MB', figure: ({ bytes }) => figureOf([bytes / 1e6]) },
    {
      ...within,
      name: 'memory of the server with its replica',
      goal: 500,
      unit: 'MB',
      figure: ({ own, before }) => ({
        ...figureOf([own / 1e6]),
        remark: `${Math.round(before / 1e6)} before`,
      }),
    },
  ]
  const named = parts.map((part) => ({ ...part, name: nameOf(part.name) }))
  // Filled whatever is selected.
  const filled = await fill(site)
  yield* resultsOf(named, run, async () => filled)
}

interface Filled {
  readonly seconds: number
  readonly bytes: number
  /** Bytes that are in no file, after it and before. */
  readonly own: number
  readonly before: number
}

async function fill(site: Site): Promise<Filled> {
  const before = ownBytes(site) ?? 0
  const begun = performance.now()
  await untilReady(site, site.token)
  const seconds = (performance.now() - begun) / 1_000
  const { bytes } = await sampleOf(site)
  return { bytes, own: ownBytes(site) ?? 0, seconds, before }
}

/** Rows for the organization whose items these are. */
export function manyItemsRows(site: Site): readonly Row[] {
  const within = { direction: 'at most', unit: 'ms' } as const
  const goal = (sqlite: number, postgres: number) => ({ goal: site.url === undefined ? sqlite : postgres })
  const asked = (path: string, form: Readonly<Record<string, string>> = {}) =>
    timed(async () => {
      const body = new URLSearchParams({ ...form, f: 'json', token: site.token })
      const answer = await fetch(`http://127.0.0.1:${site.port}/sharing/rest${path}`, { method: 'POST', body })
      const text = await answer.text()
      if (answer.status !== 200 || text.startsWith('{"error"')) throw new Error(`${path}: ${text.slice(0, 500)}`)
    })
  return [
    {
      ...within,
      name: 'coverage of the organization',
      ...goal(60, 80),
      measure: asked('/content/categories/coverage'),
    },
    { ...within, name: 'completeness', ...goal(60, 80), measure: asked('/content/categories/completeness') },
    {
      ...within,
      name: 'export of 20,000 rows',
      ...goal(400, 500),
      measure: asked('/content/categories/export', { q: '*', format: 'csv', num: String(maxRows) }),
    },
    {
      ...within,
      name: 'dry run of 20,000 rows',
      ...goal(500, 700),
      measure: asked('/content/categories/import', { text: tableOf(site), dryRun: 'true' }),
    },
  ]
}

/** A table that gives each of so many items the next category. */
function tableOf({ itemIds, paths }: Site): string {
  const rows = itemIds.slice(0, maxRows).map((id, at) => `${id},${paths[at % paths.length]}`)
  return ['id,categories', ...rows].join('\n')
}

/** Seconds of a whole examination of the database, beside its server. */
export function doctorRow({ checkout }: Run, environment: Environment, goal: number): Row {
  return {
    direction: 'at most',
    unit: 's',
    name: 'doctor, whole',
    goal,
    async measure() {
      const begun = performance.now()
      const env = { PATH: process.env['PATH'] ?? '', ...environment }
      const { stdout } = await promisify(execFile)(process.execPath, [programOf(checkout), 'doctor'], { env })
      return { ...figureOf([(performance.now() - begun) / 1_000]), remark: stdout.trim().split('\n').at(-1)! }
    },
  }
}

/** Median time of requests that are sent one after the other, once two were answered: after many changes, items are first read again. */
function timed(ask: () => Promise<void>): Row['measure'] {
  return async (run): Promise<Figure> => {
    let refused = 0
    for (let answered = 0; answered < 2; ) {
      try {
        await ask()
        answered += 1
      } catch (error) {
        refused += 1
        if (refused > maxRefused) throw error
      }
    }
    const times: number[] = []
    while (times.length < run.rounds) {
      const begun = performance.now()
      await ask()
      times.push(performance.now() - begun)
    }
    return { ...figureOf(times), ...(refused > 0 && { remark: `${refused} refused before the first answer` }) }
  }
}

/** Requests that may be refused before the first answer. */
const maxRefused = 10
