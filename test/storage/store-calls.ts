import type { Execute, Stores } from '../../src/storage/storage.ts'

type CallsOf<Room extends keyof Stores> = {
  [Verb in keyof Stores[Room]]: Stores[Room][Verb] extends (...parameters: infer Parameters) => unknown
    ? readonly [room: Room, verb: Verb, ...parameters: Parameters extends readonly unknown[] ? Parameters : never]
    : never
}[keyof Stores[Room]]

/** One verb of a store with its parameters, as plain values: a part of a command that any thread can run. */
export type StoreCall = { [Room in keyof Stores]: CallsOf<Room> }[keyof Stores]

/** Runs one call. */
export function callStore(stores: Stores, [room, verb, ...parameters]: StoreCall): Promise<unknown> {
  const verbs = stores[room] as unknown as Readonly<Record<string, (...parameters: unknown[]) => Promise<unknown>>>
  return verbs[verb]!(...parameters)
}

/** Runs calls, one after the other. */
export const runCalls: Execute<readonly StoreCall[]> = async (stores, calls) => {
  for (const call of calls) await callStore(stores, call)
}
