import type { ImportAnswer, SchemaPlan } from '../../schemas/answers.ts'

export type ImportPlan = Pick<SchemaPlan, 'summary' | 'changes' | 'impact' | 'warnings' | 'suggestions'>

/** Changes that an import would make; undefined if the answer is not that of a dry run. */
export function planOf(answer: ImportAnswer): ImportPlan | undefined {
  const { summary, changes, impact, warnings = [], suggestions = [] } = answer
  return summary && changes && impact && { summary, changes, impact, warnings, suggestions }
}

/** A category that the import would remove, or that only items would have. */
export interface Removal {
  readonly path: string
  /** Categories, those below included; undefined for one that is only renamed. */
  readonly categories?: number
  /** Items that have it, or one below it; null if counting takes too long. */
  readonly items?: number | null | undefined
}

/** Categories that would be removed, with the items that lose one by it. */
export function listRemovals({ changes, impact }: ImportPlan): readonly Removal[] {
  const removed = changes.flatMap((change): Removal[] =>
    change.op === 'remove' ? [{ path: change.path, categories: change.categories, items: change.items }] : [],
  )
  const isRemoved = (path: string) => removed.some((one) => path === one.path || path.startsWith(`${one.path}/`))
  return [...removed, ...impact.byPath.filter(({ path }) => !isRemoved(path))]
}
