import { operationRefused, PortalError, refusedUnless } from '../../../src/errors.ts'
import {
  DamagedDocument,
  type Execute,
  type Storage,
  StorageUnavailable,
  type Stores,
} from '../../../src/storage/storage.ts'
import { aKey, anAuditEntry, aPortal } from '../contract/records.ts'

/** Adds the organization that `appendNumber` appends to. */
async function addPortal({ directory }: Stores): Promise<void> {
  await directory.addPortal(aPortal(), aKey)
}

/** Adds an audit entry whose time is the number; returns the number. */
async function addEntry({ audit }: Stores, number: number): Promise<number> {
  await audit.add(anAuditEntry({ at: number }))
  return number
}

/** An entry that takes room on the disk. */
async function addLargeEntry({ audit }: Stores, length: number): Promise<void> {
  await audit.add(anAuditEntry({ target: 'x'.repeat(length) }))
}

/** Reads the numbers that were appended before, and writes them back with one more. */
async function appendNumber({ directory }: Stores, number: number): Promise<void> {
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
  'refused unless': () => refusedUnless('acceptNewKey', 'The key is another one.'),
  unavailable: () => new StorageUnavailable('The disk is elsewhere.'),
  damaged: () => new DamagedDocument('items (id 7)'),
  bug: () => new RangeError('far out'),
  text: () => 'no error at all',
} as const

export type Thrown = keyof typeof thrown

/** Writes, and throws after that. */
async function addAndThrow(stores: Stores, kind: Thrown): Promise<void> {
  await addEntry(stores, -1)
  throw thrown[kind]()
}

/** Breaks a constraint of the database: the second portal of one id. */
async function addPortalTwice(stores: Stores): Promise<void> {
  await addPortal(stores)
  await addPortal(stores)
}

/** A gate in shared memory: whether a command waits at it, and whether it is open. */
export type Gate = Int32Array<SharedArrayBuffer>

export const waitsAt = 0
export const isOpen = 1

/** Writes, and goes on when the gate is opened; its thread does other things meanwhile. */
async function waitAtGate(stores: Stores, gate: Gate): Promise<void> {
  await addEntry(stores, 0)
  reach(gate)
  await Atomics.waitAsync(gate, isOpen, 0).value
}

/** Waits at the gate, but blocks its whole thread, as a disk that does not answer would. */
async function blockAtGate(stores: Stores, gate: Gate): Promise<void> {
  await addEntry(stores, 0)
  reach(gate)
  Atomics.wait(gate, isOpen, 0)
}

function reach(gate: Gate): void {
  Atomics.store(gate, waitsAt, 1)
  Atomics.notify(gate, waitsAt)
}

/** Returns a value that cannot be sent between threads. */
async function answerFunction(stores: Stores): Promise<() => void> {
  await addEntry(stores, -1)
  return () => undefined
}

/** Takes anything. */
async function ignoreInput(stores: Stores, _input: unknown): Promise<void> {
  await addEntry(stores, -1)
}

/** Ends the thread in the middle of a transaction. */
async function exitThread(stores: Stores): Promise<void> {
  await addEntry(stores, -1)
  process.exit(3)
}

/** Ends the thread after the commit, by an error that is not caught. */
async function throwOutside(): Promise<void> {
  setImmediate(() => {
    throw new Error('outside of everything')
  })
}

/** Commands of tests, by the names of their functions. */
const commands = {
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
}

type Commands = typeof commands
type Id = keyof Commands
type InputOf<Of extends Id> = Parameters<Commands[Of]>[1]
type OutputOf<Of extends Id> = Awaited<ReturnType<Commands[Of]>>

/** A command as plain values, so that any thread can run it. */
export interface TestCommand<Of extends Id = Id> {
  readonly operation: Of
  readonly input: InputOf<Of>
}

export const runCommand: Execute<TestCommand> = (stores, { operation, input }) =>
  commands[operation](stores, input as never)

/** A deadline that no machine is too slow for. */
export function muchLater(): number {
  return performance.now() + 3_600_000
}

/** Writes by a command. */
export async function send<Of extends Id>(
  storage: Storage<TestCommand>,
  operation: Of,
  input: InputOf<Of>,
  until = muchLater(),
): Promise<OutputOf<Of>> {
  return (await storage.write({ operation, input }, until)) as OutputOf<Of>
}
