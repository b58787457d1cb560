import { readFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { type Connect, openConnection } from '../../../src/storage/sqlite/file.ts'
import { openSqlite } from '../../../src/storage/sqlite/sqlite.ts'
import type { ThreadProgram } from '../../../src/storage/sqlite/thread-protocol.ts'
import type { Storage } from '../../../src/storage/storage.ts'
import { queryFile, recordedIn } from '../../support/databases/recorded.ts'
import { threadProgram } from '../thread-program.ts'
import { preparedFile } from './temporary-file.ts'
import { type Gate, isOpen, muchLater, runCommand, send, type TestCommand, waitsAt } from './write-commands.ts'

/** The program of a thread that runs the commands of `write-commands.ts`. */
export const writeThread = () => threadProgram(new URL('./write-commands-thread.mjs', import.meta.url))

export interface OpenedFile {
  readonly file: string
  readonly storage: Storage<TestCommand>
}

/** Which thread writes to a file: that of the test, or one of its own. */
export interface Variant {
  readonly name: string
  open(connect?: Connect): Promise<OpenedFile>
  /** The command that keeps the writer busy until the gate is opened. */
  readonly hold: 'blockAtGate' | 'waitAtGate'
}

export const threaded: Variant = {
  name: 'a thread of its own',
  open: async (connect) => openFile(connect, await writeThread()),
  hold: 'blockAtGate',
}

export const variants: readonly Variant[] = [
  { name: 'the thread of the test', open: (connect) => openFile(connect), hold: 'waitAtGate' },
  threaded,
]

async function openFile(connect: Connect = openConnection, thread?: ThreadProgram): Promise<OpenedFile> {
  const file = await preparedFile()
  const storage = await openSqlite(file, runCommand, { connect, ...(thread && { writeThread: thread }) })
  onTestFinished(() => storage.close())
  return { file, storage }
}

export interface Held {
  /** The command that keeps the writer busy. */
  readonly holding: Promise<void>
  release(): void
}

/** Keeps the writer busy with a transaction that has begun. What is sent meanwhile has to wait. */
export async function hold({ hold }: Variant, { storage }: OpenedFile, until = muchLater()): Promise<Held> {
  const gate: Gate = new Int32Array(new SharedArrayBuffer(8))
  const release = () => {
    Atomics.store(gate, isOpen, 1)
    Atomics.notify(gate, isOpen)
  }
  onTestFinished(release)
  const holding = send(storage, hold, gate, until)
  // A command that was refused never reaches the gate.
  await Promise.race([Atomics.waitAsync(gate, waitsAt, 0).value, holding])
  return { holding, release }
}

/** Resolves when all commands so far are sent to the other thread. */
export async function sent(): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** Numbers of the entries that are committed, in the order in which they were written. */
export async function entriesOf({ file }: OpenedFile): Promise<readonly number[]> {
  const entries = await recordedIn(queryFile(file)).entries()
  return entries.map(({ at }) => at)
}

const header = 32
const frameHeader = 24

/** Transactions in the write-ahead log, which has to be of one run: the last page of each names the database's size. */
export function countCommits(file: string): number {
  const log = readFileSync(`${file}-wal`)
  if (log.length === 0) return 0
  const frame = frameHeader + log.readUInt32BE(8)
  const salts = log.subarray(16, 24)
  let commits = 0
  for (let at = header; at + frame <= log.length; at += frame) {
    if (!log.subarray(at + 8, at + 16).equals(salts)) break
    if (log.readUInt32BE(at + 4) > 0) commits += 1
  }
  return commits
}
