import { listPaths } from '../../categories/schema-paths.ts'
import { type Columns, printList, writeCsv } from '../command-line/list.ts'
import type { Answered, Call } from '../command-line/run.ts'
import { requireWritable, writeWholeBy } from '../files/file.ts'
import type { FoundItem } from '../portals/item-search.ts'
import { Sources } from '../schemas/source.ts'

type ListedItem = Omit<FoundItem, 'categories'>

const described: Columns<ListedItem> = {
  heading: ['id', 'title', 'type', 'owner', 'modified'],
  cells: ({ id, title, type, owner, modified }) => [id, title, type, owner, new Date(modified).toISOString()],
}
const categorized: Columns<FoundItem> = {
  heading: [...described.heading, 'categories'],
  cells: (item) => [...described.cells(item), item.categories.join(' | ')],
}

/** Items of a place with their categories, as a table that `item categorize` reads without a change. */
export async function exportItems(call: Call): Promise<Answered> {
  const output = call.text('output')
  requireWritable(output)
  const { portal, place } = await findPlace(call)
  const pages = portal.items.listEach(place)
  if (output === undefined) return printList(call, 'items', pages, { columns: categorized, isCsv: true })
  let items = 0
  await writeWholeBy(output, async (take) => {
    items = await writeCsv(categorized, pages, take)
  })
  return { json: { items, output }, text: `${items} items are in ${output}.` }
}

/** Items that have no category of the schema. */
export async function listUncategorized(call: Call): Promise<Answered> {
  const { portal, place } = await findPlace(call)
  const known = new Set(listPaths((await portal.read(place)).schema))
  call.say('Items that you may not see are not listed.')
  const isListed = ({ categories }: FoundItem) => !categories.some((path) => known.has(path))
  async function* pages(): AsyncGenerator<readonly ListedItem[]> {
    for await (const page of portal.items.listEach(place)) {
      yield page.filter(isListed).map(({ categories: _, ...item }) => item)
    }
  }
  return printList(call, 'items', pages(), { columns: described, isCsv: call.has('csv') })
}

function findPlace(call: Call) {
  const to = call.text('in') ?? 'org'
  return new Sources(call).place(to, `--in ${to} is no place of a portal.`)
}
