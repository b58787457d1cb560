import { userInfo } from 'node:os'
import { type Config, readConfig } from '../../config.ts'
import { type OpenDependencies, openDependencies } from '../../dependencies.ts'
import { isOperationRefused } from '../../errors.ts'
import { write } from '../../operations/execute.ts'
import type { CommandId, InputOf, OutputOf } from '../../operations/registry.ts'
import type { DatabaseAccess } from '../../storage/storage.ts'
import { CommandFailed, type Terminal } from '../output/terminal.ts'
import { requireDatabaseFile } from '../sqlite-setting.ts'

/** Who runs a command, for the audit: the user of the operating system. No username of an organization has a colon. */
export function operatorName(): string {
  try {
    return `operator:${userInfo().username}`
  } catch {
    // A container may run as a user without a name.
    return `operator:${process.getuid?.() ?? ''}`
  }
}

/** Opens the database that the settings name for the work of a command, and closes it afterwards. */
export async function withDatabase<Result>(
  { environment }: Terminal,
  access: DatabaseAccess,
  work: (dependencies: OpenDependencies, config: Config) => Promise<Result>,
): Promise<Result> {
  const config = readConfig(environment)
  requireDatabaseFile(config)
  const dependencies = await openDependencies(config, {}, access)
  try {
    return await work(dependencies, config)
  } finally {
    await dependencies.storage.close()
  }
}

/** Many private keys take longer than the few seconds of a request, and a server beside may be busy. */
const maxMilliseconds = 60_000

/** Executes a command as the operator; what the operation refuses is said in its sentence. */
export async function writeAsOperator<Id extends CommandId>(
  { storage, random, now }: Pick<OpenDependencies, 'storage' | 'random' | 'now'>,
  operation: Id,
  input: InputOf<Id>,
  target: string,
): Promise<OutputOf<Id>> {
  const command = {
    operation,
    input,
    tokenHash: undefined,
    now: now(),
    problems: [],
    origin: { address: 'localhost', target, requestId: random.id(), username: operatorName() },
  }
  return write<Id>(
    storage,
    command as unknown as Parameters<typeof write<Id>>[1],
    performance.now() + maxMilliseconds,
  ).catch((error: unknown) => {
    throw isOperationRefused(error) ? new CommandFailed(error.message) : error
  })
}
