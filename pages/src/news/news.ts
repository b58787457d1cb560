import type { WireHistoryEntry } from '../../../src/http/shapes/audit/history-entry.ts'
import { presentSums, type SumName } from '../schemas/sums.ts'

/** News: entries of the log as what was done, and by whom. Without DOM. */

/** Entries of one change: steps of a run are one news. */
export interface News {
  readonly entry: WireHistoryEntry
  /** Targets of all its entries. */
  readonly count: number
}

/** Makes one news of the entries of each run and operation, at the place of the first. */
export function foldRuns(entries: readonly WireHistoryEntry[]): readonly News[] {
  const news = new Map<string, News>()
  for (const entry of entries) {
    const { operation, runId, targets = [''] } = entry.data
    const key = runId !== undefined ? `${runId} ${operation}` : entry.reqId
    const { entry: first = entry, count = 0 } = news.get(key) ?? {}
    news.set(key, { entry: first, count: count + targets.length })
  }
  return [...news.values()]
}

/** Operations whose news have the words of another one. */
const likeOthers: Readonly<Record<string, string>> = {
  generateToken: 'signIn',
  signInToApp: 'signIn',
  continueToApp: 'signIn',
  signInByProvider: 'signIn',
  deleteItems: 'deleteItem',
  shareItems: 'shareItem',
  shareUserItem: 'shareItem',
  unshareItems: 'unshareItem',
  unshareUserItem: 'unshareItem',
  updateGroupItems: 'updateItems',
}

/** Key of the words of an entry; those of schemas are alike for groups and organizations. */
export function keyOfNews({ data: { operation, version } }: Pick<WireHistoryEntry, 'data'>): string {
  const key = operation.replace(/(?:Portal|Group)(?=CategorySchema$|SchemaVersion$|SchemaDraft$)/, '')
  if (key === 'publishSchemaDraft' && version === undefined) return 'scheduleSchemaDraft'
  return likeOthers[key] ?? key
}

/** Sums of what changed in a schema, as far as this version knows them. */
export function sumsOfNews({
  data: { summary },
}: Pick<WireHistoryEntry, 'data'>): readonly (readonly [SumName, number])[] {
  return summary ? presentSums(summary).map((name) => [name, summary[name]]) : []
}
