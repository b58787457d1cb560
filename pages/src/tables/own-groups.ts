import type { WireGroup } from '../../../src/http/shapes/directory/group.ts'
import type { WirePage } from '../../../src/http/shapes/page.ts'
import { call } from '../session/session.ts'
import type { ListRow } from './list.ts'
import { findingNamed, type NamedThings } from './names.ts'

/** Groups that one call answers (the most that it may). */
const num = 100
/** Names of a list that are looked for one by one (chosen). */
const maxSearched = 50

/** Groups of the person: a page of them and, where there are more, those that the rows name. */
export async function findOwnGroups(rows: readonly ListRow[], signal: AbortSignal): Promise<NamedThings> {
  const find = async (title?: string) => {
    const q = title && `title:"${title.replace(/["\\]/g, ' ')}"`
    const parameters = { searchUserAccess: 'groupMember', q, num }
    const { nextStart, results } = await call<WirePage<'results', WireGroup>>('/community/groups', parameters, {
      signal,
    })
    return { hasMore: nextStart > 0, groups: results.map(({ id, title }) => [id, title] as const) }
  }
  const { hasMore, groups } = await find()
  if (!hasMore) return groups
  const named = new Set(rows.flatMap(({ values }) => values['groups'] ?? []))
  const findNamed = findingNamed(groups)
  const unknown = [...named].filter((name) => findNamed(name).id === undefined).slice(0, maxSearched)
  const found = await Promise.all(unknown.map((title) => find(title)))
  return [...groups, ...found.flatMap((one) => one.groups)]
}
