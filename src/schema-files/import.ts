import type { SchemaLimits } from '../categories/limits.ts'
import type { Move } from '../categories/moves.ts'
import type { CategorySchema } from '../categories/schema.ts'
import { type FitOptions, fitFile } from './fit.ts'
import { applyMoves, findMoves, keepPossible } from './identity.ts'
import { type AcceptedSchema, judgeRead } from './judge.ts'
import { mergeSchemas } from './merge.ts'
import type { FileReading, Mark, ReadSchemaFile, RefusedFile, SchemaFileReading } from './schema-file.ts'

export interface ImportOptions extends FitOptions {
  readonly before: CategorySchema
  readonly mode: 'replace' | 'merge'
  /** Moves that the caller declares; undefined to find them by identifiers and URIs. */
  readonly moves: readonly Move[] | undefined
  readonly limits: SchemaLimits
}

/** A file that can be imported, the schema that it makes, and the moves that lead to it. */
export type ImportedFile = ReadSchemaFile & FileReading & AcceptedSchema & { readonly moves: readonly Move[] }

/** Makes a schema of what was read: fitted to the limits, merged if so asked, and judged by the rules of schemas. */
export function importFile(
  file: SchemaFileReading,
  { before, mode, moves, limits, ...options }: ImportOptions,
): { readonly value: ImportedFile } | RefusedFile {
  if ('problems' in file) return file
  const { format } = file.value
  const outcome = (schema: CategorySchema) =>
    mode === 'merge' ? mergeSchemas(before, { schema, places: new Map() }).schema : schema
  // SKOS is read with its branch chosen; JSON is the schema itself.
  const fitted =
    format === 'json'
      ? file
      : fitFile(file.value, { ...options, root: format === 'skos' ? undefined : options.root }, limits, outcome)
  if ('problems' in fitted) return withMarks(fitted, file.value)
  const found = moves === undefined ? findMoves(before, fitted.value) : []
  const whole = mode === 'merge' ? mergeSchemas(applyMoves(before, moves ?? found), fitted.value) : fitted.value
  const judged = judgeRead({ ...whole, guess: fitted.value.guess }, limits)
  if ('problems' in judged) return withMarks(judged, file.value)
  const kept = keepPossible(found, before, judged.value.schema)
  return { value: { ...file.value, ...fitted.value, ...judged.value, moves: kept } }
}

/** The refusal with how the file was read, and the rows that its sentences name marked. */
function withMarks(refused: RefusedFile, { table, language, languages }: FileReading): RefusedFile {
  const marks = refused.problems.flatMap((message): readonly Mark[] => {
    const row = Number(/^Row (\d+):/.exec(message)?.[1])
    return row > 0 ? [{ row, message }] : []
  })
  return {
    ...refused,
    ...(table && { table: { ...table, marks: [...table.marks, ...marks] } }),
    ...(language !== undefined && { language }),
    ...(languages && { languages }),
  }
}
