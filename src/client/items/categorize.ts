import { formatCsvRow, guardFormula } from '../../csv-text.ts'
import type { Answered, Call } from '../command-line/run.ts'
import { CommandError, untried } from '../failure.ts'
import { requireWritable, writeWhole } from '../files/file.ts'
import { ItemWriter, maxWritten } from '../portals/item-writer.ts'
import type { OpenPortal } from '../portals/open.ts'
import type { Place } from '../portals/place.ts'
import { Sources } from '../schemas/source.ts'
import { doBatches, type Task } from './batches.ts'
import { Imports } from './imports.ts'
import { type ItemTable, type Refusal, readItemTable } from './item-table.ts'
import { type Job, withJob } from './job.ts'
import { Judge, type Rules } from './judge-table.ts'

/** Gives items the categories of a table, by a job that is resumed by the same command. */
export async function categorize(call: Call): Promise<Answered> {
  const to = call.text('in')
  if (to === undefined) throw untried('cartulary item categorize needs --in <place>.')
  const rules = rulesOf(call)
  requireWritable(call.text('report'))
  const table = await readItemTable(call, call.positionals[0]!)
  const opened = await new Sources(call).place(to, `--in ${to} is no place of a portal.`)
  const { portal, place } = opened
  if (table.size + table.refused.length === 0) return sumUp(call, undefined, 'There are no rows.')
  const judge = new Judge(table, (await portal.read(place)).schema, rules)
  const refused = await judge.findRefused(portal.items, place)
  if (refused.length > 0) throw nothingDone(call, refused)
  const words = { command: call.name, place: place.key, digest: `${table.digest} ${JSON.stringify(rules)}` }
  return withJob(call, portal, words, async (job) => {
    await job.run(table.size, () => work(opened, place, { table, judge, rules, job }))
    return sumUp(call, job)
  })
}

function rulesOf(call: Call): Rules {
  const mode = (call.text('mode') ?? 'set') as Rules['mode']
  const clearsEmpty = call.has('clear-empty')
  if (clearsEmpty && mode !== 'set') throw untried('--clear-empty is of --mode set.')
  return { mode, clearsEmpty }
}

type Work = Readonly<{ table: ItemTable; judge: Judge; rules: Rules; job: Job }>

function work({ portal, facts }: OpenPortal, place: Place, { table, judge, rules, job }: Work): Promise<void> {
  // An app may not import tables.
  if (hasRuns(facts) && facts.user) return new Imports(portal, place, facts.user.username, table, rules).run(job)
  const writer = new ItemWriter(portal.connection, portal.items, place)
  return doBatches(job, listBatches(table, judge), { search: portal.items, writer, place })
}

/** Whether a portal has imports and runs of its own. */
export function hasRuns({ kind, extensions }: Pick<OpenPortal['facts'], 'kind' | 'extensions'>): boolean {
  return kind === 'cartulary' && ['itemSheets', 'itemRuns', 'jobs'].every((name) => extensions.includes(name))
}

function* listBatches(table: ItemTable, judge: Judge): Generator<readonly Task[]> {
  for (let from = 0; from < table.size; from += maxWritten) {
    const length = Math.min(maxWritten, table.size - from)
    yield Array.from({ length }, (_, index): Task => {
      const at = from + index
      return { row: table.rows[at]!, id: table.id(at), decide: (carried) => judge.decide(at, carried) }
    })
  }
}

function nothingDone(call: Call, refused: readonly Refusal[]): CommandError {
  writeReport(call, refused)
  const sentence = `${refused.length} ${refused.length === 1 ? 'row is' : 'rows are'} refused; nothing was written.`
  return new CommandError(1, sentence, { details: refused.map(formatRefusal), members: { refused } })
}

/** Refusals of an answer that are shown. */
const maxShown = 10

/** The answer of a command that changes items; exit code 1 where some were refused. */
export function sumUp(call: Call, job: Job | undefined, text?: string): Answered {
  const { changed = 0, unchanged = 0, refused = [], id, runs = [] } = job ?? {}
  writeReport(call, refused)
  const runId = (runs.length === 1 ? runs[0] : id) ?? null
  const further = refused.length - maxShown
  const lines = [
    `${changed} changed, ${unchanged} unchanged, ${refused.length} refused.`,
    ...refused.slice(0, maxShown).map(formatRefusal),
    ...(further > 0 ? [`${further} further rows; --json and --report have all of them.`] : []),
    ...(changed > 0 ? [`cartulary item revert ${runId} takes this back.`] : []),
  ]
  const json = { summary: { changed, unchanged, refused: refused.length }, runId, refused }
  return { json, text: text ?? lines.join('\n'), exit: refused.length > 0 ? 1 : 0 }
}

function formatRefusal({ row, itemId, problem }: Refusal): string {
  return `Row ${row}: ${itemId === '' ? '' : `${itemId}: `}${problem}`
}

function writeReport(call: Call, refused: readonly Refusal[]): void {
  const path = call.text('report')
  if (path === undefined) return
  const rows = refused.map(({ row, itemId, problem }) => formatCsvRow([String(row), itemId, problem].map(guardFormula)))
  writeWhole(path, formatCsvRow(['row', 'item', 'problem']) + rows.join(''))
}
