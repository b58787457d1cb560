import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { readConfig } from '../config.ts'
import { openDependencies } from '../dependencies.ts'
import { portalNameLength } from '../directory/portal.ts'
import { addOrganization } from '../first-run.ts'
import { parseArguments } from './args.ts'
import { formatFirstRun } from './first-run-frame.ts'
import { CommandFailed, type Terminal, UsageError } from './terminal.ts'

/** Organizations beside the first one. The server must not run meanwhile: one process owns a SQLite file. */
export async function portalCommand([verb, ...words]: readonly string[], terminal: Terminal): Promise<void> {
  if (verb === 'list' && words.length === 0) return listPortals(terminal)
  if (verb === 'create') return createPortal(words, terminal)
  const given = ['portal', verb, ...words].join(' ')
  throw new UsageError(verb ? `There is no command ${given}.` : 'The command portal needs another word.')
}

async function listPortals({ environment, print }: Terminal): Promise<void> {
  const config = readConfig(environment)
  const { database } = config
  if (database.engine === 'sqlite' && database.file !== ':memory:' && !existsSync(database.file)) {
    throw new CommandFailed(`There is no database at ${resolve(database.file)}.`)
  }
  const { storage } = await openDependencies(config)
  try {
    for (const portal of await storage.read(({ directory }) => directory.listPortals())) {
      print(`${portal.portalId}  ${portal.access.padEnd(7)}  ${portal.name}`)
    }
  } finally {
    await storage.close()
  }
}

async function createPortal(words: readonly string[], { environment, print }: Terminal): Promise<void> {
  const { name, admin, password } = readOptions(words)
  if (!name?.trim()) throw new UsageError('portal create needs --name.')
  if (name.length > portalNameLength) {
    throw new UsageError(`--name has ${name.length} characters; at most ${portalNameLength} are allowed.`)
  }
  if (!admin) throw new UsageError('portal create needs --admin.')
  const dependencies = await openDependencies(readConfig(environment))
  try {
    print(formatFirstRun(await addOrganization(dependencies, { name, username: admin, password })))
  } finally {
    await dependencies.storage.close()
  }
}

function readOptions(words: readonly string[]) {
  const options = { name: { type: 'string' }, admin: { type: 'string' }, password: { type: 'string' } } as const
  const { values, positionals } = parseArguments(words, options)
  if (positionals.length > 0) throw new UsageError(`portal create takes no word ${positionals[0]}.`)
  return values
}
