/** Whether tests of both engines run on PostgreSQL: else they run on SQLite. */
export const isOnPostgres = process.env['TEST_ENGINE'] === 'postgres'

/** The engine of this run. */
export const engine = isOnPostgres ? 'PostgreSQL' : 'SQLite'
