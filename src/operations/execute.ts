import type { Caller } from '../directory/caller.ts'
import { operationRefused, tokenInvalid } from '../errors.ts'
import type { Readers, Storage, Stores } from '../storage/storage.ts'
import { findCaller } from '../tokens/operations.ts'
import { auditDetailsOf, nothingDone } from './audit-details.ts'
import type { Call } from './call.ts'
import type { Invocation, WriteCommand } from './command.ts'
import { type CommandId, commands, type OutputOf, type Query } from './registry.ts'

/** Executes a command and writes its audit entry, in one transaction. */
export async function executeCommand(stores: Stores, command: WriteCommand): Promise<unknown> {
  const { operation, input, now, origin } = command
  const perform = (call: Call): Promise<unknown> => commands[operation](stores, call, input as never)
  const { caller, output } = await run(stores, command, perform)
  const details = auditDetailsOf(output)
  if (details !== nothingDone) {
    const { username, portalId } = caller ?? {}
    await stores.audit.add({ at: now, operation, outcome: 200, username, portalId, ...origin, ...details })
  }
  return output
}

/** Executes a query on one snapshot. */
export async function executeQuery<Input, Output>(
  stores: Readers,
  invocation: Invocation,
  query: Query<Input, Output>,
  input: Input,
): Promise<Output> {
  const { output } = await run(stores, invocation, (call) => query(stores, call, input))
  return output
}

/** Executes a command through the storage; resolves with the operation's output. */
export async function write<Id extends CommandId>(
  storage: Pick<Storage<WriteCommand>, 'write'>,
  command: WriteCommand<Id>,
  until?: number,
): Promise<OutputOf<Id>> {
  return (await storage.write(command, until)) as OutputOf<Id>
}

/** Permission is checked before input, so errors of the request as a whole are thrown after the operation ran. */
async function run<Output>(
  stores: Readers,
  { tokenHash, now, problems }: Invocation,
  operation: (call: Call) => Promise<Output>,
): Promise<{ readonly caller: Caller | undefined; readonly output: Output }> {
  const caller = tokenHash === undefined ? undefined : await requireKnownCaller(stores, tokenHash, now)
  const output = await operation({ caller, now })
  if (problems.length > 0) throw operationRefused(...problems)
  return { caller, output }
}

/** The caller, or 498. */
async function requireKnownCaller(stores: Readers, tokenHash: string, now: number): Promise<Caller> {
  const caller = await findCaller(stores, tokenHash, now)
  if (!caller) throw tokenInvalid()
  return caller
}
