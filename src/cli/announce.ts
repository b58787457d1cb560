import { writeFileSync } from 'node:fs'
import type { Config } from '../config.ts'
import type { FirstRun } from '../first-run.ts'
import { formatFirstRun } from './first-run-frame.ts'
import type { Terminal } from './terminal.ts'

/**
 * Says something to the operator of a server, whatever the level of the log is: a sentence on a terminal, otherwise a line of
 * JSON as the log has them.
 */
export function announce({ isTerminal, print }: Terminal, message: string, members: object = {}): void {
  if (isTerminal) print(message)
  else print(JSON.stringify({ level: 'info', time: new Date().toISOString(), message, ...members }))
}

/**
 * Says that the first organization was made. A generated password is shown on a terminal only, and never in the log, which
 * others read: without a terminal it is in a file beside the SQLite database that only this user reads, or, where there is no
 * such file, on standard error (chosen).
 */
export function announceFirstRun(firstRun: FirstRun, database: Config['database'], terminal: Terminal): void {
  const { portal, username, generatedPassword: password } = firstRun
  if (terminal.isTerminal) {
    terminal.print(formatFirstRun(firstRun))
    return
  }
  const members = { portalId: portal.portalId, user: username }
  const made = `This database is new. The organization ${portal.name} was made, with the administrator ${username}`
  if (password === undefined) {
    announce(terminal, `${made} and the password that you gave.`, members)
    return
  }
  const path = writePassword(database, password)
  if (path === undefined) {
    terminal.printError(formatFirstRun(firstRun))
    announce(terminal, `${made}, whose password is on standard error, and nowhere else.`, members)
    return
  }
  announce(terminal, `${made}, whose password is in the file ${path}: sign in, keep it, and delete the file.`, members)
}

/** The path of the file; undefined where none can be made. */
function writePassword(database: Config['database'], password: string): string | undefined {
  if (database.engine !== 'sqlite' || database.file === ':memory:') return undefined
  const path = `${database.file}.password`
  try {
    // A file that is there belongs to another database, and others may read it.
    writeFileSync(path, `${password}\n`, { flag: 'wx', mode: 0o600 })
    return path
  } catch {
    return undefined
  }
}
