import { randomBytes } from 'node:crypto'
import { setTimeout as delay } from 'node:timers/promises'
import { inject, onTestFinished } from 'vitest'

import { emptyingOfPostgres } from './emptying.ts'
import { queryAt } from './postgres.ts'
import { databasePrefix } from './postgres-server.ts'

/** A new empty PostgreSQL database that is gone after the test; resolves with its URL. */
export async function emptyDatabase(): Promise<string> {
  const url = await createDatabase()
  onTestFinished(() => dropDatabase(url))
  return url
}

/** A copy of a PostgreSQL database without sessions; it is gone after the test. Resolves with its URL. */
export async function copiedDatabase(original: string): Promise<string> {
  const url = await createDatabase(new URL(original).pathname.slice(1))
  onTestFinished(() => dropDatabase(url))
  return url
}

/** PostgreSQL databases that have every table, for the next test that takes one. */
const spare: string[] = []

/** A PostgreSQL database without rows, maybe with the tables of an earlier test: made once, used by many. Resolves with its URL. */
export async function databaseWithoutRows(): Promise<string> {
  const known = spare.pop()
  if (known) await queryAt(known, emptyingOfPostgres)
  const url = known ?? (await createDatabase())
  onTestFinished(() => void spare.push(url))
  return url
}

/**
 * A new PostgreSQL database, empty but for what is in its template, which is dropped at the end of all tests at the latest.
 * Answers its URL.
 */
export async function createDatabase(template = 'template0'): Promise<string> {
  const server = inject('postgresUrl')
  const name = `${databasePrefix}${randomBytes(8).toString('hex')}`
  await queryAt(server, `create database ${name} encoding 'UTF8' template ${template}`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

/** Pools resolve before their connections have ended, and one that is ended by force throws where nothing listens. */
export async function dropDatabase(url: string): Promise<void> {
  const server = inject('postgresUrl')
  const name = new URL(url).pathname.slice(1)
  const connected = () => queryAt(server, `select 1 from pg_stat_activity where datname = '${name}'`)
  for (let patience = 50; patience > 0 && (await connected()).length > 0; patience -= 1) await delay(20)
  await queryAt(server, `drop database ${name} with (force)`)
}
