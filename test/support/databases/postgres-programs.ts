import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { findProgram } from '../installed.ts'

/** Folder of PostgreSQL's programs with those for standbys and dumps; undefined where they are not installed. */
export function findFolderOfPrograms(): string | undefined {
  return [dirname(findProgram('pg_basebackup') ?? '/'), ...listVersions('/usr/lib/postgresql')].find((folder) =>
    ['postgres', 'initdb', 'pg_basebackup', 'psql'].every((name) => existsSync(join(folder, name))),
  )
}

function listVersions(folder: string): readonly string[] {
  return existsSync(folder) ? readdirSync(folder).map((version) => join(folder, version, 'bin')) : []
}
