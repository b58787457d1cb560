import { refusalKindOf } from '../audit/operations.ts'
import { isRefusal, splitAuditDetails } from '../call/audit-details.ts'
import type { Caller } from '../call/caller.ts'
import { requireSpace } from '../call/disk.ts'
import { failureOf, notForApps, operationRefused, PortalError, tokenInvalid } from '../errors.ts'
import type { Limits } from '../limits.ts'
import type { Execute, ExecuteSearch, Readers, Storage } from '../storage/storage.ts'
import { addressKey } from '../tokens/address.ts'
import { findCaller } from '../tokens/operations.ts'
import type { Invocation, Search, WriteCommand } from './command.ts'
import { beginTelling, RememberedHooks } from './events/tell.ts'
import { isForeignSearch } from './foreign-search.ts'
import { additions, type CommandId, commands, type OutputOf, type Query, searches } from './registry.ts'

/** Executes a command, writes its audit entry and the deliveries of its events, in one transaction. */
export function executeCommand(limits: Limits, newId: () => string): Execute<WriteCommand> {
  const remembered = new RememberedHooks()
  return async (stores, command) => {
    const { operation, input, now, origin } = command
    const caller = await requireKnownCaller(stores, command)
    if (operation in additions) await requireSpace(stores, { limits })
    const telling = await beginTelling(stores, { command, caller, newId }, remembered)
    const output = await asCaller<unknown>(caller, async () =>
      commands[operation](telling?.stores ?? stores, { caller, now, limits }, input as never),
    )
    refuseProblems(command)
    const { username, portalId } = caller ?? {}
    const { entries, result } = splitAuditDetails(output)
    for (const { changes = [], ...details } of entries) {
      if (isRefusal(details.outcome) && command.countedRefusals?.includes(refusalKindOf(details.outcome))) continue
      await stores.audit.add({ at: now, operation, outcome: 200, username, portalId, ...origin, ...details }, changes)
    }
    await telling?.finish(entries)
    return result
  }
}

/** Executes a query on one snapshot. */
export async function executeQuery<Input, Output>(
  stores: Readers,
  limits: Limits,
  invocation: Invocation,
  query: Query<Input, Output>,
  input: Input,
): Promise<Output> {
  const caller = await requireKnownCaller(stores, invocation)
  const output = await asCaller(caller, () => query(stores, { caller, now: invocation.now, limits }, input))
  refuseProblems(invocation)
  return output
}

/** Rewords a missing privilege for an app, which has no role. */
async function asCaller<Output>(caller: Caller | undefined, work: () => Promise<Output>): Promise<Output> {
  try {
    return await work()
  } catch (error) {
    if (!caller?.isApp || !(error instanceof PortalError) || !error.privilege) throw error
    const reason = `The app does not have the privilege ${error.privilege}, or the owner of its item has lost it.`
    throw new PortalError({ ...failureOf(error), reasons: [reason] })
  }
}

/** Executes a search on one snapshot. */
export function executeSearch(limits: Limits): ExecuteSearch<Search> {
  return (stores, search) => {
    const query = searches[search.operation] as Query<unknown>
    return executeQuery(stores, limits, search, query, search.input)
  }
}

/**
 * Executes a search through the storage, round-robin over organizations and their users. Callers without a token count as one
 * organization, and each network as one of its users. The user is looked up first: a user may have many tokens, and a token
 * may be invalid. `onForeign` is called before a search of another organization than the caller's.
 */
export async function search(
  storage: Pick<Storage<WriteCommand, Search>, 'read' | 'search'>,
  asked: Search,
  address: string,
  { until, signal }: { readonly until: number; readonly signal: AbortSignal },
  onForeign: () => void,
): Promise<unknown> {
  const caller = await storage.read(async (stores) => {
    const known = await requireKnownCaller(stores, asked)
    if (await isForeignSearch(stores, known, asked)) onForeign()
    return known
  }, until)
  const asking = caller ? [caller.portalId, caller.userId] : ['anonymous', addressKey(address)]
  return storage.search(asked, asking.join(' '), until, signal)
}

/** Executes a command through the storage; resolves with the operation's output. */
export async function write<Id extends CommandId>(
  storage: Pick<Storage<WriteCommand>, 'write'>,
  command: WriteCommand<Id>,
  until?: number,
): Promise<OutputOf<Id>> {
  return (await storage.write(command, until)) as OutputOf<Id>
}

/** The caller; undefined without a token, 498 if the token is not valid, 403 for an app where none may call as itself. */
async function requireKnownCaller(stores: Readers, invocation: Invocation): Promise<Caller | undefined> {
  const { tokenHash, now, allowsApps } = invocation
  if (tokenHash === undefined) return undefined
  const caller = await findCaller(stores, tokenHash, now)
  if (!caller) throw tokenInvalid()
  if (caller.isApp && !allowsApps) throw notForApps()
  return caller
}

/** Permission is checked before input, so errors of the request as a whole are thrown after the operation ran. */
function refuseProblems({ problems }: Invocation): void {
  if (problems.length > 0) throw operationRefused(...problems)
}
