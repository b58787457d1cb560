/** A JSON Schema (2020-12), as OpenAPI 3.1 has them. */
export interface JsonSchema {
  readonly properties?: Readonly<Record<string, JsonSchema>>
  readonly required?: readonly string[]
  readonly items?: JsonSchema
  readonly [keyword: string]: unknown
}

declare const fitting: unique symbol

/** The JSON Schema of a value on the wire, and its type. */
export interface Shape<Value = unknown> extends JsonSchema {
  /** For the compiler only. */
  readonly [fitting]?: Value
}

/** The type of the values that fit a shape. */
export type ValueOf<Of extends Shape> = Of extends Shape<infer Value> ? Value : never

type Members = Readonly<Record<string, Shape>>

/** An object with these members; those in `optional` may be absent. */
export function object<Required extends Members, Optional extends Members = Record<never, never>>(
  members: Required,
  optional?: Optional,
): Shape<ObjectOf<Required, Optional>> {
  return { type: 'object', properties: { ...members, ...optional }, required: Object.keys(members) }
}

type ObjectOf<Required extends Members, Optional extends Members> = Flat<
  { readonly [Name in keyof Required]: ValueOf<Required[Name]> } & {
    readonly [Name in keyof Optional]?: ValueOf<Optional[Name]>
  }
>
type Flat<Object> = { [Name in keyof Object]: Object[Name] }

/** An object that may have other members too. */
export function open<Value>(shape: Shape<Value>): Shape<Value> {
  return { ...shape, additionalProperties: true }
}

/** A shape with a name of its own: OpenAPI has it once, among the components. */
export function component<Value>(name: string, description: string, shape: Shape<Value>): Shape<Value> {
  return { title: name, description, ...shape }
}

/** The component of this name, where a shape holds itself. */
export function reference<Value>(name: string): Shape<Value> {
  return { $ref: `#/components/schemas/${name}` }
}

export function list<Entry>(items: Shape<Entry>, description?: string): Shape<readonly Entry[]> {
  return described({ type: 'array', items }, description)
}

/** An object whose members have any names. */
export function mapOf<Member>(members: Shape<Member>, description: string): Shape<Readonly<Record<string, Member>>> {
  return { type: 'object', additionalProperties: members, description }
}

export function text(description?: string): Shape<string> {
  return described({ type: 'string' }, description)
}

/** Text that matches a regular expression. */
export function matching(pattern: string, description?: string): Shape<string> {
  return described({ type: 'string', pattern }, description)
}

/** 32 lower-case hex characters. */
export function id(description?: string): Shape<string> {
  return matching('^[0-9a-f]{32}$', description)
}

/** 16 letters and digits: ids of portals and roles. */
export function shortId(description?: string): Shape<string> {
  return matching('^[0-9A-Za-z]{16}$', description)
}

/** One of some words. */
export function choice<const Word extends string>(words: readonly Word[], description?: string): Shape<Word> {
  return described({ type: 'string', enum: words }, description)
}

/** A value that fits one of the shapes, of different types. */
export function either<const Of extends readonly Shape[]>(shapes: Of, description: string): Shape<ValueOf<Of[number]>> {
  return { oneOf: shapes, description }
}

export function boolean(description?: string): Shape<boolean> {
  return described({ type: 'boolean' }, description)
}

export function integer(description: string, minimum?: number): Shape<number> {
  return { type: 'integer', ...(minimum === undefined ? {} : { minimum }), description }
}

export function number(description?: string): Shape<number> {
  return described({ type: 'number' }, description)
}

/** Any JSON. */
export function any(description: string): Shape<unknown> {
  return { description }
}

/** Always this value. */
export function constant<const Value extends string | boolean>(value: Value): Shape<Value> {
  return { type: typeof value, const: value }
}

export function nullable<Value>(shape: Shape<Value>): Shape<Value | null> {
  const { type, enum: words } = shape
  return {
    ...shape,
    type: [type, 'null'],
    ...(Array.isArray(words) ? { enum: [...words, null] } : {}),
  } as Shape<Value | null>
}

/** An object without members, kept for clients that look into it. */
export function emptyObject(): Shape<Readonly<Record<string, never>>> {
  return { type: 'object', maxProperties: 0, description: 'Always empty.' }
}

const milliseconds = 'epoch-milliseconds'

/** A point in time. Without the format, generated clients take 32 bits, too few. */
export function time(description: string): Shape<number> {
  return { type: 'integer', format: 'int64', 'x-unit': milliseconds, description: `${description} Epoch milliseconds.` }
}

const duration = 'duration-milliseconds'

/** A span of time. */
export function durationOf(description: string): Shape<number> {
  return { type: 'integer', minimum: 0, 'x-unit': duration, description: `${description} Milliseconds.` }
}

function described(schema: JsonSchema, description: string | undefined): JsonSchema {
  return description === undefined ? schema : { ...schema, description }
}
