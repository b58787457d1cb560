import type { Parsed } from '../../call/parsed.ts'
import { hasMoreValues } from '../../json-text.ts'
import { findLengthProblem, findNameProblem, findTextProblem, isBlank } from '../../plain-text.ts'
import type { Fields } from '../../record.ts'
import { say } from '../../sentences/say.ts'

/** One parameter of an operation, as the table describes it and as requests are read by it. */
export interface Parameter<Value> {
  readonly type: 'string' | 'integer' | 'boolean' | 'list' | 'json' | 'file'
  readonly isRequired: boolean
  readonly meaning: string
  readonly choices?: readonly string[]
  /** Maximum length, in UTF-16 code units. */
  readonly maxLength?: number
  /** A form has several lines for it, whatever its length. */
  readonly isMultiline?: true
  readonly minimum?: number
  readonly maximum?: number
  /** A larger value is reduced to this, without an error. */
  readonly cap?: number
  /** Whether it is a secret, which is never shown nor kept by a form. */
  readonly isSecret?: true
  /** Set if it has no effect: a warning names it, unless clients are known to send it by habit (observed). */
  readonly unused?: 'named' | 'tolerated'
  /** Its name among the extensions of /info, if the public API does not have it (chosen). */
  readonly extension?: string
  /** The value, or a sentence that says what is wrong; `given` is undefined where the client gave nothing. */
  read(given: string | undefined): Value | Wrong
  /** The value where the bytes are not UTF-8; without it, that is wrong. */
  readMalformed?(): Value
  /** The value where it is given several times; without it, that is wrong. */
  readRepeated?(given: readonly string[]): Value | Wrong
}

/** Problem with a value, as a sentence; the parameter's name is put before it. */
export class Wrong {
  readonly sentence: string
  constructor(sentence: string) {
    this.sentence = sentence
  }
}

export type Parameters = Readonly<Record<string, Parameter<unknown>>>
export type Values<Described extends Parameters> = {
  readonly [Name in keyof Described]: Described[Name] extends Parameter<infer Value> ? Value : never
}

/** The values that were given, for changes that leave the rest as it is. */
export function onlyGiven<Object extends object>(
  values: Object,
): { [Name in keyof Object]?: Exclude<Object[Name], undefined> } {
  const given: { [Name in keyof Object]?: Exclude<Object[Name], undefined> } = {}
  for (const name in values) {
    const value = values[name]
    if (value !== undefined) given[name] = value as never
  }
  return given
}

const absent = new Wrong('give a value.')

interface TextRules {
  readonly maxLength?: number
  readonly isSecret?: true
}

/** Text of one or several lines. Control characters other than tab and line ends are refused (chosen). */
export function requiredText(meaning: string, rules: TextRules = {}): Parameter<string> {
  return {
    type: 'string',
    isRequired: true,
    meaning,
    ...rules,
    read: (given) => (given === undefined || isBlank(given) ? absent : checkText(given, rules)),
  }
}

export function optionalText(meaning: string, rules: TextRules = {}): Parameter<string | undefined> {
  return {
    type: 'string',
    isRequired: false,
    meaning,
    ...rules,
    read: (given) => (given === undefined ? undefined : checkText(given, rules)),
  }
}

/** A name or a title, without any control character (chosen). Blank, it is empty. */
export function optionalName(meaning: string, rules: NameRules): Parameter<string | undefined> {
  const text = optionalText(meaning, rules)
  return { ...text, read: (given) => nameOf(text.read(given)) }
}

/** A name like `optionalName`, required and not blank. */
export function requiredName(meaning: string, rules: NameRules): Parameter<string> {
  const text = requiredText(meaning, rules)
  return { ...text, read: (given) => nameOf(text.read(given)) }
}

/** A name in a change: it may be absent, but not blank. */
export function changedName(meaning: string, rules: NameRules): Parameter<string | undefined> {
  const name = requiredName(meaning, rules)
  return { ...name, isRequired: false, read: (given) => (given === undefined ? undefined : name.read(given)) }
}

interface NameRules {
  readonly maxLength: number
}

