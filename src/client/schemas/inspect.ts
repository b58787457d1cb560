import { measureSchema } from '../../categories/schema.ts'
import { listCategories, listPaths } from '../../categories/schema-paths.ts'
import type { Answered, Call } from '../command-line/run.ts'
import { untried } from '../failure.ts'
import { clean, formatTable } from '../output/text.ts'
import { describePlace } from '../portals/place.ts'
import { adviseOn, adviseOnItems, type CountedCategory, type Finding, withoutOff } from './advice.ts'
import { readFileTests } from './change.ts'
import { countsItems, formatOutcome, judge } from './expectations.ts'
import { Sources } from './source.ts'

export async function lint(call: Call): Promise<Answered> {
  const { schema, members } = await new Sources(call).read(call.positionals[0]!)
  const findings = withoutOff(adviseOn(schema), { lint: members['lint'] })
  const text = findings.length === 0 ? 'Nothing was found.' : formatFindings(findings)
  return { json: { findings }, text, exit: call.has('strict') && findings.length > 0 ? 1 : 0 }
}

function formatFindings(findings: readonly Finding[]): string {
  return findings.map(({ rule, message }) => clean(`${rule}: ${message}`)).join('\n')
}

export async function inspect(call: Call): Promise<Answered> {
  const { portal, place } = await new Sources(call).place(call.positionals[0]!)
  const { schema, version, hash } = await portal.read(place)
  const counts = await portal.items.countEach(place)
  const listed = listCategories(schema).map(({ path = '', pointer }) => ({ path, pointer }))
  const categories: CountedCategory[] = []
  for (const { path, pointer } of listed) {
    const isLeaf = !listed.some((other) => other.path.startsWith(`${path}/`))
    // ArcGIS counts an item at its categories alone, and not at those above them.
    const found = isLeaf || portal.kind === 'cartulary' ? undefined : await portal.items.count(place, [path])
    categories.push({ path, pointer, itemsBelow: found ?? counts.byPath.get(path.toLowerCase()) ?? 0 })
  }
  const paths = listPaths(schema)
  const known = new Set(paths.map((path) => path.toLowerCase()))
  const unrecognized = [...counts.byPath].filter(([path]) => !known.has(path)).map(([path, items]) => ({ path, items }))
  const uncategorized = await portal.items.countOthers(place, paths, (path) => paths.includes(path))
  const findings = [...adviseOn(schema), ...adviseOnItems(categories, counts.total)]
  const { trees, categories: number } = measureSchema(schema)
  const { limits } = place
  const rows = categories.map(({ path, itemsBelow }) => [path, String(itemsBelow)])
  const lines = [
    `Schema of ${describePlace(place)}: ${trees} of ${limits.trees} trees, ${number} of ${limits.categories} categories`,
    `${counts.total} items, ${uncategorized} of them without a category of this schema`,
    ...unrecognized.map(({ path, items }) => `unknown category ${path}: ${items} items`),
    formatTable(['path', 'items'], rows, call.shell),
    ...(findings.length > 0 ? [formatFindings(findings)] : []),
  ]
  const json = { version, hash, limits, categories, items: counts.total, uncategorized, unrecognized, findings }
  return { json, text: lines.join('\n') }
}

export async function test(call: Call): Promise<Answered> {
  const path = call.positionals[0]!
  const to = call.text('to')
  const sources = new Sources(call)
  const { schema, members } = await sources.read(path)
  const expectations = readFileTests(path, members)
  if (to === undefined && expectations.some(countsItems)) throw untried('Tests that count items need --to <place>.')
  const counted = to === undefined ? undefined : await sources.place(to, `--to ${to} is no place of a portal.`)
  // Items are counted as they are now, by the paths of the file.
  const outcomes = await judge(expectations, { before: schema, after: schema, moves: [] }, counted)
  const failed = outcomes.filter(({ ok }) => !ok).length
  const sums = `${outcomes.length - failed} passed, ${failed} failed`
  const text = [...outcomes.map(formatOutcome), sums].join('\n')
  return { json: { tests: outcomes }, text, exit: failed > 0 ? 1 : 0 }
}
