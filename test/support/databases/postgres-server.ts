import type { TestProject } from 'vitest/node'
import { Postgres, queryAt } from './postgres.ts'

declare module 'vitest' {
  export interface ProvidedContext {
    /** URL of a PostgreSQL server in which tests make databases of their own. */
    postgresUrl: string
  }
}

/** How the databases of tests begin. */
export const databasePrefix = 'cartulary_test_'

/** One server for all tests: the one that TEST_DATABASE_URL names, or one that is started here. */
export default async function startPostgres({ provide }: TestProject): Promise<() => Promise<void>> {
  const given = process.env['TEST_DATABASE_URL']
  if (given) {
    provide('postgresUrl', given)
    return () => dropDatabases(given)
  }
  const postgres = await Postgres.open('max_connections=400')
  provide('postgresUrl', postgres.url())
  return () => postgres[Symbol.asyncDispose]()
}

async function dropDatabases(url: string): Promise<void> {
  const left = 'select datname from pg_database where starts_with(datname, $1)'
  for (const { datname } of await queryAt<{ datname: string }>(url, left, [databasePrefix])) {
    await queryAt(url, `drop database ${datname} with (force)`)
  }
}
