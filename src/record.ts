/**
 * A record is described once, by its fields: its type, the columns of its row, the conversion of both, its limits and its defaults
 * follow. The column of a member has its name in snake case; times are epoch milliseconds.
 */

/** Properties of a field that exist when the program runs. */
export interface Rules {
  /** Stored as it is, as 1 or 0, or as JSON text. */
  readonly form: 'same' | 'flag' | 'json'
  /** May be undefined, and null in the row. */
  readonly isOptional?: boolean
  /** Maximum UTF-16 code units of a text, or of an entry of a list. */
  readonly max?: number | undefined
  /** Maximum entries of a list. */
  readonly maxEntries?: number
  readonly choices?: readonly string[]
}

/** A field of a record. `value` and `column` are for the compiler only. */
export class Field<Value, Column> {
  declare readonly value: Value
  declare readonly column: Column
  readonly rules: Rules

  constructor(rules: Rules) {
    this.rules = rules
  }
}

/** A field that is set by the server, unless one of its methods says otherwise. */
class Own<Value, Column> extends Field<Value, Column> {
  /** Required of callers. */
  given(): Given<Value, Column> {
    return new Given(this.rules)
  }

  /** Callers may set it; this is its value in a new record. */
  or(value: Value): Defaulted<Value, Column> {
    return new Defaulted(this.rules, value)
  }

  optional(): Own<Value | undefined, Column | null> {
    return new Own({ ...this.rules, isOptional: true })
  }
}

class Given<Value, Column> extends Field<Value, Column> {
  readonly isGiven = true
}

class Defaulted<Value, Column> extends Given<Value, Column> {
  readonly default: Value

  constructor(rules: Rules, value: Value) {
    super(rules)
    this.default = value
  }
}

/** The kinds of fields. */
export const field = {
  /** 32 lower-case hex characters. Never reused. */
  id: () => new Own<string, string>({ form: 'same' }),
  text: <Value extends string = string>(max?: number) => new Own<Value, Value>({ form: 'same', max }),
  choice: <Choice extends string>(choices: readonly Choice[]) => new Own<Choice, Choice>({ form: 'same', choices }),
  number: () => new Own<number, number>({ form: 'same' }),
  /** Epoch milliseconds. */
  time: () => new Own<number, number>({ form: 'same' }),
  flag: () => new Own<boolean, number>({ form: 'flag' }),
  texts: (maxEntries: number, max: number) => new Own<readonly string[], string>({ form: 'json', maxEntries, max }),
  json: <Value>() => new Own<Value, string>({ form: 'json' }),
}

export type Fields = Readonly<Record<string, Field<unknown, unknown>>>

export type RecordOf<Of extends Fields> = { readonly [Name in keyof Of]: Of[Name]['value'] }

/** A record of which optional members may be left out. */
export type GivenOf<Of extends Fields> = RecordOf<Omit<Of, OptionalNames<Of>>> &
  Partial<RecordOf<Pick<Of, OptionalNames<Of>>>>

type OptionalNames<Of extends Fields> = {
  [Name in keyof Of]: undefined extends Of[Name]['value'] ? Name : never
}[keyof Of]

/** Columns of the fields, with a prefix where a row has the same fields twice. */
export type RowOf<Of extends Fields, Prefix extends string = ''> = {
  [Name in keyof Of & string as `${Prefix}${Snake<Name>}`]: Of[Name]['column']
}

/** Members that callers set. */
export type PropertiesOf<Of extends Fields> = RecordOf<Pick<Of, NamesOf<Of, Given<unknown, unknown>>>>

type NamesOf<Of extends Fields, Kind> = { [Name in keyof Of]: Of[Name] extends Kind ? Name : never }[keyof Of]

type Snake<Name extends string> = Name extends `${infer First}${infer Rest}`
  ? `${First extends Lowercase<First> ? First : `_${Lowercase<First>}`}${Snake<Rest>}`
  : Name

/** Second base of an interface without members of its own: the compiler's messages then have its name. */
export type Named = Record<never, never>

/** Members that callers may set, in a new record. */
export function defaultsOf<Of extends Fields>(
  fields: Of,
): RecordOf<Pick<Of, NamesOf<Of, Defaulted<unknown, unknown>>>> {
  const defaults = Object.entries(fields).flatMap(([name, of]) => (of instanceof Defaulted ? [[name, of.default]] : []))
  return Object.fromEntries(defaults)
}

export function pickFields<Of extends Fields, Name extends keyof Of & string>(
  fields: Of,
  names: readonly Name[],
): Pick<Of, Name> {
  return Object.fromEntries(names.map((name) => [name, fields[name]])) as Pick<Of, Name>
}
