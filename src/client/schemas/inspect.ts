import { measureSchema } from '../../categories/schema.ts'
import { listCategories } from '../../categories/schema-paths.ts'
import type { Answered, Call } from '../command-line/run.ts'
import { formatTable } from '../output/text.ts'
import { countByCategory } from '../portals/item-count.ts'
import { adviseOn, adviseOnItems, type Finding, withoutOff } from './advice.ts'
import { describePlace } from './history.ts'
import { Sources } from './source.ts'

export async function lint(call: Call): Promise<Answered> {
  const { schema, members } = await new Sources(call).read(call.positionals[0]!)
  const findings = withoutOff(adviseOn(schema), members)
  const text = findings.length === 0 ? 'Nothing was found.' : formatFindings(findings)
  return { json: { findings }, text, exit: call.has('strict') && findings.length > 0 ? 1 : 0 }
}

function formatFindings(findings: readonly Finding[]): string {
  return findings.map(({ rule, message }) => `${rule}: ${message}`).join('\n')
}

interface Counted {
  readonly path: string
  readonly pointer: string
  readonly itemsBelow: number
}

export async function inspect(call: Call): Promise<Answered> {
  const { portal, connection, place } = await new Sources(call).place(call.positionals[0]!)
  const { schema, version, hash } = await portal.read(place)
  const counts = await countByCategory(connection, portal.portalId, place)
  const listed = listCategories(schema).map(({ path = '', pointer }) => ({ path, pointer }))
  const known = new Set(listed.map(({ path }) => path.toLowerCase()))
  const categories: Counted[] = []
  for (const { path, pointer } of listed) {
    const isLeaf = !listed.some((other) => other.path.startsWith(`${path}/`))
    // ArcGIS counts an item at its categories alone, and not at those above them.
    const found = isLeaf || portal.kind === 'cartulary' ? undefined : await portal.countItems(place, [path])
    categories.push({ path, pointer, itemsBelow: found ?? counts.byPath.get(path.toLowerCase()) ?? 0 })
  }
  const unrecognized = [...counts.byPath].filter(([path]) => !known.has(path)).map(([path, items]) => ({ path, items }))
  const roots = schema.categorySchema.map(({ title, source = '' }) => `/${title ?? source}`)
  const below = await portal.countItems(place, roots)
  const uncategorized = below === null ? null : counts.total - below
  const findings = [...adviseOn(schema), ...adviseOnItems(categories, counts.total)]
  const { trees, categories: number } = measureSchema(schema)
  const { limits } = place
  const rows = categories.map(({ path, itemsBelow }) => [path, String(itemsBelow)])
  const lines = [
    `Schema of ${describePlace(place)}: ${trees} of ${limits.trees} trees, ${number} of ${limits.categories} categories`,
    `${counts.total} items, ${uncategorized ?? 'an unknown number'} of them without a category of this schema`,
    ...unrecognized.map(({ path, items }) => `unknown category ${path}: ${items} items`),
    formatTable(['path', 'items'], rows, call.shell),
    ...(findings.length > 0 ? [formatFindings(findings)] : []),
  ]
  const json = { version, hash, limits, categories, items: counts.total, uncategorized, unrecognized, findings }
  return { json, text: lines.join('\n') }
}
