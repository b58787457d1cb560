import { expect, test } from 'vitest'
import { indexTables, indexTablesOfPostgres, numberedTables, tableNames } from '../../../src/storage/tables/tables.ts'
import { queryAt } from '../../support/databases/postgres.ts'
import { emptyDatabase } from '../../support/databases/test-database.ts'
import { openWorkPostgres } from '../work-storage.ts'

test('every table of PostgreSQL is listed, and so is every one whose rows it numbers', async () => {
  const url = await emptyDatabase()
  await (await openWorkPostgres(url)).close()
  const names = await queryAt<{ name: string }>(
    url,
    "select tablename as name from pg_tables where schemaname = 'public'",
  )
  expect(
    names
      .map(({ name }) => name)
      .filter((name) => !name.startsWith('kysely_'))
      .sort(),
  ).toEqual([...tableNames, ...indexTables, ...indexTablesOfPostgres].sort())
  const numbered = await queryAt<{ name: string }>(
    url,
    "select table_name as name from information_schema.columns where is_identity = 'YES'",
  )
  const ofIndexes = ['group_index', 'user_index', 'owner_tag_changes', 'item_count_changes']
  expect(numbered.map(({ name }) => name).sort()).toEqual([...numberedTables, ...ofIndexes].sort())
})
