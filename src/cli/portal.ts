import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { readConfig } from '../config.ts'
import { portalNameLength } from '../directory/portal.ts'
import { addOrganization } from '../first-run.ts'
import { openPorts } from '../open-ports.ts'
import { formatFirstRun } from './first-run-frame.ts'
import { CommandFailed, type Terminal, UsageWrong } from './terminal.ts'
import { parseWords } from './words.ts'

/** Organizations beside the first one. The server must not run meanwhile: one process owns a SQLite file. */
export async function portalCommand([verb, ...words]: readonly string[], terminal: Terminal): Promise<void> {
  if (verb === 'list' && words.length === 0) return listPortals(terminal)
  if (verb === 'create') return createPortal(words, terminal)
  const given = ['portal', verb, ...words].join(' ')
  throw new UsageWrong(verb ? `There is no command ${given}.` : 'The command portal needs another word.')
}

async function listPortals({ environment, print }: Terminal): Promise<void> {
  const config = readConfig(environment)
  const { database } = config
  if (database.engine === 'sqlite' && database.file !== ':memory:' && !existsSync(database.file)) {
    throw new CommandFailed(`There is no database at ${resolve(database.file)}.`)
  }
  const { storage } = await openPorts(config)
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
  if (!name?.trim()) throw new UsageWrong('portal create needs --name.')
  if (name.length > portalNameLength) {
    throw new UsageWrong(`--name has ${name.length} characters; at most ${portalNameLength} are allowed.`)
  }
  if (!admin) throw new UsageWrong('portal create needs --admin.')
  const ports = await openPorts(readConfig(environment))
  try {
    print(formatFirstRun(await addOrganization(ports, { name, username: admin, password })))
  } finally {
    await ports.storage.close()
  }
}

function readOptions(words: readonly string[]) {
  const options = { name: { type: 'string' }, admin: { type: 'string' }, password: { type: 'string' } } as const
  const { values, positionals } = parseWords(words, options)
  if (positionals.length > 0) throw new UsageWrong(`portal create takes no word ${positionals[0]}.`)
  return values
}
