import { closeSync, openSync, rmSync, writeSync } from 'node:fs'
import { readConfig } from '../../config.ts'
import type { OpenDependencies } from '../../dependencies.ts'
import { usernameKey } from '../../directory/user.ts'
import { openInspection } from '../../storage/maintenance/inspection.ts'
import type { PersonReader } from '../../storage/maintenance/person.ts'
import { parseArguments, requireOneArgument } from '../args.ts'
import { CommandFailed, printable, type Terminal } from '../output/terminal.ts'
import { requireDatabaseFile } from '../sqlite-setting.ts'
import { withDatabase, writeAsOperator } from './operator.ts'

async function withPersons({ environment }: Terminal, work: (persons: PersonReader) => Promise<void>): Promise<void> {
  const config = readConfig(environment)
  requireDatabaseFile(config)
  const inspection = await openInspection(config.database)
  try {
    await inspection.requireTables()
    await work(inspection.persons)
  } finally {
    await inspection.close()
  }
}

/** Writes the rows that are kept of a person as one JSON object, whether a server runs or not. */
export async function exportUser(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArguments(args, { output: { type: 'string', short: 'o' } })
  const username = requireOneArgument(positionals, 'user export needs a username.')
  await withPersons(terminal, async (persons) => {
    const file = values.output
    if (file === undefined) return writePerson(persons, username, terminal, terminal.print)
    const opened = openNew(file)
    try {
      await writePerson(persons, username, terminal, (line) => writeSync(opened, `${line}\n`))
    } catch (error) {
      rmSync(file)
      throw error
    } finally {
      closeSync(opened)
    }
    terminal.print(`What is kept of ${username} is in ${file}, which only its owner may read.`)
  })
}

function openNew(file: string): number {
  try {
    return openSync(file, 'wx', 0o600)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
    throw new CommandFailed(`There is a file ${file} already.`)
  }
}

/** Row by row, a member for each table: the items of a person may be larger than the memory. */
async function writePerson(
  persons: PersonReader,
  username: string,
  { signal }: Terminal,
  write: (line: string) => void,
): Promise<void> {
  let present: string | undefined
  for await (const { table, row } of persons.rowsOf(username)) {
    if (signal.aborted) throw new CommandFailed('Stopped; nothing is left.')
    if (table !== present) write(`${present === undefined ? '{' : '],'}\n"${toName(table)}": [`)
    write(`${table === present ? ',' : ''}${JSON.stringify(toMembers(row, username))}`)
    present = table
  }
  if (present === undefined) throw new CommandFailed(`There is no user ${username}, and nothing is kept by this name.`)
  write(']\n}')
}

const toName = (column: string) => column.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase())

/** Columns that are not the person's, or by which one could sign in. */
const omitted = /_hash$|_key$|^sealed_|^checksum$|^provider_session$/

/** Times are in ISO 8601, JSON documents are parsed. */
function toMembers(row: Readonly<Record<string, string | number | null>>, username: string): object {
  // An entry of the log about the person: name and address of its caller are data of another one.
  const isOfOther = 'request_id' in row && usernameKey(String(row['username'])) !== usernameKey(username)
  const columns = Object.entries(row).filter(([column, value]) => value !== null && !omitted.test(column))
  const own = columns.filter(([column]) => !isOfOther || (column !== 'username' && column !== 'address'))
  return Object.fromEntries(own.map(([column, value]) => [toName(column), toMember(column, value)]))
}

function toMember(column: string, value: string | number | null): unknown {
  if (typeof value === 'number') return column.endsWith('_at') ? new Date(value).toISOString() : value
  try {
    return /^[[{]/.test(value ?? '') ? JSON.parse(value!) : value
  } catch {
    return value
  }
}

/** Replaces the names of a former user; without --yes, only says where they are. */
export async function eraseUser(args: readonly string[], terminal: Terminal): Promise<void> {
  const { values, positionals } = parseArguments(args, {
    yes: { type: 'boolean' },
    also: { type: 'string', multiple: true },
  })
  const username = requireOneArgument(positionals, 'user erase needs a username.')
  const names = [username, ...(values.also ?? [])]
  const short = names.find((name) => name.trim().length < 3)
  if (short !== undefined) throw new CommandFailed(`"${short}" is too short: it could be a part of other names.`)
  await withPersons(terminal, async (persons) => {
    if (values.yes) await withDatabase(terminal, 'beside', (needs) => erase(needs, persons, names, terminal))
    else await preview(persons, names, terminal)
    await listMentions(persons, names, terminal)
  })
}

async function preview(persons: PersonReader, names: readonly string[], { print }: Terminal): Promise<void> {
  const counts = new Map<string, number>()
  for await (const { table, keys } of persons.named({ names, alias: '' })) {
    counts.set(table, (counts.get(table) ?? 0) + keys.length)
  }
  for (const [table, rows] of counts) print(`${table}: ${rows.toLocaleString('en')} rows`)
  print('Nothing was changed. After the account is deleted, --yes replaces the names in these rows.')
}

/** Rows of one transaction (chosen): servers go on meanwhile. */
const rowsOfStep = 100

/** Erases in steps. After an interruption, the same command goes on with the same alias, which the erasure's entry of the log has. */
async function erase(
  needs: OpenDependencies,
  persons: PersonReader,
  names: readonly string[],
  { print, signal }: Terminal,
): Promise<void> {
  const username = names[0]!
  const digest = needs.digest(`erasure ${usernameKey(username)}`)
  if (!(await persons.findErasure(digest))) {
    const { done: isUnknown } = await persons.named({ names, alias: '' }).next()
    if (isUnknown) throw new CommandFailed(`Nothing is kept that names ${username}.`)
    const portalId = await persons.findPortalId(names)
    await writeAsOperator(needs, 'eraseUser', { username, digest, portalId }, '/community/users')
  }
  const { entry, alias } = (await persons.findErasure(digest))!
  let changed = 0
  for await (const { table, keys } of persons.named({ names, alias })) {
    for (let at = 0; at < keys.length; at += rowsOfStep) {
      if (signal.aborted) throw new CommandFailed(`Stopped after ${changed} rows; the same command goes on.`)
      const input = { table, keys: keys.slice(at, at + rowsOfStep), erased: { names, alias } }
      changed += (await writeAsOperator(needs, 'eraseNames', input, '/community/users')).rows
    }
  }
  for (let isFirst = true, isDone = false; !isDone; isFirst = false) {
    isDone = (await writeAsOperator(needs, 'endErasure', { entry, isFirst }, '/community/users')).isDone
  }
  print(`${username} is ${alias} now, in ${changed.toLocaleString('en')} rows.`)
}

const maxMentions = 100

async function listMentions(persons: PersonReader, names: readonly string[], { print }: Terminal): Promise<void> {
  let found = 0
  for await (const place of persons.mentions(names)) {
    found += 1
    if (found === 1)
      print('Texts that people wrote or signed have the names, too, and are never changed by this command:')
    if (found <= maxMentions) print(`  ${printable(place)}`)
  }
  if (found > maxMentions) print(`  … and ${(found - maxMentions).toLocaleString('en')} more.`)
}
