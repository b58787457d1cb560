import { readFileSync, writeFileSync } from 'node:fs'
import type { Config } from '../config.ts'
import type { Terminal } from './output/terminal.ts'

/**
 * The address of a server of a SQLite database, in a file beside it, which stays when the server ends: commands that print links
 * know by it how the server was started, whatever their own settings are.
 */
const recordOf = (file: string) => `${file}.address`

/** Keeps the root of the addresses of a server that listens. Throws what the file system throws. */
export function recordAddress({ database }: Pick<Config, 'database'>, publicUrl: string): void {
  if (database.engine === 'sqlite' && database.file !== ':memory:') {
    writeFileSync(recordOf(database.file), `${publicUrl}\n`)
  }
}

/**
 * Root of the addresses that a command prints: PUBLIC_URL; or as the server that was last started on the database had it; or what
 * the settings of the command say, with a sentence about that.
 */
export function printableAddress(
  config: Config,
  { environment, print }: Pick<Terminal, 'environment' | 'print'>,
): string {
  const { publicUrl, tls, port, database } = config
  const known = publicUrl ?? (database.engine === 'sqlite' ? findRecorded(database.file) : undefined)
  if (known !== undefined) return known
  if (!environment['PORT']?.trim()) {
    print('The port is the default. If the server has another one, run this command with the same PORT or PUBLIC_URL.')
  }
  return `${tls ? 'https' : 'http'}://localhost:${port}`
}

function findRecorded(file: string): string | undefined {
  try {
    const url = readFileSync(recordOf(file), 'utf8').trim()
    return /^https?:\/\/\S+$/.test(url) ? url : undefined
  } catch {
    return undefined
  }
}
