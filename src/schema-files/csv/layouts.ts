import { say } from '../../sentences/say.ts'
import type { Columns, LevelColumns, PathColumns } from './columns.ts'
import { addByParent } from './parents.ts'
import type { Sheet } from './sheet.ts'
import type { Row } from './table.ts'
import type { RowTexts, Target, Tree } from './tree.ts'

/** Adds the category of every row to the tree. What a row costs does not depend on the number of rows. */
export function addRows(columns: Columns, sheet: Sheet, target: Target): void {
  switch (columns.layout) {
    case 'path':
      addByPath(columns, sheet, target)
      break
    case 'levels':
      addByLevels(columns, sheet, target)
      break
    case 'parent':
      addByParent(columns, sheet, target)
      break
    case 'indented':
      addByIndent(sheet, target)
      break
  }
}

/** Titles stand between slashes where the first path begins with one, or where no path has ` > `. */
function addByPath({ path: column, description, source, id }: PathColumns, sheet: Sheet, target: Target): void {
  const paths = sheet.rows.map(({ cells }) => cells[column] ?? '')
  const first = paths.find((path) => path.trim() !== '')
  const separator = !first?.trimStart().startsWith('/') && paths.some((path) => path.includes(' > ')) ? ' > ' : '/'
  addEach(sheet, target, (row, tree) => {
    const cell = sheet.cell(row, column)
    if (cell === '') return say('rowWithoutPath', { row: row.row })
    const titles = (separator === '/' ? cell.replace(/^\//, '') : cell).split(separator)
    const texts = {
      description: sheet.text(row, description),
      source: sheet.text(row, source),
      id: idOf(sheet, row, id),
    }
    const path = titles.map((title) => sheet.cleaned(sheet.trimmed(title, row), row))
    return tree.add(path, row.row, texts)
  })
}

/** A row has all the titles of its path, or those after the ones that it has in common with the row above. */
function addByLevels(columns: LevelColumns, sheet: Sheet, target: Target): void {
  let above: readonly string[] = []
  addEach(sheet, target, (row, tree) => {
    const given = columns.levels.map(({ title }) => sheet.title(row, title))
    const titles = fillGaps(given, above)
    if (titles !== given) sheet.notes.add(say('cellFromAbove'), row.row)
    const first = titles.findIndex((title) => title !== '')
    const last = titles.findLastIndex((title) => title !== '')
    if (first === -1) return say('rowWithoutTitle', { row: row.row })
    const gap = titles.indexOf('', first)
    if (gap !== -1 && gap < last) return say('levelMissing', { row: row.row, level: last + 1, missing: gap + 1 })
    if (first > above.length) return say('levelSkipped', { row: row.row, level: first + 1, above: above.length })
    const path = [...above.slice(0, first), ...titles.slice(first, last + 1)]
    const descriptions = columns.levels.map(({ description }) => sheet.text(row, description))
    const texts: RowTexts = {
      description: descriptions[last] || sheet.text(row, columns.description),
      source: sheet.text(row, columns.source),
      id: idOf(sheet, row, columns.id),
    }
    const problem = tree.add(path, row.row, texts)
    if (problem) return problem
    above = path
    for (let level = first; level < last; level += 1) {
      tree.describe(path.slice(0, level + 1), row.row, descriptions[level]!)
    }
    return undefined
  })
}

/**
 * Fills empty cells between titles with those of the row above, where the titles to their left are those of the row above: a
 * group is named once.
 */
function fillGaps(titles: readonly string[], above: readonly string[]): readonly string[] {
  const first = titles.findIndex((title) => title !== '')
  const last = titles.findLastIndex((title) => title !== '')
  const filled = [...titles]
  for (let level = Math.max(first, 0); level < last; level += 1) {
    if (filled[level] === '') filled[level] = above[level] ?? ''
    if (filled[level] !== above[level]) break
  }
  return filled.every((title, level) => title === titles[level]) ? titles : filled
}

/** One column, in which a category begins further to the right than its parent. */
function addByIndent(sheet: Sheet, target: Target): void {
  const open: { readonly indent: string; readonly title: string }[] = []
  addEach(sheet, target, (row, tree) => {
    const { cells } = row
    if (cells.length > 1) return say('rowTooWide', { row: row.row, count: cells.length })
    const indent = /^\s*/.exec(cells[0]!)![0]
    const title = sheet.cleaned(sheet.unguarded(sheet.trimmed(cells[0]!.slice(indent.length), row), row), row)
    const siblings = open.findIndex((one) => one.indent.length >= indent.length)
    if (siblings !== -1) {
      if (open[siblings]!.indent !== indent) return say('indentUnknown', { row: row.row })
      open.splice(siblings)
    } else if (!indent.startsWith(open.at(-1)?.indent ?? '')) return say('indentUnknown', { row: row.row })
    open.push({ indent, title })
    const titles = open.map((one) => one.title)
    return tree.add(titles, row.row, { description: '', source: '', id: '' })
  })
}

function addEach({ rows }: Sheet, { tree, problems }: Target, add: (row: Row, tree: Tree) => string | undefined): void {
  for (const row of rows) {
    const problem = add(row, tree)
    if (problem !== undefined) problems.add(() => problem, row.row)
  }
}

/** The path that the category of the row had when the file was written; '' where it has none. */
function idOf(sheet: Sheet, row: Row, column: number | undefined): string {
  const id = sheet.cell(row, column)
  return id.startsWith('/') ? id : ''
}
