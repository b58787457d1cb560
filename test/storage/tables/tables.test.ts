import Database from 'better-sqlite3'
import { expect, onTestFinished, test } from 'vitest'
import { namedColumns } from '../../../src/storage/stores/personal-columns.ts'
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

/** Rows that go with the account. */
const ofAccounts = 'users tokens browser_sessions grants user_identities sign_in_addresses sign_in_failures'.split(' ')
const mayNamePerson =
  /name|_by$|people|author|user(?!_id)|owner$|mail|address$|agent$|person|reviewer|^(data|input|failures|note|target)$/
/** Texts that people write, which erasure lists, and names of files, groups, organizations and servers, and addresses of those. */
const writtenOrOther =
  /^\w+\.(name|file_name|portal_name|host_portal_name)$|_(first|last)_name$|_email$|^(jobs\.leased_by|known_addresses\.address|webhooks\.name_key)$/

test('each column that may name a person is replaced by user erase, or its row goes with the account', async () => {
  const database = await aDatabase()
  const unknown = tableNames.flatMap((table) => {
    const known: readonly string[] = namedColumns[table] ?? []
    const columns = database.prepare(`select name from pragma_table_info('${table}') where type = 'TEXT'`).pluck().all()
    const named = (columns as string[]).filter((name) => mayNamePerson.test(name) && !known.includes(name))
    return ofAccounts.includes(table) ? [] : named.map((name) => `${table}.${name}`)
  })
  expect(unknown.filter((name) => !writtenOrOther.test(name))).toEqual([])
})
