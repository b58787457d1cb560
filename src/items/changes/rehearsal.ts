import type { Call } from '../../call/call.ts'
import type { JobFailure } from '../../jobs/job.ts'
import { attempt } from '../attempt.ts'
import type { StoredChange } from '../history-store.ts'
import { revertChange, type StoresOfHistory } from './revert.ts'

/** End of a rehearsal: everything is decided, and the first write would come. */
class Decided extends Error {}

/** First words of methods that write. The snapshot that a rehearsal is on refuses those that are forgotten here. */
const writes = /^(add|assign|delete|disown|end|give|merge|put|remove|update)(?=[A-Z])/

function untilWrite<Store extends object>(store: Store): Store {
  return new Proxy(store, {
    get(of, name) {
      if (typeof name !== 'string' || !writes.test(name)) return Reflect.get(of, name)
      return () => Promise.reject(new Decided())
    },
  })
}

/** Refusals of undoing these changes, each judged for itself. */
export async function rehearseReverts(
  readers: object,
  call: Call,
  changes: readonly StoredChange[],
): Promise<readonly JobFailure[]> {
  const failures: JobFailure[] = []
  for (const change of changes) {
    const { itemId, failure } = await attempt(change.itemId, () => rehearseRevert(readers, call, change))
    if (failure) failures.push({ itemId, ...failure })
  }
  return failures
}

/** Decides as `revertChange` does, which decides everything before its first write, and ends there; throws what it refuses. */
async function rehearseRevert(readers: object, call: Call, change: StoredChange): Promise<object> {
  const stores = Object.fromEntries(Object.entries(readers).map(([room, store]) => [room, untilWrite(store)]))
  try {
    await revertChange(stores as unknown as StoresOfHistory, call, change)
  } catch (error) {
    if (!(error instanceof Decided)) throw error
  }
  return {}
}
