import type { WireHistoryEntry } from '../../../src/http/shapes/audit/history-entry.ts'
import { isAuditedOperation } from '../operations/audited-operations.ts'
import { nameOfOperation } from '../operations/operation-names.ts'
import { listInWords } from '../texts/formats.ts'
import { ofSchemas, ofNews as t } from '../texts/rooms.ts'
import { hasText } from '../texts/texts.ts'
import { keyOfNews, type News, sumsOfNews } from './news.ts'

/** The part of a news that is in its sentence. */
interface SaidNews {
  readonly entry: Pick<WireHistoryEntry, 'action' | 'data'>
  readonly count: number
}

/** A news in a sentence: `Bora published version 7: 1 renamed, items followed`. What was refused is named only. */
export function sayNews({ entry, count }: SaidNews, actor: string): string {
  const { operation, outcome, version = 0, draft = '', users = [], moves = 0 } = entry.data
  const key = keyOfNews(entry)
  if (outcome === 'refused' || !hasText('news', key)) {
    const deed = isAuditedOperation(operation) ? nameOfOperation(operation) : entry.action
    return t('other', { actor, deed })
  }
  const people = users.length === 1 ? users[0]! : t('people', { count: users.length || count })
  const values = { actor, version, draft, people, items: t('items', { count }) }
  const news = t(key, values)
  const sums = sumsOfNews(entry).map(([name, count]) => ofSchemas(`${name}Count`, { count }))
  const parts = [...sums, ...(moves > 0 ? [t('followed')] : [])]
  if (parts.length === 0) return news
  return t('withSums', {
    news,
    sums: listInWords(parts)
      .map(({ text }) => text)
      .join(''),
  })
}

/** Full name or username of who did it. */
export function actorOf({ actor, actorFullName }: WireHistoryEntry): string {
  return actor === null ? t('anonymous') : actorFullName || actor
}

/** Name of the target, if the log has one, and the news does not say it. */
export function targetOf({ entry: { idType, itemTitle, id, actor }, count }: News): string {
  if (count > 1) return ''
  return itemTitle ?? (idType === 'u' && id !== null && id !== actor ? id : '')
}
