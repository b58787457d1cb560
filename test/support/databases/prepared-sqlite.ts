import { openKysely } from '../../../src/storage/sqlite/dialect.ts'
import { openConnection } from '../../../src/storage/sqlite/file.ts'
import { migrate } from '../../../src/storage/tables/migrate.ts'

let prepared: Promise<Buffer> | undefined

/** A SQLite database with every table and no row, made once: migrations take longer than most tests, and have tests of their own. */
export function preparedDatabase(): Promise<Buffer> {
  prepared ??= prepare()
  return prepared
}

async function prepare(): Promise<Buffer> {
  const connection = openConnection(':memory:')
  try {
    await migrate(openKysely(connection))
    return connection.serialize()
  } finally {
    connection.close()
  }
}
