import type { SchemaPlan } from '../../categories/change/plan.ts'
import { formatDiff } from '../../categories/diff/format-diff.ts'
import type { Call } from '../command-line/run.ts'
import { clean, colourDiff } from '../output/text.ts'

const uncounted = 'not counted'

/** A plan for a person: a line for each change, the items that it concerns, what may be meant, and the sums. */
export function formatPlan(call: Call, plan: SchemaPlan): string {
  if (plan.changes.length === 0) return 'No change.'
  const { impact, suggestions, warnings } = plan
  const diff = colourDiff(formatDiff(plan).trimEnd(), call.shell, call.has('no-color'))
  const moved = impact.moved === 0 ? [] : [`Items that follow a move: ${impact.moved ?? uncounted}`]
  const lost = impact.byPath.map(({ path, items }) => `Items of ${path}, which is removed: ${items ?? uncounted}`)
  const meant = suggestions.map(
    ({ from, to, confidence }) => `${confidence === 'sure' ? 'Surely' : 'Perhaps'} moved: ${from} to ${to}`,
  )
  return [diff, ...[...moved, ...lost, ...meant, ...warnings].map(clean)].join('\n')
}
