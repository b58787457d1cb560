import type { Call } from '../call/call.ts'
import type { Readers, Stores } from '../storage/storage.ts'
import type { Dependencies } from './dependencies.ts'
import { WouldWrite } from './permission-check.ts'
import { commands, type Query, queries, searches } from './registry.ts'

/** Prefixes of the names of store methods that only read. */
export const readingVerbs = ['find', 'list', 'count', 'search', 'sum', 'estimate', 'has', 'is', 'are'] as const

const readingName = new RegExp(`^(${readingVerbs.join('|')})[A-Z]`)

/**
 * Executes an operation on a snapshot, up to its first write: there it throws WouldWrite, as an operation decides
 * everything before it writes. Refusals are thrown as usual; a query runs to its end.
 */
export async function attemptOperation(
  stores: Readers,
  call: Call,
  operation: string,
  input: unknown,
): Promise<unknown> {
  const query = { ...queries, ...searches }[operation] as Query<unknown> | undefined
  if (query) return query(stores, call, input)
  const command = commands[operation as keyof typeof commands] as (
    stores: Stores,
    call: Call,
    input: unknown,
  ) => Promise<unknown>
  return command(withoutWrites(stores), call, input)
}

/** Stores of a snapshot; every method that does more than read throws instead. */
function withoutWrites(stores: Readers): Stores {
  const guarded = Object.entries(stores).map(([room, store]) => [room, guard(store)])
  return Object.fromEntries(guarded) as Stores
}

function guard(store: object): object {
  const methods = Object.entries(store).map(([name, method]) => [name, readingName.test(name) ? method : pass])
  return Object.fromEntries(methods)
}

/** Passes for an empty list, which writes nothing: every one of several targets was refused. */
async function pass(...given: readonly unknown[]): Promise<void> {
  if (!given.some((one) => Array.isArray(one) && one.length === 0)) throw new WouldWrite()
}

/** Dependencies whose slow work throws WouldWrite: slow work comes after the permission check. */
export function withoutSlowWork(dependencies: Dependencies): Dependencies {
  const pass = async (): Promise<never> => {
    throw new WouldWrite()
  }
  return {
    ...dependencies,
    passwords: { hash: pass, verify: pass },
    signer: { ...dependencies.signer, sign: pass },
    outgoing: { findRefusal: pass, post: pass },
    webhookSecrets: { seal: pass, sign: pass },
    pullWaits: { ...dependencies.pullWaits, wait: pass },
    schemaFileReader: { read: pass, readTable: pass, writeWorkbook: pass },
  }
}
