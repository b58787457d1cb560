/** The setting of the database. */
import { type GivenSettings, readInteger, shown } from './given.ts'
import { findUrlProblem } from './postgres-url.ts'

export type DatabaseSetting =
  | {
      readonly engine: 'sqlite'
      /** A path, or `:memory:`. */
      readonly file: string
    }
  | {
      readonly engine: 'postgres'
      /** Includes the password; it may have several hosts. */
      readonly url: string
      /** Maximum number that this server opens. */
      readonly connections: number
      /** Folder of the search replica, `auto` for that of temporary files once it pays, `off` for none. */
      readonly searchReplica?: string
    }

/** Reads the database that the setting names; `name` is the setting's name in refusals. */
export function readDatabase(given: GivenSettings, name = 'DATABASE_URL'): DatabaseSetting {
  const { text, value, defaultOf, refuse } = given
  const url = value('DATABASE_URL')
  const connections = readInteger(given, 'DATABASE_CONNECTIONS', 1, 200)
  if (/^postgres(ql)?:/.test(url)) {
    const problem = findUrlProblem(url)
    if (!problem) return { engine: 'postgres', url, connections, searchReplica: value('SEARCH_REPLICA') }
    // The URL itself is left out: it may have a password in it.
    refuse(`${name} ${problem}`)
    return { engine: 'postgres', url: 'postgres://localhost', connections }
  }
  const file = /^file:(?:\/\/(?=\/))?(.+)$/.exec(url)?.[1]
  if (file === undefined || /[?#]/.test(file)) {
    refuse(formatDatabaseRefusal(url, name))
    return { engine: 'sqlite', file: defaultOf('DATABASE_URL').slice('file:'.length) }
  }
  for (const name of ['DATABASE_CONNECTIONS', 'SEARCH_REPLICA'] as const) {
    if (text(name) !== undefined) refuse(`${name} is set, but DATABASE_URL names no PostgreSQL database.`)
  }
  return { engine: 'sqlite', file }
}

function formatDatabaseRefusal(url: string, name: string): string {
  if (/^file:.*[?#]/.test(url)) return `${name} has a ? or a #; the path of a SQLite file is given without parameters.`
  if (url === 'file:') return `${name} is file: without a path; it has to be like file:./data/cartulary.db.`
  // A text that may have a password in it is not repeated.
  if (/^[\w./~ -]+$/.test(url))
    return `${name} is ${shown(url)}; a path has to begin with file:, so file:${shown(url)}.`
  const scheme = /^\w+:/.exec(url)?.[0]
  const beginning = scheme ? `begins with "${scheme}"` : 'has no scheme'
  return `${name} ${beginning}; it has to be file:<path>, file::memory: or postgres://….`
}
