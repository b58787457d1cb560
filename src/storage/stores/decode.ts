interface Form {
  read(stored: unknown): unknown
  write(member: unknown): unknown
}

const forms = {
  same: { read: (stored) => stored, write: (member) => member },
  boolean: { read: (stored) => stored === 1, write: (member) => (member ? 1 : 0) },
  json: { read: (stored) => JSON.parse(stored as string), write: (member) => JSON.stringify(member) },
  optional: { read: (stored) => stored ?? undefined, write: (member) => member ?? null },
} as const satisfies Record<string, Form>

/** A column whose member has another form than the column. */
interface Cell<Name extends keyof typeof forms, Column> {
  readonly form: Name
  readonly column: Column
}

/** 1 or 0. */
export const boolean = <const Column>(column: Column) => ({ form: 'boolean', column }) as const

/** JSON text. */
export const json = <const Column>(column: Column) => ({ form: 'json', column }) as const

/** Null where the member is undefined. */
export const optional = <const Column>(column: Column) => ({ form: 'optional', column }) as const

/** Columns that may hold values of this type: either only nullable ones or only others, as `Nulls` says. */
type Columns<Row, Stored, Nulls extends boolean = false> = {
  [Column in keyof Row]: [Stored, Nulls] extends [Row[Column], null extends Row[Column] ? true : false] ? Column : never
}[keyof Row]

/** A column of the member's own type by its name, another one as a cell, or several columns as a mapping. */
type Described<Row, Member> = [Member] extends [boolean]
  ? Cell<'boolean', Columns<Row, number>>
  : undefined extends Member
    ? Cell<'optional', Columns<Row, Exclude<Member, undefined>, true>>
    : [Member] extends [object]
      ? Cell<'json', Columns<Row, string>> | Mapping<Partial<Row>, Member>
      : Columns<Row, Member>

type ColumnsOf<Of> = Of extends { readonly column: infer Column }
  ? Column
  : Of extends { toRow(value: never): infer Part }
    ? keyof Part
    : Of

/** Refuses a description with another member, or without a column of the row. */
type Complete<Row, Value, Description> = { readonly [Other in Exclude<keyof Description, keyof Value>]: never } & ([
  keyof Row,
] extends [ColumnsOf<Description[keyof Description]>]
  ? unknown
  : { readonly missingColumn: Exclude<keyof Row, ColumnsOf<Description[keyof Description]>> })

interface Mapping<Row, Value> {
  /** Converts a row; columns that are not described are left out. */
  toValue(row: Readonly<Row>): Value
  toRow(value: Value): Row
}

/** Converts rows to values, and back. Stores where speed matters have code of their own, which is faster. */
export function decode<Row, Value>() {
  return <const Description extends { readonly [Member in keyof Value]: Described<Row, Value[Member]> }>(
    description: Description & Complete<Row, Value, Description>,
  ): Mapping<Row, Value> => {
    const members = Object.entries<AnyDescribed>(description).map(([name, of]) => ({ name, ...mappingOf(of) }))
    return {
      toValue(row) {
        const value: AnyRow = {}
        for (const { name, toValue } of members) value[name] = toValue(row as AnyRow)
        return value as Value
      },
      toRow: (value) => Object.assign({}, ...members.map(({ name, toRow }) => toRow((value as AnyRow)[name]))),
    }
  }
}

type AnyRow = Record<string, unknown>
type AnyDescribed = string | Cell<keyof typeof forms, string> | Mapping<AnyRow, unknown>

function mappingOf(of: AnyDescribed): Mapping<AnyRow, unknown> {
  if (typeof of === 'object' && 'toRow' in of) return of
  const { form, column } = typeof of === 'string' ? { form: 'same' as const, column: of } : of
  const { read, write } = forms[form]
  return { toValue: (row) => read(row[column]), toRow: (member) => ({ [column]: write(member) }) }
}
