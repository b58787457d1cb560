import type { Parsed } from '../call/parsed.ts'
import type { SchemaLimits } from '../categories/limits.ts'
import type { Move } from '../categories/moves.ts'
import { type CategorySchema, judgeSchema, type SchemaVerdict, treesOutOfBounds } from '../categories/schema.ts'
import { say } from '../sentences/say.ts'
import { type FitOptions, type FittedFile, fitFile } from './fit.ts'
import { applyMoves, findMoves, keepPossible } from './identity.ts'
import { mergeSchemas, type PlacedSchema } from './merge.ts'
import {
  type FileFormat,
  type FileReading,
  listProblems,
  type Mark,
  type Note,
  type Place,
  type ReadSchemaFile,
  type RefusedFile,
  type SchemaFileReading,
} from './schema-file.ts'

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
  // A branch that is added to what is there is a copy of it.
  const isCopy = mode === 'merge' && options.root !== undefined
  const movesOf = (fitted: FittedFile) => (moves === undefined && !isCopy ? findMoves(before, fitted) : [])
  const outcome = (fitted: FittedFile) =>
    mode === 'merge' ? mergeSchemas(applyMoves(before, moves ?? movesOf(fitted)), fitted) : fitted
  const { categorySchema: present } = before
  const onlyTree = mode === 'merge' && present.length === 1 ? present[0]!.title : undefined
  // SKOS is read with its branch chosen; JSON is the schema itself.
  const fitted =
    format === 'json'
      ? file
      : fitFile(
          file.value,
          { ...options, onlyTree, root: format === 'skos' ? undefined : options.root },
          limits,
          outcome,
        )
  if ('problems' in fitted) return withMarks(fitted, file.value)
  const judged = judgeRead({ ...outcome(fitted.value), guess: fitted.value.guess }, limits)
  if ('problems' in judged) return withMarks(judged, file.value)
  const found = movesOf(fitted.value)
  const kept = keepPossible(found, before, judged.value.schema)
  const notes = [...notesOnOptions(format, options), ...fitted.value.notes, ...notesOnLost(found, kept)]
  return { value: { ...file.value, ...fitted.value, ...judged.value, notes, moves: kept } }
}

/** Notes on options that a schema in JSON does not have. */
function notesOnOptions(format: FileFormat, options: FitOptions): readonly Note[] {
  if (format !== 'json') return []
  const given = [
    ...(options.root === undefined ? [] : ['root']),
    ...(options.below === undefined ? [] : ['below']),
    ...(options.depth === 'cut' ? ['depth'] : []),
    ...(options.titles === 'cut' ? ['titles'] : []),
  ]
  return given.map((name) => ({ message: `${name} has no effect on JSON, which is the schema itself.` }))
}

/** Notes on categories that the file knows by another path, and whose items cannot follow. */
function notesOnLost(found: readonly Move[], kept: readonly Move[]): readonly Note[] {
  return found
    .filter((move) => !kept.includes(move))
    .map(({ from, to }) => ({
      message: `Items of ${from} do not follow to ${to}: the file has another category ${from}.`,
    }))
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

/** A schema that keeps the rules, with the verdict for the assign. */
export interface AcceptedSchema extends PlacedSchema {
  readonly verdict: SchemaVerdict
}

/**
 * Applies the rules of schemas to what was read; each violation has the row or the URI that it comes from. What was guessed
 * of the file is reported before them.
 */
export function judgeRead(
  { guess, ...placed }: PlacedSchema & { readonly guess?: string | undefined },
  limits: SchemaLimits,
): Parsed<AcceptedSchema> {
  const verdict = judgeSchema(JSON.stringify(placed.schema), limits)
  if ('document' in verdict) return { value: { schema: placed.schema, places: placed.places, verdict } }
  const sentences = verdict.reasons ?? verdict.violations
  const located = listProblems(sentences.map((sentence) => locate(sentence, placed, limits)))
  return { problems: guess === undefined ? located : [guess, ...located] }
}

function locate(sentence: string, { schema, places }: PlacedSchema, limits: SchemaLimits): string {
  if (sentence === treesOutOfBounds) {
    const trees = schema.categorySchema
    const names = trees.keys().flatMap((at) => nameOf(places.get(`/categorySchema/${at}`)))
    const [...first] = names.take(maxNamed + 1)
    const rest = first.splice(maxNamed).length > 0 ? ' and others' : ''
    const named = first.length > 0 ? ` (${first.join(', ')}${rest})` : ''
    return say('tooManyTrees', { count: trees.length, named, max: limits.trees })
  }
  const pointer = /\/categorySchema(?:\/\d+(?:\/categories)?)*/.exec(sentence)?.[0].replace(/\/categories$/, '')
  const [name] = nameOf(pointer === undefined ? undefined : places.get(pointer))
  return name === undefined ? sentence : `${name}: ${sentence}`
}

/** Trees that are named where there are too many: the first that is too many among them. */
const maxNamed = 6

function nameOf(place: Place | undefined): readonly string[] {
  if (!place) return []
  return ['row' in place ? `Row ${place.row}` : place.uri]
}
