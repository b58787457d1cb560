import { ofFilesPreview as t } from '../../texts/rooms.ts'
import { formatOf, type Outcome, readingOf } from './outcome.ts'

/** How a file was read, in words. */
export function describeReading(outcome: Outcome): string {
  const format = formatOf(outcome)
  const table = readingOf(outcome)?.table
  if (!format) return ''
  if (!table) {
    const count = 'answer' in outcome ? outcome.answer.imported.rows : 0
    return count === 0
      ? t('readAs', { format: t(`format_${format}`) })
      : t('readCategories', { format: t(`format_${format}`), count })
  }
  const { total, sheet, headingRow = 0, layout } = table
  if (layout === 'indented' && sheet === undefined) return t('readList', { rows: total })
  return t('readTable', {
    format: t(`format_${format}`),
    hasSheet: sheet === undefined ? 'no' : 'yes',
    sheet: sheet ?? '',
    rows: total,
    heading: headingRow,
  })
}
