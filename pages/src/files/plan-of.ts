import type { ImportAnswer, SchemaPlan } from '../schemas/answers.ts'

/** Changes that an import would make; undefined if the answer is not that of a dry run. */
export function planOf(
  answer: ImportAnswer,
): Pick<SchemaPlan, 'summary' | 'changes' | 'impact' | 'warnings'> | undefined {
  const { summary, changes, impact, warnings = [] } = answer
  return summary && changes && impact && { summary, changes, impact, warnings }
}
