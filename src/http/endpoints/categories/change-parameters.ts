import { mapParsed, type Parsed } from '../../../call/parsed.ts'
import { removedCategoryPolicies } from '../../../categories/change/accept-paths.ts'
import type { SchemaLimits } from '../../../categories/limits.ts'
import { type Move, maxMoves } from '../../../categories/moves.ts'
import { judgeSchema, malformed, type SchemaVerdict } from '../../../categories/schema.ts'
import { findDroppedMembers, findMisspeltMembers, findSchemaWarnings } from '../../../categories/schema-warnings.ts'
import { say } from '../../../sentences/say.ts'
import {
  guard,
  type JudgedText,
  judgedJson,
  onlyGiven,
  optionalBoolean,
  optionalChoice,
  optionalInteger,
  optionalJson,
  optionalText,
  type Parameter,
  Wrong,
} from '../parameter-types.ts'
import type { OwnerWords } from './owner-words.ts'

/** Parameters of what changes a category schema. */

const whateverItIs = 'to change the schema whatever it is'

/** Conditions on the present schema. */
export const conditions = {
  ifVersion: guard(
    optionalInteger('Version that has to be the present one, else 409; 0 if there never was a schema.', { minimum: 0 }),
    whateverItIs,
  ),
  ifHash: guard<string | undefined>(
    {
      type: 'string',
      isRequired: false,
      meaning: 'Hash that the present schema has to have, else 409: sha256: and 64 hexadecimal digits.',
      read(given) {
        const hash = given?.trim().toLowerCase()
        const isHash = hash === undefined || /^sha256:[0-9a-f]{64}$/.test(hash)
        return isHash ? hash : new Wrong('has to be sha256: and 64 hexadecimal digits.')
      },
    },
    whateverItIs,
  ),
}

const maxCommentLength = 500

const commentText = optionalText('Why the schema changes; kept with the version, without blanks around it.', {
  maxLength: maxCommentLength,
})
/** Other control characters than these are refused: terminals and logs that show a comment obey some of them. */
const controlCharacter = /[^\P{Cc}\t\n\r]/u
export const comment: Parameter<string | undefined> = {
  ...commentText,
  read(given) {
    const text = given?.trim()
    if (text === undefined || text === '') return undefined
    return controlCharacter.test(text) ? new Wrong(say('hasControl')) : commentText.read(text)
  },
}

export const dryRun = guard(
  optionalBoolean('true: nothing is changed; the answer is the plan, or the error of the real call.'),
  'to make the change',
)

/** `[{"from":"/Categories/Water","to":"/Categories/Hydrology"}]`; what is none has no texts, and is judged with the others. */
function parseMoves(value: unknown): Parsed<readonly Move[]> {
  if (!Array.isArray(value)) return { problems: ['is not a list.'] }
  if (value.length > maxMoves) return { problems: [say('tooManyEntries', { count: value.length, max: maxMoves })] }
  return { value: value.map((entry) => (isMove(entry) ? { from: entry.from, to: entry.to } : { from: '', to: '' })) }
}

function isMove(value: unknown): value is Move {
  if (typeof value !== 'object' || value === null) return false
  return 'from' in value && 'to' in value && typeof value.from === 'string' && typeof value.to === 'string'
}

const moveList = optionalJson(
  'JSON list of {"from":"/old/path","to":"/new/path"}, at most 200: items follow, all moves together, each path by its longest from.',
  parseMoves,
)
const moves: Parameter<readonly Move[] | undefined> = { ...moveList, extension: 'moves' }

const vanishing = optionalChoice(
  'What becomes of items whose category the new schema does not have: keep (default), refuse the change, or clear the category.',
  removedCategoryPolicies,
)

const schemaMeaning =
  'JSON text of an object with the member categorySchema: up to 5 trees, 4 levels and 200 categories.'

/** Parameters of an assign: the schema and its conditions. */
export const assignParameters = ({ textLimits }: Pick<OwnerWords, 'textLimits'>) => ({
  categorySchema: judgedJson(`${schemaMeaning} ${textLimits}`),
  ...conditions,
  moves,
  comment,
  vanishing,
})

/** Maximum length of a text that costs about as little to judge as the look-up of its sender, in characters; most schemas are shorter. */
const maxUncheckedLength = 32 * 1024

/** Judges the text; before a long one, `requirePermission` refuses callers who may not assign it. */
export async function judge(
  input: Parsed<{ readonly categorySchema: JudgedText }>,
  limits: SchemaLimits,
  requirePermission: () => Promise<unknown>,
): Promise<Parsed<SchemaVerdict>> {
  if ('value' in input && 'text' in input.value.categorySchema) {
    if (input.value.categorySchema.text.length > maxUncheckedLength) await requirePermission()
  }
  return mapParsed(input, ({ categorySchema }) =>
    'text' in categorySchema
      ? judgeSchema(categorySchema.text, limits)
      : malformed(`categorySchema: ${categorySchema.problem}`),
  )
}

/** The text of a schema that was accepted. */
function acceptedText(input: Parsed<{ readonly categorySchema: JudgedText }>): string | undefined {
  return 'value' in input && 'text' in input.value.categorySchema ? input.value.categorySchema.text : undefined
}

/** Members of an accepted text that are not kept. */
export function droppedIn(input: Parsed<{ readonly categorySchema: JudgedText }>): readonly string[] {
  const text = acceptedText(input)
  return text === undefined ? [] : findDroppedMembers(text)
}

interface Accepted {
  readonly text: string
  readonly document: string
}

/** The text of a schema that was accepted, and what is stored of it. */
function accepted(
  input: Parsed<{ readonly categorySchema: JudgedText }>,
  verdict: Parsed<SchemaVerdict>,
): Accepted | undefined {
  const text = acceptedText(input)
  if (text === undefined || 'problems' in verdict || !('document' in verdict.value)) return undefined
  return { text, document: verdict.value.document }
}

/** Warnings about an accepted text: content that may not be intended. */
export function warningsOf(...given: Parameters<typeof accepted>): readonly string[] {
  const found = accepted(...given)
  return found ? findSchemaWarnings(found.text, found.document) : []
}

/** Members of an accepted text that are not kept and were perhaps misspelt. */
export function misspeltIn(...given: Parameters<typeof accepted>): readonly string[] {
  const found = accepted(...given)
  // The usual case: the text was stored as given, so no member was left out.
  if (!found || found.text === found.document) return []
  return findMisspeltMembers(found.text)
}

/** The options that are given besides the schema; undefined for a plain assign. */
export function optionsOf<Values extends { readonly categorySchema: JudgedText }>(input: Parsed<Values>) {
  if ('problems' in input) return undefined
  const { categorySchema: _, ...options } = input.value
  const given = onlyGiven(options)
  return Object.keys(given).length > 0 ? given : undefined
}

export function isDryRun(input: Parsed<{ readonly dryRun: boolean | undefined }>): boolean {
  return 'value' in input && input.value.dryRun === true
}
