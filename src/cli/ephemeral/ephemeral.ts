import { readFileSync } from 'node:fs'
import { type Config, ConfigError, type Environment, readConfig, settings } from '../../config.ts'
import { reasonOf } from '../../errors.ts'
import type { Server } from '../../server.ts'
import { parseArguments, requireNoArguments } from '../args.ts'
import { formatFirstRun } from '../output/first-run-frame.ts'
import { CommandFailed, type Terminal } from '../output/terminal.ts'
import { formatReady, openLoggingServer, serveUntilEnded } from '../serve.ts'
import { type Planted, plantSeed } from './planting.ts'
import { parseSeed } from './seed-file.ts'
import type { Seed } from './seed-shape.ts'

/** Serves from memory, with what a seed says: for tests of other programs. */
export async function ephemeralCommand(args: readonly string[], terminal: Terminal): Promise<void> {
  const options = { seed: { type: 'string' }, json: { type: 'boolean', default: false } } as const
  const { values, positionals } = parseArguments(args, options)
  requireNoArguments(positionals)
  const path = values.seed
  const seed = path === undefined ? {} : readSeed(path)
  const config = readSettings(terminal.environment, seed, path)
  const server = await openLoggingServer(config, terminal)
  const listen = async () => {
    const { planted, problems } = await plantSeed(server, seed, config.admin.username)
    if (problems.length > 0) throw seedRefused(path, problems)
    const address = await server.listen()
    if (values.json) terminal.print(JSON.stringify(describe(server, config, planted)))
    else terminal.print(`${formatFirstRun(server.firstRun!)}\n${formatReady(server, address)}`)
  }
  await serveUntilEnded(server, config, terminal, { listen })
}

function readSeed(path: string): Seed {
  const seed = parseSeed(readText(path))
  if ('problems' in seed) throw seedRefused(path, seed.problems)
  return seed.value
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    throw new CommandFailed(`--seed is ${path}, which cannot be read: ${reasonOf(error)}.`)
  }
}

function seedRefused(path: string | undefined, problems: readonly string[]): CommandFailed {
  const lines = problems.map((problem) => `  ${problem}`)
  return new CommandFailed([`The seed ${path} is refused, and no server starts:`, ...lines].join('\n'))
}

/** Settings that would lead to a disk, or to the database of the program that is tested. */
const unusedSettings = /^(BACKUP_|DATABASE_|SECRET_KEY|PREVIOUS_SECRET_KEY)/

/** Settings that a seed has, and where. */
const pointers = {
  ORGANIZATION_NAME: '/organization/name',
  ADMIN_USERNAME: '/organization/administrator/username',
  ADMIN_PASSWORD: '/organization/administrator/password',
} as const

/** Keeps settings of ours only: the environment is that of another program, which may have a DATABASE_URL of its own. */
function readSettings(environment: Environment, { organization }: Seed, path: string | undefined): Config {
  const given = settings
    .map(({ name }) => [name, environment[name]] as const)
    .filter(([name, text]) => text !== undefined && !unusedSettings.test(name))
  const { name, administrator } = organization ?? {}
  const ofSeed: Environment = {
    ...(name !== undefined && { ORGANIZATION_NAME: name }),
    ...(administrator && { ADMIN_USERNAME: administrator.username, ADMIN_PASSWORD: administrator.password }),
  }
  const own = { PORT: '0', LOG_LEVEL: 'warn', ...Object.fromEntries(given), ...ofSeed, DATABASE_URL: 'file::memory:' }
  try {
    return readConfig(own)
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    const located = error.refusals.map((refusal) => {
      const setting = Object.keys(pointers).find((one) => one in ofSeed && refusal.startsWith(`${one} `))
      return setting && `${pointers[setting as keyof typeof pointers]}:${refusal.slice(setting.length)}`
    })
    const problems = located.filter((problem) => problem !== undefined)
    throw problems.length === located.length ? seedRefused(path, problems) : error
  }
}

/** Data that a test needs, on one line. */
function describe(server: Server, { admin }: Config, planted: Planted) {
  const { portal, username, generatedPassword } = server.firstRun!
  return {
    url: server.publicUrl(),
    api: `${server.publicUrl()}/sharing/rest`,
    organization: { id: portal.portalId, name: portal.name },
    administrator: { username, password: generatedPassword ?? admin.password },
    ...planted,
  }
}
