import type { ItemCount } from '../../categories/change/impact.ts'
import type { SchemaPlan } from '../../categories/change/plan.ts'
import { formatDiff } from '../../categories/diff/format-diff.ts'
import type { Call } from '../command-line/run.ts'
import { clean, colourDiff } from '../output/text.ts'

/** A plan for a person: a line for each change, the items that it concerns, what may be meant, and the sums. */
export function formatPlan(call: Call, plan: SchemaPlan): string {
  if (plan.changes.length === 0) return 'No change.'
  const { impact, suggestions, warnings } = plan
  const diff = colourDiff(formatDiff(plan).trimEnd(), call.shell, call.has('no-color'))
  const moved = impact.moved === 0 ? [] : [`${countOf(impact.moved)} follow a move.`]
  const lost = impact.byPath.map(({ path, items }) => `${countOf(items)} have ${path}, which is no longer there.`)
  const meant = suggestions.map(
    ({ from, to, confidence }) => `${confidence === 'sure' ? 'Surely' : 'Perhaps'} moved: ${from} to ${to}`,
  )
  return [diff, ...[...moved, ...lost, ...meant, ...warnings].map(clean)].join('\n')
}

function countOf(items: ItemCount): string {
  if (items === null) return 'Items that were not counted'
  return items === 1 ? '1 item' : `${items} items`
}
