import type { Field, Fields, GivenOf, RecordOf, RowOf } from '../../record.ts'

/** Converts rows to records, and back. */
export interface Mapper<Of extends Fields, Prefix extends string = ''> {
  readonly columns: readonly (keyof RowOf<Of, Prefix>)[]
  /** Columns that are not described are left out. */
  readonly toRecord: (row: Readonly<RowOf<Of, Prefix>>) => RecordOf<Of>
  /** Members that are not described are left out. */
  readonly toRow: (record: GivenOf<Of>) => RowOf<Of, Prefix>
}

/** A loop over names takes several times as long as a literal: where that matters, stores have code of their own. */
export function mapper<Of extends Fields, Prefix extends string = ''>(
  fields: Of,
  prefix = '' as Prefix,
): Mapper<Of, Prefix> {
  const members = Object.entries(fields).map(([name, of]) => ({
    name,
    column: prefix + name.replace(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`),
    convert: findConversion(of),
  }))
  const columns = members.map(({ column }) => column)
  const same = members.filter(({ convert }) => !convert)
  const others = members.flatMap(({ name, column, convert }) => (convert ? [{ name, column, ...convert }] : []))
  const emptyRecord = objectOf(members.map(({ name }) => name))
  const emptyRow = objectOf(columns)

  function toRecord(row: Values): Values {
    const record = { ...emptyRecord }
    for (const { name, column } of same) record[name] = row[column]
    for (const { name, column, read } of others) record[name] = read(row[column])
    return record
  }

  function toRow(record: Values): Values {
    const row = { ...emptyRow }
    for (const { name, column } of same) row[column] = record[name]
    for (const { name, column, write } of others) row[column] = write(record[name])
    return row
  }

  return { columns, toRecord, toRow } as unknown as Mapper<Of, Prefix>
}

type Values = Record<string, unknown>

/** An object to copy, so that its members need not be added one by one: those that are read from JSON are the fastest. */
function objectOf(names: readonly string[]): Values {
  return JSON.parse(JSON.stringify(Object.fromEntries(names.map((name) => [name, null]))))
}

interface Conversion {
  read(stored: unknown): unknown
  write(member: unknown): unknown
}

/** Undefined for a member that is stored as it is. */
function findConversion({ rules: { form, isOptional } }: Field<unknown, unknown>): Conversion | undefined {
  if (!isOptional) return form === 'same' ? undefined : conversions[form]
  const { read, write } = form === 'same' ? { read: unchanged, write: unchanged } : conversions[form]
  return {
    read: (stored) => (stored === null ? undefined : read(stored)),
    write: (member) => (member === undefined ? null : write(member)),
  }
}

const unchanged = (value: unknown) => value

const conversions: Record<'flag' | 'json', Conversion> = {
  flag: { read: (stored) => stored === 1, write: (member) => (member ? 1 : 0) },
  json: { read: (stored) => JSON.parse(stored as string), write: (member) => JSON.stringify(member) },
}
