import { type Call, requireCaller } from '../call/call.ts'
import type { Caller } from '../call/caller.ts'
import { type Parsed, unwrapParsed } from '../call/parsed.ts'
import type { CategoryReaders, SchemaOwner } from '../categories/store.ts'
import { operationRefused, runInProgress } from '../errors.ts'
import { readKnownPaths } from '../items/categories/category-operations.ts'
import { choosePaths } from '../items/categories/category-paths.ts'
import { assignJudged, type JudgedPaths, judgeItems, requireCategorizer } from '../items/changes/categorize.ts'
import { stepOf } from '../items/changes/change-operations.ts'
import type { ItemHistoryReader } from '../items/history-store.ts'
import { isSameList } from '../items/item-change.ts'
import type { ItemQuery } from '../items/search/item-query.ts'
import { listFound } from '../items/search/search-operations.ts'
import type { ItemReaders, ItemStores } from '../items/store.ts'
import type { BegunJob, JobStep } from '../jobs/job.ts'
import { beginJob } from '../jobs/operations.ts'
import type { JobStore } from '../jobs/store.ts'
import type { Page, Slice } from '../paging.ts'
import { say } from '../sentences/say.ts'
import { maxListed, type PlannedChange, type PlannedRows, type SheetRules, type UnappliedRow } from './plan.ts'
import type { SheetRow } from './read-sheet.ts'
import type { ItemRow } from './write-sheet.ts'

type Readers = ItemReaders & { readonly itemHistory: ItemHistoryReader }

/** Items that the caller sees, with their categories, in the order of creation. */
export async function exportItemCategories(
  stores: ItemReaders,
  call: Call,
  input: { readonly query: Parsed<ItemQuery>; readonly groupId: string | undefined; readonly page: Parsed<Page> },
): Promise<Slice<ItemRow> & { readonly page: Page; readonly version: number }> {
  const caller = requireCaller(call)
  const page = unwrapParsed(input.page)
  const { groupId } = input
  const found = await listFound(
    stores,
    call,
    unwrapParsed(input.query),
    groupId,
    page,
    ({ item, groupCategories }) => ({
      id: item.itemId,
      title: item.title,
      type: item.type,
      owner: item.ownerUsername,
      modified: item.modifiedAt,
      categories: groupCategories ?? item.categories,
    }),
  )
  return { ...found, page, version: await readVersion(stores, ownerOf(caller, groupId)) }
}

/** Items of one search of a list that may be long (chosen): above that, its time would end in a large organization. */
export const itemsOfSearch = 5_000

/** Ids of the items that a query finds, from one on; refused where they are more than `max`. */
export async function findItemIds(
  stores: ItemReaders,
  call: Call,
  input: {
    readonly query: Parsed<ItemQuery>
    readonly groupId: string | undefined
    readonly max: number
    readonly start: number
  },
): Promise<Slice<string>> {
  requireCaller(call)
  const { groupId, max, start } = input
  const page = { start, num: itemsOfSearch }
  const found = await listFound(stores, call, unwrapParsed(input.query), groupId, page, ({ item }) => item.itemId)
  const { total } = found
  if (total > max) throw operationRefused(say('foundTooMany', { count: total, max }))
  return found
}

function ownerOf({ portalId }: Caller, groupId: string | undefined): SchemaOwner {
  return groupId === undefined ? { kind: 'portal', portalId } : { kind: 'group', groupId }
}

async function readVersion({ categories }: CategoryReaders, owner: SchemaOwner): Promise<number> {
  return (await categories.findDocument(owner))?.version ?? 0
}

/** Rows that are judged together (chosen): their items are in memory meanwhile. */
const rowsAtOnce = 500

/** The caller, who has to be one who may import a table. */
export async function requireSheetImporter(
  stores: Readers,
  call: Call,
  input: { readonly groupId: string | undefined },
): Promise<Caller> {
  const caller = requireCaller(call)
  await requireCategorizer(stores, { ...call, caller }, input.groupId)
  return caller
}

/** The caller, for whom a table is read or written: the cells are read without what is stored. */
export async function readTable(_stores: object, call: Call): Promise<Caller> {
  return requireCaller(call)
}

