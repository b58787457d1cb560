import { listPaths } from '../../categories/schema-paths.ts'
import { formatCsvRow, guardFormula } from '../../csv-text.ts'
import type { Answered, Call } from '../command-line/run.ts'
import { requireWritable, writeWholeBy } from '../files/file.ts'
import { formatTable } from '../output/text.ts'
import type { FoundItem } from '../portals/item-search.ts'
import { Sources } from '../schemas/source.ts'

const heading = ['id', 'title', 'type', 'owner', 'modified']

/** Items of a place with their categories, as a table that `item categorize` reads without a change. */
export async function exportItems(call: Call): Promise<Answered> {
  const output = call.text('output')
  requireWritable(output)
  const pages = await listPages(call)
  if (call.has('json') && output === undefined)
    return { json: { items: (await Array.fromAsync(pages)).flat() }, text: '' }
  let items = 0
  const write = async (take: (text: string) => void) => {
    take(formatCsvRow([...heading, 'categories']))
    for await (const page of pages) {
      items += page.length
      take(page.map((item) => formatRow([...cellsOf(item), item.categories.join(' | ')])).join(''))
    }
  }
  if (output === undefined) await write((text) => call.shell.printBytes?.(Buffer.from(text)))
  else await writeWholeBy(output, write)
  return { json: { items, output }, text: output === undefined ? '' : `${items} items are in ${output}.` }
}

/** Items that have no category of the schema. */
export async function listUncategorized(call: Call): Promise<Answered> {
  const found: FoundItem[] = []
  for await (const page of await listPages(call, true)) found.push(...page)
  const items = found.map(({ categories: _, ...item }) => item)
  const rows = found.map(cellsOf)
  const text = call.has('csv')
    ? Buffer.from([formatCsvRow(heading), ...rows.map(formatRow)].join(''))
    : formatTable(heading, rows, call.shell)
  return { json: { items }, text }
}

async function listPages(call: Call, isUncategorized = false): Promise<AsyncGenerator<readonly FoundItem[]>> {
  const to = call.text('in') ?? 'org'
  const { portal, place } = await new Sources(call).place(to, `--in ${to} is no place of a portal.`)
  const pages = portal.items.listEach(place)
  if (!isUncategorized) return pages
  const known = new Set(listPaths((await portal.read(place)).schema))
  call.say('Items that you may not see are not listed.')
  return (async function* () {
    for await (const page of pages) yield page.filter(({ categories }) => !categories.some((path) => known.has(path)))
  })()
}

function cellsOf({ id, title, type, owner, modified }: FoundItem): readonly string[] {
  return [id, title, type, owner, new Date(modified).toISOString()]
}

function formatRow(cells: readonly string[]): string {
  return formatCsvRow(cells.map(guardFormula))
}
