import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { indexTables, indexTablesOfSqlite, primaryKeys, tableNames } from '../../../src/storage/tables/tables.ts'
import { temporaryFile } from '../sqlite/temporary-file.ts'
import { openWorkFile } from '../work-storage.ts'

/** Our tables, without those of the migrations. */
const isOurs = (name: string) => !name.startsWith('kysely_') && !name.startsWith('sqlite_')

async function aDatabase(): Promise<Database.Database> {
  const file = temporaryFile()
  await (await openWorkFile(file)).close()
  const database = new Database(file, { readonly: true })
  onTestFinished(() => void database.close())
  return database
}

test('every table of SQLite is listed with its primary key, after those that it refers to', async () => {
  const database = await aDatabase()
  const names = database.prepare("select name from pragma_table_list where type = 'table'").pluck().all() as string[]
  expect(names.filter(isOurs).sort()).toEqual([...tableNames, ...indexTables, ...indexTablesOfSqlite].sort())
  for (const [place, table] of tableNames.entries()) {
    const key = database
      .prepare(`select name from pragma_table_info('${table}') where pk > 0 order by pk`)
      .pluck()
      .all()
    expect(key).toEqual(primaryKeys[table])
    const referred = database.prepare(`select "table" from pragma_foreign_key_list('${table}')`).pluck().all()
    expect(tableNames.slice(0, place)).toEqual(expect.arrayContaining(referred))
  }
})