/** Plans an import of some rows: nothing is changed. */
export async function planItemCategories(
  stores: Readers,
  call: Call,
  input: { readonly rows: readonly SheetRow[]; readonly rules: SheetRules },
): Promise<PlannedRows> {
  const caller = requireCaller(call)
  const { rows, rules } = input
  const owner = await requireCategorizer(stores, { ...call, caller }, rules.groupId)
  const known = await readKnownPaths(stores, owner)
  const changes: PlannedChange[] = []
  const refused: UnappliedRow[] = []
  const unknown = new Map<string, number>()
  let unchanged = 0
  for (let from = 0; from < rows.length; from += rowsAtOnce) {
    const part = rows.slice(from, from + rowsAtOnce)
    const stale = new Set<SheetRow>()
    const outcomes = await judgeItems(stores, { ...call, caller }, owner, rules, part, async (row, judged) => {
      if (!isStale(row, judged, rules)) return
      stale.add(row)
      throw operationRefused(changedSinceExport)
    })
    for (const [at, outcome] of outcomes.entries()) {
      const row = part[at]!
      const carried = outcome.failure ? [] : outcome.from
      for (const path of choosePaths(row.paths, known, carried).unknown) unknown.set(path, (unknown.get(path) ?? 0) + 1)
      if (outcome.failure) {
        const { itemId, row: number } = row
        refused.push({ row: number, itemId, problem: outcome.failure.message, isStale: stale.has(row) })
      } else if (isSameList(outcome.from, outcome.to)) unchanged += 1
      else {
        const { found, from: before, to } = outcome
        changes.push({ row: row.row, itemId: row.itemId, title: found.item.title, from: before, to })
      }
    }
  }
  return {
    changes,
    refused: await nameChangers(stores, refused),
    unchanged,
    unknownPaths: [...unknown].map(([path, count]) => ({ path, rows: count, meant: known.findByTitle(path) })),
  }
}

const changedSinceExport = say('changedSinceExport')

function isStale({ modified }: SheetRow, { found }: JudgedPaths, { ifUnchanged }: SheetRules): boolean {
  if (!ifUnchanged || modified === undefined) return false
  const spans = typeof modified === 'number' ? [[modified, modified + 1] as const] : modified
  const { modifiedAt } = found.item
  return !spans.some(([from, to]) => modifiedAt >= from && modifiedAt < to)
}

/** Says who changed an item last, where the log knows. */
async function nameChangers(
  { itemHistory }: Pick<Readers, 'itemHistory'>,
  rows: readonly UnappliedRow[],
): Promise<readonly UnappliedRow[]> {
  const named: UnappliedRow[] = []
  for (const [at, row] of rows.entries()) {
    const last =
      row.isStale && at < maxListed
        ? (await itemHistory.listItemChanges(row.itemId, { start: 1, num: 1 })).entries[0]
        : undefined
    const by = last?.username
    named.push(by === undefined ? row : { ...row, problem: say('changedSinceExportBy', { username: by }) })
  }
  return named
}

/** Begins a job that applies the rows of a plan, each as it is judged then. One at a time of a user. */
export async function importItemCategories(
  stores: ItemStores & { readonly jobs: JobStore },
  call: Call,
  input: { readonly jobId: string; readonly rows: readonly SheetRow[]; readonly rules: SheetRules },
): Promise<{ readonly jobId: string; readonly total: number }> {
  const caller = requireCaller(call)
  const { jobId, rows, rules } = input
  await requireCategorizer(stores, { ...call, caller }, rules.groupId)
  if (await stores.jobs.isRunning('importItemCategories', caller.userId)) throw runInProgress()
  const { portalId } = caller
  const job = { jobId, portalId, kind: 'importItemCategories', input: rules, total: rows.length } as const
  const rowsOfJob = rows.map(({ row, ...data }) => ({ row, data }))
  await beginJob(stores, { ...call, caller }, job, rowsOfJob)
  return { jobId, total: rows.length }
}

/** One step: the next rows in their order. */
export async function importSome(
  stores: ItemStores & Readers & { readonly jobs: JobStore },
  call: Call & { readonly caller: Caller },
  job: BegunJob,
  max: number,
): Promise<JobStep> {
  const rules = job.input as SheetRules
  const owner = await requireCategorizer(stores, call, rules.groupId)
  const items = await stores.jobs.listJobItems(job.jobId, Number(job.position), max)
  const rows = items.map(({ row, data }) => ({ row, ...(data as Omit<SheetRow, 'row'>) }))
  const outcomes = await judgeItems(stores, call, owner, rules, rows, async (row, judged) => {
    if (isStale(row, judged, rules)) throw operationRefused(changedSinceExport)
  })
  const entries = await assignJudged(stores, call, owner, outcomes, job.jobId)
  return { ...stepOf(items, max, outcomes), entries }
}
