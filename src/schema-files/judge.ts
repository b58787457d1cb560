import type { Parsed } from '../call/parsed.ts'
import type { SchemaLimits } from '../categories/limits.ts'
import { judgeSchema, type SchemaVerdict, treesOutOfBounds } from '../categories/schema.ts'
import type { PlacedSchema } from './merge.ts'
import { listProblems, type Place } from './schema-file.ts'

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
    return `There are ${trees.length} trees${named}; at most ${limits.trees} are allowed.`
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
