import { readFileSync } from 'node:fs'
import { onTestFinished } from 'vitest'
import { type Connect, openConnection } from '../../../src/storage/sqlite/file.ts'
import { openSqlite } from '../../../src/storage/sqlite/sqlite.ts'
import type { Storage, Work } from '../../../src/storage/storage.ts'
import { everything } from '../contract/records.ts'
import { temporaryFile } from './temporary-file.ts'
import { blockAtGate, type Gate, isOpen, standsBefore, waitAtGate } from './write-works.ts'

/** A thread that knows the work of `write-works.ts`. */
export const writeThread = new URL('./write-works-thread.ts', import.meta.url)

export interface OpenedFile {
  readonly file: string
  readonly storage: Storage
}

/** Who writes to a file: the thread that asks, or one of its own. */
export interface Variant {
  readonly name: string
  open(connect?: Connect): Promise<OpenedFile>
  /** Work that keeps the writer busy until the gate is opened. */
  readonly hold: Work<void, Gate>
}

export const threaded: Variant = {
  name: 'a thread of its own',
  open: (connect) => openFile(connect, writeThread),
  hold: blockAtGate,
}

export const variants: readonly Variant[] = [
  { name: 'the thread that asks', open: (connect) => openFile(connect), hold: waitAtGate },
  threaded,
]

async function openFile(connect: Connect = openConnection, thread?: URL): Promise<OpenedFile> {
  const file = temporaryFile()
  const storage = await openSqlite(file, connect, thread)
  onTestFinished(() => storage.close())
  return { file, storage }
}

export interface Held {
  /** The work that keeps the writer busy. */
  readonly holding: Promise<void>
  release(): void
}

/** Keeps the writer busy with a transaction that has begun. What is sent meanwhile has to wait. */
export async function hold({ hold }: Variant, storage: Storage, until?: number): Promise<Held> {
  const gate: Gate = new Int32Array(new SharedArrayBuffer(8))
  const holding = storage.write(hold, gate, until)
  // Where the writer is told that it is too late, the test looks for itself.
  holding.catch(() => undefined)
  await Atomics.waitAsync(gate, standsBefore, 0).value
  const release = () => {
    Atomics.store(gate, isOpen, 1)
    Atomics.notify(gate, isOpen)
  }
  onTestFinished(release)
  return { holding, release }
}

/** Resolves when what was asked for before has left for the other thread. */
export async function sent(): Promise<void> {
  for (let turn = 0; turn < 2; turn += 1) await new Promise((resolve) => setImmediate(resolve))
}

/** Numbers of the entries, in the order in which they were written. */
export async function entriesOf(storage: Storage): Promise<readonly number[]> {
  const { entries } = await storage.read(({ audit }) => audit.list(everything))
  return entries.map(({ at }) => at).reverse()
}

const header = 32
const frameHeader = 24

/** Transactions in the write-ahead log, which has to be of one run: the last page of each names the database's size. */
export function countCommits(file: string): number {
  const log = readFileSync(`${file}-wal`)
  const frame = frameHeader + log.readUInt32BE(8)
  const salts = log.subarray(16, 24)
  let commits = 0
  for (let at = header; at + frame <= log.length; at += frame) {
    if (!log.subarray(at + 8, at + 16).equals(salts)) break
    if (log.readUInt32BE(at + 4) > 0) commits += 1
  }
  return commits
}
