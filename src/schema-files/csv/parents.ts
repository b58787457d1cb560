import { say } from '../../sentences/say.ts'
import type { Problems } from '../schema-file.ts'
import { shown, titleFromLabel } from '../title.ts'
import type { ParentColumns } from './columns.ts'
import type { Sheet } from './sheet.ts'
import type { RowTexts, Target, TreeNode } from './tree.ts'

/** A category whose row names its parent. */
interface Entry {
  readonly row: number
  readonly id: string
  readonly title: string
  /** Name of its parent; '' or a slash for a root. */
  readonly parent: string
  /** Names of categories below it. */
  readonly narrower: readonly string[]
  readonly texts: RowTexts
  readonly children: Entry[]
}

/** Adds rows that name their parents, in any order; siblings keep theirs. */
export function addByParent(columns: ParentColumns, sheet: Sheet, { tree, problems }: Target): void {
  const given = sheet.rows.map((row): Entry => {
    const [description, source] = [sheet.text(row, columns.description), sheet.text(row, columns.source)]
    const texts = { description, source, id: '' }
    const title = sheet.title(row, columns.title)
    const parent = sheet.text(row, columns.parent)
    const narrower = splitNames(sheet.text(row, columns.narrower))
    return { row: row.row, id: sheet.text(row, columns.id), title, parent, narrower, texts, children: [] }
  })
  const entries = [...given, ...narrowerWithoutRow(given)]
  const byId = groupBy(entries, ({ id }) => id)
  let isRefused = false
  const refuse: Problems['add'] = (sentence, row, column) => {
    isRefused = true
    problems.add(sentence, row, column)
  }
  for (const same of byId.values()) {
    if (same.length < 2) continue
    refuse(() => `Rows ${rowsOf(same)} have the same id ${shown(same[0]!.id, maxShown)}.`, same[1]!.row, columns.id)
  }
  const byTitle = groupBy(entries, ({ title }) => title)
  const parents = new Map<Entry, Entry>()
  for (const entry of entries) {
    if (entry.parent === '' || entry.parent === '/') continue
    const named = new Set([
      ...firstOf(columns.by === 'title' ? undefined : byId.get(entry.parent)),
      ...firstOf(columns.by === 'id' ? undefined : byTitle.get(titleFromLabel(entry.parent))),
    ])
    const [parent] = named
    if (named.size > 1) {
      refuse(
        () => `Row ${entry.row}: the parent ${shown(entry.parent, maxShown)} may be any of rows ${rowsOf([...named])}.`,
        entry.row,
        columns.parent,
      )
    } else if (parent) {
      parents.set(entry, parent)
      parent.children.push(entry)
    } else
      refuse(
        () => `Row ${entry.row}: ${say('parentUnknown', { parent: shown(entry.parent, maxShown) })}`,
        entry.row,
        columns.parent,
      )
  }
  for (const entry of given) {
    for (const name of entry.narrower) {
      const named = new Set([...firstOf(byId.get(name)), ...firstOf(byTitle.get(titleFromLabel(name)))])
      for (const below of named) {
        if (parents.has(below)) continue
        parents.set(below, entry)
        entry.children.push(below)
      }
    }
  }
  for (const loop of findLoops(parents)) refuse(() => loop)
  if (isRefused) return
  const roots = entries.filter((entry) => !parents.has(entry))
  addAll(roots, { tree, problems })
}

/** Several names in a cell. */
function splitNames(cell: string): readonly string[] {
  const names = cell.split(/[|;\r\n]+/)
  return (names.length > 1 ? names : cell.split(',')).map((name) => name.trim()).filter((name) => name !== '')
}

/** Categories that have no row but are named as narrower ones, where they are named first. */
function narrowerWithoutRow(given: readonly Entry[]): readonly Entry[] {
  const known = new Set(given.flatMap(({ id, title }) => [id, title]))
  return given.flatMap(({ row, narrower }) =>
    narrower.flatMap((name): Entry[] => {
      const title = titleFromLabel(name)
      if (known.has(name) || known.has(title)) return []
      known.add(title)
      const texts = { description: '', source: '', id: '' }
      return [{ row, id: '', title, parent: '', narrower: [], texts, children: [] }]
    }),
  )
}

function groupBy(entries: readonly Entry[], keyOf: (entry: Entry) => string): ReadonlyMap<string, readonly Entry[]> {
  const groups = Map.groupBy(entries, keyOf)
  groups.delete('')
  return groups
}

function rowsOf(entries: readonly Entry[]): string {
  const rows = entries.slice(0, maxRows).map(({ row }) => row)
  return rows.join(', ') + (entries.length > maxRows ? ' and others' : '')
}

const maxRows = 20
/** Characters of a name in a sentence. */
const maxShown = 60

/** Number that a sentence lists, and one that shows that there are others: all rows may name a parent that all rows are. */
function firstOf(entries: readonly Entry[] = []): readonly Entry[] {
  return entries.slice(0, maxRows + 1)
}

/** Entries that are their own ancestors, one sentence for each loop. */
function findLoops(parents: ReadonlyMap<Entry, Entry>): readonly string[] {
  const loops: string[] = []
  const done = new Set<Entry>()
  for (const start of parents.keys()) {
    const path = new Set<Entry>()
    let next: Entry | undefined = start
    while (next && !done.has(next) && !path.has(next)) {
      path.add(next)
      next = parents.get(next)
    }
    if (next && path.has(next)) {
      const entries = [...path]
      const loop = entries.slice(entries.indexOf(next))
      loops.push(
        loop.length === 1 ? say('ownParent', { row: next.row }) : `Rows ${rowsOf(loop)} are each below the next.`,
      )
    }
    for (const entry of path) done.add(entry)
  }
  return loops
}

function addAll(roots: readonly Entry[], { tree, problems }: Target): void {
  const open = roots
    .map((entry): { entry: Entry; parent: TreeNode | undefined } => ({ entry, parent: undefined }))
    .reverse()
  for (let next = open.pop(); next; next = open.pop()) {
    const { row, title, texts, children } = next.entry
    const added = tree.addBelow(next.parent, title, row, texts)
    if ('problem' in added) problems.add(() => added.problem, row)
    else open.push(...children.map((entry) => ({ entry, parent: added.node })).reverse())
  }
}
