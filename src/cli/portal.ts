import { readConfig } from '../config.ts'
import { openDependencies } from '../dependencies.ts'
import { portalNameLength } from '../directory/portal.ts'
import { addOrganization } from '../first-run.ts'
import { parseArguments, requireNoArguments, runSubcommand } from './args.ts'
import { formatFirstRun } from './first-run-frame.ts'
import { requireDatabaseFile } from './sqlite-setting.ts'
import { type Terminal, UsageError } from './terminal.ts'

/** Organizations beside the first one. On SQLite no server may run meanwhile: one process owns the file. */
export async function portalCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  await runSubcommand(
    { list: (rest) => listPortals(rest, terminal), create: (rest) => createPortal(rest, terminal) },
    args,
  )
}

async function listPortals(args: readonly string[], { environment, print }: Terminal): Promise<void> {
  requireNoArguments(args)
  const config = readConfig(environment)
  requireDatabaseFile(config)
  const { storage } = await openDependencies(config)
  try {
    for (const portal of await storage.read(({ directory }) => directory.listPortals())) {
      print(`${portal.portalId}  ${portal.access.padEnd(7)}  ${portal.name}`)
    }
  } finally {
    await storage.close()
  }
}

async function createPortal(args: readonly string[], { environment, print }: Terminal): Promise<void> {
  const { name, admin, password } = readOptions(args)
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

function readOptions(args: readonly string[]) {
  const options = { name: { type: 'string' }, admin: { type: 'string' }, password: { type: 'string' } } as const
  const { values, positionals } = parseArguments(args, options)
  requireNoArguments(positionals)
  return values
}
