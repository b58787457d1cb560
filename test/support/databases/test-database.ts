import { randomBytes } from 'node:crypto'
import { inject, onTestFinished } from 'vitest'
import { queryAt } from './postgres.ts'
import { databasePrefix } from './postgres-server.ts'

/** A new empty PostgreSQL database that is gone after the test; answers its URL. */
export async function emptyDatabase(): Promise<string> {
  const url = await createDatabase()
  onTestFinished(() => dropDatabase(url))
  return url
}

/** A new empty PostgreSQL database; whoever does not drop it leaves that to the end of all tests. */
export async function createDatabase(): Promise<string> {
  const server = inject('postgresUrl')
  const name = `${databasePrefix}${randomBytes(8).toString('hex')}`
  await queryAt(server, `create database ${name} encoding 'UTF8' template template0`)
  const url = new URL(server)
  url.pathname = `/${name}`
  return url.href
}

async function dropDatabase(url: string): Promise<void> {
  await queryAt(inject('postgresUrl'), `drop database ${new URL(url).pathname.slice(1)} with (force)`)
}
