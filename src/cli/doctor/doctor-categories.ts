import { readKnownPaths } from '../../items/categories/known-paths.ts'
import type { CategoryCount } from '../../items/store.ts'
import { type CheckResult, type Inspection, ok, warning } from '../../storage/maintenance/check-result.ts'

/** Whether items carry categories that the category schema of their organization lacks: browsing by category does not find them. */
export async function inspectItemCategories({ readers }: Inspection): Promise<readonly CheckResult[]> {
  const findings: CheckResult[] = []
  for (const { portalId } of await readers.directory.listPortals()) {
    const owner = { kind: 'portal', portalId } as const
    const counts = await readers.items.countItemsByCategory(owner)
    const known = await readKnownPaths(readers, owner)
    const stale = topmost(counts.filter(({ path }) => !known.has(path)))
    if (stale.length === 0) continue
    const items = stale.reduce((sum, one) => sum + one.items, 0)
    findings.push(
      warning(
        `Items of organization ${portalId} carry categories that its category schema has not ` +
          `(${stale.length} categories, carried ${items} times): give the items others, or put the categories back.`,
      ),
    )
  }
  return findings.length > 0 ? findings : [ok('The category schemas have every category that items carry.')]
}

/** Returns the categories below no other one: an item with a category counts for those above it too. */
function topmost(counts: readonly CategoryCount[]): readonly CategoryCount[] {
  const paths = new Set(counts.map(({ path }) => path))
  return counts.filter(({ path }) => {
    const titles = path.split('/')
    return !titles.some((_, at) => at > 1 && at < titles.length && paths.has(titles.slice(0, at).join('/')))
  })
}
