import { indexTablesOfPostgres, numberedTables, tableNames } from '../../../src/storage/tables/tables.ts'
import { tablesOfIndex } from './rewindable-tables.ts'

/** Empties every table of SQLite, those that refer to others first, and numbers rows from 1 again. */
export const emptyingOfSqlite = [...tableNames.toReversed(), ...tablesOfIndex, 'sqlite_sequence']
  .map((name) => `DELETE FROM ${name}`)
  .join('; ')

/** Without the changes that servers follow: that all rows go is one of them. */
const ofPostgres = indexTablesOfPostgres.filter((name) => name !== 'item_changes')

/** Empties every table of PostgreSQL likewise: for a few rows quicker than to truncate all the tables. */
export const emptyingOfPostgres = [
  // Rows that triggers add about deleted rows are deleted last.
  ...[...tableNames.toReversed(), ...ofPostgres, ...tablesOfIndex].map((name) => `delete from ${name}`),
  ...numberedTables.map((name) => `select setval(pg_get_serial_sequence('${name}', 'id'), 1, false)`),
].join('; ')
