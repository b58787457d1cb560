import { readConfig } from '../../config.ts'
import { findPortalNameProblem } from '../../directory/portal.ts'
import { addOrganization } from '../../first-organization.ts'
import { openInspection } from '../../storage/maintenance/inspection.ts'
import { parseArguments, requireNoArguments, runSubcommand } from '../args.ts'
import { formatFirstRun } from '../output/first-run-frame.ts'
import { type Terminal, UsageError } from '../output/terminal.ts'
import { requireDatabaseFile } from '../sqlite-setting.ts'
import { operatorName, withDatabase } from './operator.ts'
import { readPassword } from './user-password.ts'

/** The organizations of a database, whether a server runs on it or not. */
export async function organizationCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  await runSubcommand(
    { list: (rest) => listOrganizations(rest, terminal), create: (rest) => createOrganization(rest, terminal) },
    args,
  )
}

async function listOrganizations(args: readonly string[], { environment, print }: Terminal): Promise<void> {
  requireNoArguments(args)
  const config = readConfig(environment)
  requireDatabaseFile(config)
  const inspection = await openInspection(config.database)
  try {
    await inspection.requireTables()
    for (const portal of await inspection.readers.directory.listPortals()) {
      const administrators = await inspection.readers.directory.countAdministrators(portal.portalId)
      const lacks = administrators === 0 ? '  (no administrator who may sign in)' : ''
      print(`${portal.portalId}  ${portal.access.padEnd(7)}  ${portal.name}${lacks}`)
    }
  } finally {
    await inspection.close()
  }
}

async function createOrganization(args: readonly string[], terminal: Terminal): Promise<void> {
  const { name, admin, 'password-stdin': isGiven } = readOptions(args)
  if (!name?.trim()) throw new UsageError('organization create needs --name.')
  const problem = findPortalNameProblem(name)
  if (problem) throw new UsageError(`--name ${problem}`)
  if (!admin) throw new UsageError('organization create needs --admin.')
  const password = isGiven ? await readPassword(terminal) : undefined
  const wanted = { name, username: admin, password, operator: operatorName() }
  await withDatabase(terminal, 'beside', async (dependencies) => {
    terminal.print(formatFirstRun(await addOrganization(dependencies, wanted)))
  })
}

function readOptions(args: readonly string[]) {
  const options = {
    name: { type: 'string' },
    admin: { type: 'string' },
    'password-stdin': { type: 'boolean' },
  } as const
  const { values, positionals } = parseArguments(args, options)
  requireNoArguments(positionals)
  return values
}
