import Database from 'better-sqlite3'
import { queryAt } from '../support/databases/postgres.ts'

/** Runs statements beside the program, also such that leave rows that refer to nothing. */
export async function write(url: string, statements: string): Promise<void> {
  if (!url.startsWith('file:')) return void (await queryAt(url, statements))
  const database = new Database(url.slice('file:'.length))
  database.pragma('foreign_keys = OFF')
  database.exec(statements)
  database.close()
}

/** Runs one statement beside the program, and resolves with its rows. */
export async function query<Row = Readonly<Record<string, unknown>>>(
  url: string,
  text: string,
): Promise<readonly Row[]> {
  if (!url.startsWith('file:')) return queryAt<Row>(url, text)
  const database = new Database(url.slice('file:'.length))
  try {
    const statement = database.prepare<[], Row>(text)
    if (statement.reader) return statement.all()
    statement.run()
    return []
  } finally {
    database.close()
  }
}

/** How many rows there are in the table, or where a condition on them holds. */
export async function count(url: string, from: string): Promise<number> {
  const [row] = await query<{ total: number | string }>(url, `select count(*) as total from ${from}`)
  return Number(row!.total)
}
