import type { SchemaLimits } from '../../../categories/limits.ts'
import { judgeSchema, malformed, type SchemaVerdict } from '../../../categories/schema.ts'
import { mapParsed, type Parsed } from '../../../parsed.ts'
import {
  type JudgedText,
  judgedJson,
  onlyGiven,
  optionalInteger,
  optionalText,
  type Parameter,
  Wrong,
} from '../parameter-types.ts'
import type { OwnerWords } from './owner-words.ts'

/** Parameters of what changes a category schema. */

export const ifVersion = optionalInteger(
  'Version that has to be the present one, else 409; 0 if there never was a schema.',
  { minimum: 0 },
)

const ifHash: Parameter<string | undefined> = {
  type: 'string',
  isRequired: false,
  meaning: 'Hash that the present schema has to have, else 409: sha256: and 64 hexadecimal digits.',
  read(given) {
    if (given === undefined || given.trim() === '') return undefined
    const hash = given.trim().toLowerCase()
    return /^sha256:[0-9a-f]{64}$/.test(hash) ? hash : new Wrong('has to be sha256: and 64 hexadecimal digits.')
  },
}

const longestComment = 500

const commentText = optionalText('Why the schema changes; kept with the version.', { maxLength: longestComment })
export const comment: Parameter<string | undefined> = {
  ...commentText,
  read: (given) => (given === '' ? undefined : commentText.read(given)),
}

const schemaMeaning =
  'JSON text of an object with the member categorySchema: up to 5 trees, 4 levels and 200 categories.'

/** What is assigned, and how. */
export const assignParameters = ({ textLimits }: Pick<OwnerWords, 'textLimits'>) => ({
  categorySchema: judgedJson(`${schemaMeaning} ${textLimits}`),
  ifVersion,
  ifHash,
  comment,
})

/** Longest text that costs about as little to judge as the look-up of its sender, in characters; most schemas are shorter. */
const longestUnasked = 32 * 1024

/** Judges the text; before a long one, `requirePermission` refuses callers who may not assign it. */
export async function judge(
  input: Parsed<{ readonly categorySchema: JudgedText }>,
  limits: SchemaLimits,
  requirePermission: () => Promise<unknown>,
): Promise<Parsed<SchemaVerdict>> {
  if ('value' in input && 'text' in input.value.categorySchema) {
    if (input.value.categorySchema.text.length > longestUnasked) await requirePermission()
  }
  return mapParsed(input, ({ categorySchema }) =>
    'text' in categorySchema
      ? judgeSchema(categorySchema.text, limits)
      : malformed(`categorySchema: ${categorySchema.problem}`),
  )
}

/** The options that are given besides the schema; undefined for a plain assign. */
export function optionsOf<Values extends { readonly categorySchema: JudgedText }>(input: Parsed<Values>) {
  if ('problems' in input) return undefined
  const { categorySchema: _, ...options } = input.value
  const given = onlyGiven(options)
  return Object.keys(given).length > 0 ? given : undefined
}
