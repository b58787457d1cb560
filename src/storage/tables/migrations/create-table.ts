import {
  type ColumnDataType,
  type CreateTableBuilder,
  type ForeignKeyConstraintBuilder,
  type Kysely,
  PostgresAdapter,
  sql,
} from 'kysely'

type Columns = Readonly<Record<string, ColumnDataType>>

/** A table whose columns are all `not null`. */
export function table(db: Kysely<unknown>, name: string, columns: Columns): CreateTableBuilder<string, string> {
  return addColumns(db, db.schema.createTable(name), columns)
}

/** A table like that of `table`, with a generated id that increases in the order of insertion. */
export function numbered(db: Kysely<unknown>, name: string, columns: Columns): CreateTableBuilder<string, string> {
  const begun = isPostgres(db)
    ? db.schema
        .createTable(name)
        .addColumn('id', 'bigint', (column) => column.primaryKey().generatedByDefaultAsIdentity())
    : db.schema.createTable(name).addColumn('id', 'integer', (column) => column.primaryKey().autoIncrement())
  return addColumns(db, begun, columns)
}

export function addColumns(
  db: Kysely<unknown>,
  begun: CreateTableBuilder<string, string>,
  columns: Columns,
): CreateTableBuilder<string, string> {
  return Object.entries(columns).reduce(
    (builder, [name, type]) => builder.addColumn(name, columnType(db, type), (column) => column.notNull()),
    begun,
  )
}

/** Deletes dependent rows with their parent. */
export const cascade = (key: ForeignKeyConstraintBuilder): ForeignKeyConstraintBuilder => key.onDelete('cascade')

/** A table whose rows SQLite keeps in the tree of the primary key: a read is one look-up instead of two. */
export function clustered(
  db: Kysely<unknown>,
  made: CreateTableBuilder<string, string>,
): CreateTableBuilder<string, string> {
  return isPostgres(db) ? made : made.modifyEnd(sql`without rowid`)
}

/** Type of a column; texts are compared by their bytes, as in SQLite, whatever the locale of the database. */
export function columnType(db: Kysely<unknown>, type: ColumnDataType) {
  return type === 'text' && isPostgres(db) ? sql`text collate "C"` : type
}

export function isPostgres(db: Kysely<unknown>): boolean {
  return db.getExecutor().adapter instanceof PostgresAdapter
}
