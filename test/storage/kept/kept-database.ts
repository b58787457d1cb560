import { readFileSync, writeFileSync } from 'node:fs'
import { gunzipSync } from 'node:zlib'
import { queryAt } from '../../support/databases/postgres.ts'
import { emptyDatabase } from '../../support/databases/test-database.ts'
import { temporaryFile } from '../sqlite/temporary-file.ts'
import { password } from './callers.ts'
import type { Reading } from './readings.ts'
import type { World } from './world.ts'

/** Settings with which a kept database was made, and is opened. */
export const keptSettings = {
  SECRET_KEY: 'a secret of the tests, long enough for a key',
  ADMIN_PASSWORD: password,
  ORGANIZATION_NAME: 'Ministry of Maps',
  PUBLIC_URL: 'https://maps.example.com/portal',
  TRUST_PROXY: 'false',
}

/** Description of a kept database. */
export interface Kept {
  /** Commit of the program that made it. */
  readonly commit: string
  /** When it was kept; epoch milliseconds. */
  readonly at: number
  readonly world: World
  readonly readings: readonly Reading[]
  /** Rows as they were. */
  readonly audit: readonly Readonly<Record<string, unknown>>[]
  readonly versions: readonly Readonly<Record<string, unknown>>[]
}

export const engines = ['sqlite', 'postgres'] as const
export type Engine = (typeof engines)[number]

export function readKept(name: string, engine: Engine): Kept {
  return JSON.parse(unpack(name, `${engine}.json.gz`).toString())
}

/** A copy of a kept database, which is gone after the test. Resolves with its URL. */
export async function openKept(name: string, engine: Engine): Promise<string> {
  if (engine === 'sqlite') {
    const file = temporaryFile()
    writeFileSync(file, unpack(name, 'sqlite.db.gz'))
    return `file:${file}`
  }
  const url = await emptyDatabase()
  await queryAt(url, unpack(name, 'postgres.sql.gz').toString())
  return url
}

function unpack(name: string, file: string): Buffer {
  return gunzipSync(readFileSync(new URL(`${name}/${file}`, import.meta.url)))
}
