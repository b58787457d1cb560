import { resolve } from 'node:path'
import type { Config } from '../../config.ts'
import type { FirstRun } from '../../first-organization.ts'
import { isFile, writeFirstRunFile } from '../../start/first-run-files.ts'
import type { StartNotices } from '../../storage/storage.ts'
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
 * such file, on standard error (chosen). So is the link to the first run, in a file of its own.
 */
export function announceFirstRun(
  firstRun: FirstRun,
  { database, link }: { readonly database: Config['database']; readonly link: string | undefined },
  terminal: Terminal,
): void {
  const { portal, username, generatedPassword: password } = firstRun
  // The path is shown: where another one was meant, it is a mistyped path that made a new database.
  const path = isFile(database) ? resolve(database.file) : undefined
  const isNew = path === undefined ? 'This database is new.' : `The database ${path} is new.`
  if (terminal.isTerminal) {
    terminal.print(`${isNew}\n${formatFirstRun(firstRun, link)}`)
    return
  }
  const members = { portalId: portal.portalId, user: username }
  const made = `${isNew} The organization ${portal.name} was made, with the administrator ${username}`
  if (password === undefined) {
    announce(terminal, `${made} and the password that you gave.`, members)
    return
  }
  const passwordPath = writeFirstRunFile(database, 'password', password)
  if (passwordPath === undefined) {
    terminal.printError(formatFirstRun(firstRun, link))
    announce(terminal, `${made}, whose password is on standard error, and nowhere else.`, members)
    return
  }
  announce(
    terminal,
    `${made}, whose password is in the file ${passwordPath}: sign in, keep it, and delete the file.${sayLink(database, link)}`,
    members,
  )
}

function sayLink(database: Config['database'], link: string | undefined): string {
  const path = link && writeFirstRunFile(database, 'first-run', link)
  return path
    ? ` Or open the link in the file ${path}, once, within 24 hours and before the first sign-in, to choose name, administrator and password in a browser; both files are removed then.`
    : ''
}

/** Milliseconds between two lines about a start that takes long (chosen). */
const lineInterval = 10_000

/** Lines of a start that takes long: what it does or waits for, every ten seconds. `onFirst` is called before the first one. */
export function openStartLines(terminal: Terminal, onFirst: () => void): StartNotices & { end(): void } {
  let timer: NodeJS.Timeout | undefined
  let present: string | undefined
  return {
    signal: terminal.signal,
    say(sentence) {
      if (!timer) {
        onFirst()
        timer = setInterval(() => present && announce(terminal, present), lineInterval)
      }
      announce(terminal, sentence)
    },
    doing(sentence) {
      present = sentence
    },
    end: () => clearInterval(timer),
  }
}
