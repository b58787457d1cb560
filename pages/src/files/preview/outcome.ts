import { ApiError } from '../../api/call.ts'
import type { Parameters } from '../../api/parameters.ts'
import { type SchemaOwner, schemaPath } from '../../owners/owners.ts'
import type { Branch, FileReading, ImportAnswer, PresentSchema } from '../../schemas/answers.ts'
import { readPresent } from '../../schemas/requests.ts'
import { post } from '../../session/session.ts'

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
    'answer' in outcome ? outcome.answer.imported.notes.map(({ message }) => message) : sentencesOf(outcome.refusal)
  const said = sentences.map((sentence) => /(?:below the|^With the) root “(.*?)”/.exec(sentence)?.[1])
  return said.find((title) => title !== undefined)
}

/** The sentences of a refusal, each once. */
export function sentencesOf({ message, details }: ApiError): readonly string[] {
  return [...new Set(details.length > 0 ? details : [message])]
}