function nameOf<Text extends string | undefined>(read: Text | Wrong): Text | '' | Wrong {
  if (typeof read !== 'string') return read
  if (isBlank(read)) return ''
  const problem = findNameProblem(read, Number.POSITIVE_INFINITY)
  return problem === undefined ? read : new Wrong(problem)
}

function checkText(text: string, { maxLength = Number.POSITIVE_INFINITY, isSecret }: TextRules): string | Wrong {
  const problem = isSecret ? findLengthProblem(text, maxLength) : findTextProblem(text, maxLength)
  return problem === undefined ? text : new Wrong(problem)
}

interface IntegerRules {
  readonly minimum: number
  readonly maximum?: number
  /** A larger value is reduced to this, without an error (documented). */
  readonly cap?: number
}

export function optionalInteger(meaning: string, rules: IntegerRules): Parameter<number | undefined> {
  const { minimum, maximum, cap } = rules
  const range = maximum === undefined ? `${minimum} or more` : `from ${minimum} to ${maximum}`
  return {
    type: 'integer',
    isRequired: false,
    meaning,
    minimum,
    ...(maximum === undefined ? {} : { maximum }),
    ...(cap === undefined ? {} : { cap }),
    read(given) {
      if (given === undefined || given.trim() === '') return undefined
      const text = given.trim()
      const value = Number(text)
      if (!/^-?\d+$/.test(text)) return new Wrong('is not a whole number.')
      if (value < minimum || value > (maximum ?? value)) return new Wrong(`has to be ${range}.`)
      if (cap !== undefined) return Math.min(value, cap)
      return value > Number.MAX_SAFE_INTEGER ? new Wrong(`has to be at most ${Number.MAX_SAFE_INTEGER}.`) : value
    },
  }
}

/** `true` and `false`, as clients write them. */
export function optionalBoolean(meaning: string): Parameter<boolean | undefined> {
  return {
    type: 'boolean',
    isRequired: false,
    meaning,
    read(given) {
      const text = given?.trim().toLowerCase()
      if (text === undefined || text === '') return undefined
      return text === 'true' ? true : text === 'false' ? false : new Wrong('has to be true or false.')
    },
  }
}

export function optionalChoice<Choice extends string>(
  meaning: string,
  choices: readonly Choice[],
): Parameter<Choice | undefined> {
  return {
    type: 'string',
    isRequired: false,
    meaning,
    choices,
    read(given) {
      if (given === undefined || given.trim() === '') return undefined
      const text = given.trim().toLowerCase()
      return (
        choices.find((choice) => choice.toLowerCase() === text) ?? new Wrong(`has to be one of ${choices.join(', ')}.`)
      )
    },
  }
}

/** A guard that is given empty is refused (chosen): a script whose variable is unset would go on without it. */
export function guard<Value>(condition: Parameter<Value>, without: string): Parameter<Value> {
  const empty = new Wrong(`is empty; give a value, or leave it out ${without}.`)
  return { ...condition, read: (given) => (given?.trim() === '' ? empty : condition.read(given)) }
}

interface ListRules {
  /** Maximum number of entries. */
  readonly max: number
  /** Maximum length of one entry, in UTF-16 code units. */
  readonly maxLength: number
}

/** Words with commas between them. */
export function optionalList(meaning: string, rules: ListRules): Parameter<readonly string[] | undefined> {
  return {
    type: 'list',
    isRequired: false,
    meaning,
    read(given) {
      if (given === undefined) return undefined
      // Empty and repeated entries do not count below, so a few more are read than are allowed.
      const maxRead = 10 * rules.max
      const entries = given.split(',', maxRead + 1).map((entry) => entry.trim())
      if (entries.length > maxRead) {
        return new Wrong(`has more than ${maxRead} entries; at most ${rules.max} are allowed.`)
      }
      const words = [...new Set(entries.filter((entry) => entry !== ''))]
      if (words.length > rules.max) return new Wrong(say('tooManyEntries', { count: words.length, max: rules.max }))
      for (const word of words) {
        const checked = checkText(word, rules)
        if (checked instanceof Wrong) return new Wrong(say('entryWrong', { problem: checked.sentence }))
      }
      return words
    },
  }
}

