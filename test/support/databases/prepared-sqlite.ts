import { openKysely } from '../../../src/storage/sqlite/dialect.ts'
import { openConnection } from '../../../src/storage/sqlite/file.ts'
import { prepareTables } from '../../../src/storage/stores/prepare-tables.ts'

let prepared: Promise<Buffer> | undefined

/** A SQLite database with every table and no row, made once: migrations take longer than most tests, and have tests of their own. */
export function preparedDatabase(): Promise<Buffer> {
  prepared ??= prepare()
  return prepared
}

async function prepare(): Promise<Buffer> {
  const connection = openConnection(':memory:')
  try {
    await prepareTables(openKysely(connection))
    return connection.serialize()
  } finally {
    connection.close()
  }
}
