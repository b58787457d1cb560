import { operationRefused, PortalError } from '../../../src/errors.ts'
import { StorageUnavailable, type Stores, type Work } from '../../../src/storage/storage.ts'
import { aKey, anAuditEntry, aPortal } from '../contract/records.ts'

/** Work made for tests of those who write. A thread knows it by the names of these functions. */

/** Makes what `appendNumber` appends to. */
export async function addPortal({ directory }: Stores): Promise<void> {
  await directory.addPortal(aPortal(), aKey)
}

/** An audit entry whose time is the number; answers the number. */
export async function addEntry({ audit }: Stores, number: number): Promise<number> {
  await audit.add(anAuditEntry({ at: number }))
  return number
}

/** An entry that takes room on the disk. */
export async function addLargeEntry({ audit }: Stores, length: number): Promise<void> {
  await audit.add(anAuditEntry({ target: 'x'.repeat(length) }))
}

/** Reads the numbers that were appended before, and writes them back with one more. */
export async function appendNumber({ directory }: Stores, number: number): Promise<void> {
  const { portalId } = aPortal()
  const { description } = (await directory.findPortal(portalId))!
  await directory.updatePortal(aPortal({ description: `${description} ${number}` }))
}

export const thrown = {
  portal: () =>
    new PortalError({
      code: 429,
      messageCode: 'GWM_0003',
      message: 'Not now.',
      details: ['one'],
      retryAfterSeconds: 7,
    }),
  'bare portal': () => new PortalError({ code: 404, message: 'Nowhere.' }),
  refused: () => operationRefused('The first reason.', 'The second reason.'),
  unavailable: () => new StorageUnavailable('The disk is elsewhere.'),
  bug: () => new RangeError('far out'),
  text: () => 'no error at all',
} as const

export type Thrown = keyof typeof thrown

/** Writes, and throws after that. */
export async function addAndThrow(stores: Stores, kind: Thrown): Promise<void> {
  await addEntry(stores, -1)
  throw thrown[kind]()
}

/** Breaks a constraint of the database: the second portal of one id. */
export async function addPortalTwice(stores: Stores): Promise<void> {
  await addPortal(stores)
  await addPortal(stores)
}

/** A door in shared memory: whether work stands before it, and whether it is open. */
export type Gate = Int32Array<SharedArrayBuffer>

export const standsBefore = 0
export const isOpen = 1

/** Writes, and goes on when the gate is opened; other work of this thread may run meanwhile. */
export async function waitAtGate(stores: Stores, gate: Gate): Promise<void> {
  await addEntry(stores, 0)
  knock(gate)
  await Atomics.waitAsync(gate, isOpen, 0).value
}

/** The same, but keeps its whole thread waiting, as a disk does that does not answer. */
export async function blockAtGate(stores: Stores, gate: Gate): Promise<void> {
  await addEntry(stores, 0)
  knock(gate)
  Atomics.wait(gate, isOpen, 0)
}

function knock(gate: Gate): void {
  Atomics.store(gate, standsBefore, 1)
  Atomics.notify(gate, standsBefore)
}

/** Answers what cannot travel between threads. */
export async function answerFunction(stores: Stores): Promise<() => void> {
  await addEntry(stores, -1)
  return () => undefined
}

/** Takes anything. */
export async function ignoreInput(stores: Stores, _input: unknown): Promise<void> {
  await addEntry(stores, -1)
}

/** Ends the thread in the middle of a transaction. */
export async function exitThread(stores: Stores): Promise<void> {
  await addEntry(stores, -1)
  process.exit(3)
}

/** Ends the thread a moment later, by an error that nobody catches. */
export async function throwOutside(): Promise<void> {
  setImmediate(() => {
    throw new Error('outside of everything')
  })
}

/** Work that the thread is not told of. */
export async function unknownWork(stores: Stores): Promise<void> {
  await addEntry(stores, -1)
}

export const knownWorks: readonly Work<unknown, never>[] = [
  addPortal,
  addEntry,
  addLargeEntry,
  appendNumber,
  addAndThrow,
  addPortalTwice,
  waitAtGate,
  blockAtGate,
  answerFunction,
  ignoreInput,
  exitThread,
  throwOutside,
]