/** A list like `optionalList`, with at least one entry. */
export function requiredList(meaning: string, rules: ListRules): Parameter<readonly string[]> {
  const { type, read } = optionalList(meaning, rules)
  return {
    type,
    isRequired: true,
    meaning,
    read(given) {
      const entries = read(given) ?? []
      return !(entries instanceof Wrong) && entries.length === 0 ? absent : entries
    },
  }
}

/** Parameters of a change, by what they mean: their kinds and limits are those of the record's fields. */
export function parametersOf<Of extends Fields, Name extends keyof Of & string>(
  fields: Of,
  meanings: Readonly<Record<Name, string>>,
): { readonly [Member in Name]: Parameter<Of[Member]['value'] | undefined> } {
  const entries = Object.entries<string>(meanings).map(([name, meaning]) => [name, ofField(fields[name]!, meaning)])
  return Object.fromEntries(entries)
}

function ofField({ rules: { form, max, maxEntries, choices } }: Fields[string], meaning: string): Parameter<unknown> {
  if (choices) return optionalChoice(meaning, choices)
  if (form === 'flag') return optionalBoolean(meaning)
  const lengths = max === undefined ? {} : { maxLength: max }
  return maxEntries === undefined
    ? optionalText(meaning, lengths)
    : optionalList(meaning, { max: maxEntries, maxLength: max! })
}

/** A text that a room judges, or why there is none. */
export type JudgedText = { readonly text: string } | { readonly problem: string }

/** JSON whose judgement is a room's own, also if it is not given or not UTF-8. */
export function judgedJson(meaning: string): Parameter<JudgedText> {
  return {
    type: 'json',
    isRequired: true,
    meaning,
    read: (given) => (given === undefined ? { problem: absent.sentence } : { text: given }),
    readMalformed: () => ({ problem: 'the bytes are not UTF-8.' }),
  }
}

/** The text of a file, sent as a part of a multipart body or as an ordinary field. */
export function optionalFile(meaning: string): Parameter<string | undefined> {
  return { type: 'file', isRequired: false, meaning, read: (given) => given }
}

/** JSON text that is looked at elsewhere. */
export function optionalJsonText(meaning: string): Parameter<string | undefined> {
  return { type: 'json', isRequired: false, meaning, read: (given) => given }
}

/** Maximum number of values of a JSON text, more than any operation takes: the cost of parsing depends on them. */
const maxValues = 10_000

/** JSON that a function of its own turns into a value. */
export function requiredJson<Value>(meaning: string, from: (value: unknown) => Parsed<Value>): Parameter<Value> {
  return {
    type: 'json',
    isRequired: true,
    meaning,
    read(given) {
      if (given === undefined || given.trim() === '') return absent
      if (hasMoreValues(given, maxValues)) return new Wrong(`has more than ${maxValues} values.`)
      const parsed = parseJson(given)
      if (parsed === undefined) return new Wrong('is not JSON.')
      const value = from(parsed.value)
      return 'problems' in value ? new Wrong(value.problems.join(' ')) : value.value
    },
  }
}

/** JSON like that of `requiredJson`, which may be absent. Blank, it is absent too. */
export function optionalJson<Value>(
  meaning: string,
  from: (value: unknown) => Parsed<Value>,
): Parameter<Value | undefined> {
  const { type, read } = requiredJson(meaning, from)
  const isAbsent = (given: string | undefined) => given === undefined || given.trim() === ''
  return { type, isRequired: false, meaning, read: (given) => (isAbsent(given) ? undefined : read(given)) }
}

export function parseJson(text: string): { readonly value: unknown } | undefined {
  try {
    return { value: JSON.parse(text) }
  } catch {
    return undefined
  }
}

/** The parameter with a value where none is given. */
export function withDefault<Value>(parameter: Parameter<Value | undefined>, value: Value): Parameter<Value> {
  return { ...parameter, read: (given) => parameter.read(given) ?? value } as Parameter<Value>
}
