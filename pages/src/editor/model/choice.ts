import { rangeOf } from '../../elements/lists/page-parts.ts'
import type { Row } from './rows.ts'

/** Several categories that are chosen together; an edit of one of them is an edit of all. */

/** `toggle`: this one more or less. `range`: from the anchor to this one. `siblings`: all beside it. */
export type Choosing = 'toggle' | 'range' | 'siblings'

/** Keys that are chosen after a click or a key on a row. `anchor` is where a range begins. */
export function choose(
  rows: readonly Row[],
  { chosen, anchor }: { readonly chosen: ReadonlySet<string>; readonly anchor: string | undefined },
  key: string,
  how: Choosing,
): ReadonlySet<string> {
  if (how === 'toggle') {
    const next = chosen.has(key) ? chosen.difference(new Set([key])) : new Set([...chosen, key])
    return next.size === 0 ? new Set([key]) : next
  }
  const keys = rows.map(({ node }) => node.key)
  if (how === 'siblings') {
    const parent = rows.find(({ node }) => node.key === key)?.parent
    return new Set(rows.filter((row) => row.parent === parent).map(({ node }) => node.key))
  }
  return new Set(rangeOf(keys, anchor ?? key, key))
}
