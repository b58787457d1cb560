import { ApiError } from '../../api/call.ts'
import type { Parameters } from '../../api/parameters.ts'
import { type SchemaOwner, schemaPath } from '../../owners/owners.ts'
import type { Branch, FileReading, ImportAnswer, PresentSchema, SchemaPlan } from '../../schemas/answers.ts'
import { readPresent } from '../../schemas/requests.ts'
import { post } from '../../session/session.ts'
import { ofFilesPreview as t } from '../../texts/rooms.ts'

/** A file that can be imported, and what it would change. */
export interface Accepted {
  readonly parameters: Parameters
  readonly present: PresentSchema
  readonly answer: ImportAnswer
}

/** A file that is refused as it is read now. */
export interface Refused {
  readonly refusal: ApiError
  /** Parts of the file that would fit. */
  readonly branches: readonly Branch[] | undefined
  readonly reading: FileReading | undefined
}

export type Outcome = Accepted | Refused

/** Reads a file without writing anything. Only errors that are not about the file are thrown. */
export async function readFile(owner: SchemaOwner, parameters: Parameters, signal: AbortSignal): Promise<Outcome> {
  try {
    const asked = { ...parameters, dryRun: true, withReading: true }
    const [present, answer] = await Promise.all([
      readPresent(owner, signal),
      post<ImportAnswer>(`${schemaPath(owner)}/import`, asked, signal),
    ])
    return { parameters, present, answer }
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 400) throw error
    const { branches, reading } = error.members as Pick<Refused, 'branches' | 'reading'>
    return { refusal: error, branches, reading }
  }
}

/** Parameters of the import that was previewed: of this version, and in the language that was found. */
export function writtenParameters({ parameters, answer }: Accepted): Parameters {
  const { version, imported } = answer
  return { ...parameters, language: parameters['language'] ?? imported.language, dryRun: false, ifVersion: version }
}

export function readingOf(outcome: Outcome): FileReading | undefined {
  return 'answer' in outcome ? outcome.answer.imported.reading : outcome.reading
}

/** The format of the file, as far as it is known. */
export function formatOf(outcome: Outcome): ImportAnswer['imported']['format'] | undefined {
  if ('answer' in outcome) return outcome.answer.imported.format
  const { table, languages } = outcome.reading ?? {}
  if (table) return table.sheet === undefined ? 'csv' : 'xlsx'
  return languages && 'skos'
}

/** The title of the root that the server has put above all trees by itself, as its sentences give it. */
export function findMadeRoot(outcome: Outcome): string | undefined {
  const sentences =
    'answer' in outcome ? outcome.answer.imported.notes.map(({ message }) => message) : outcome.refusal.sentences
  const said = sentences.map((sentence) => /(?:below the|^With the) root “(.*?)”/.exec(sentence)?.[1])
  return said.find((title) => title !== undefined)
}

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

export type ImportPlan = Pick<SchemaPlan, 'summary' | 'changes' | 'impact' | 'warnings' | 'suggestions'>

/** Changes that an import would make; undefined if the answer is not that of a dry run. */
export function planOf(answer: ImportAnswer): ImportPlan | undefined {
  const { summary, changes, impact, warnings = [], suggestions = [] } = answer
  return summary && changes && impact && { summary, changes, impact, warnings, suggestions }
}
