import type { ExecuteSearch, Readers, SearchOptions, Stores } from '../../../src/storage/storage.ts'
import { callStore, type StoreCall } from '../store-calls.ts'

/** Shared between threads: `[is waiting, is open, number of searches that have begun]`. */
export type Gate = Int32Array<SharedArrayBuffer>
const [isWaiting, isOpen, begun] = [0, 1, 2]

/** Calls of stores, one after the other. Before those behind it, a gate is waited for, as long as the thread lives. */
export interface SearchCalls {
  readonly calls: readonly StoreCall[]
  readonly gate?: Gate
  readonly behind?: readonly StoreCall[]
  /** Blocks the thread at the gate, as a long statement would. */
  readonly blocks?: boolean
}

export const runSearchCalls: ExecuteSearch<SearchCalls> = async (stores, { calls, gate, behind = [], blocks }) => {
  const order = gate && Atomics.add(gate, begun, 1) + 1
  const results = await callAll(stores, calls)
  if (gate) await waitAt(gate, blocks)
  return { order, results: [...results, ...(await callAll(stores, behind))] }
}

export const searches: SearchOptions<SearchCalls> = { execute: runSearchCalls }

async function callAll(stores: Readers, calls: readonly StoreCall[]): Promise<unknown[]> {
  const results: unknown[] = []
  for (const call of calls) results.push(await callStore(stores as Stores, call))
  return results
}

async function waitAt(gate: Gate, blocks = false): Promise<void> {
  Atomics.store(gate, isWaiting, 1)
  Atomics.notify(gate, isWaiting)
  if (blocks) Atomics.wait(gate, isOpen, 0)
  else await Atomics.waitAsync(gate, isOpen, 0).value
}

/** A gate that is shut, in memory that threads share. */
export function shutGate(): { gate: Gate; isReached: () => Promise<unknown>; open: () => void; begun: () => number } {
  const gate: Gate = new Int32Array(new SharedArrayBuffer(12))
  return {
    gate,
    isReached: async () => Atomics.waitAsync(gate, isWaiting, 0).value,
    open() {
      Atomics.store(gate, isOpen, 1)
      Atomics.notify(gate, isOpen)
    },
    begun: () => Atomics.load(gate, begun),
  }
}
