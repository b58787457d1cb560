import { execFile } from 'node:child_process'
import { mkdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { brotliCompressSync, brotliDecompressSync } from 'node:zlib'
import { Folder } from '../support/portal/process.ts'
import type { Entry } from './ledger.ts'

const run = promisify(execFile)
const recorder = fileURLToPath(new URL('./recorder.c', import.meta.url))
const workload = fileURLToPath(new URL('./workload.ts', import.meta.url))

/** Name of the database in the recorded folder. */
export const databaseName = 'portal.db'

/** One change of the files of a database, or of what its clients know, in the order in which they occurred. */
export type Event =
  | { readonly what: 'create'; readonly inode: string; readonly name: string }
  | {
      readonly what: 'write'
      readonly inode: string
      readonly name: string
      readonly offset: number
      readonly bytes: Buffer
    }
  | { readonly what: 'resize'; readonly inode: string; readonly name: string; readonly size: number }
  /** The folder has the name `.`. */
  | { readonly what: 'sync'; readonly inode: string; readonly name: string }
  | { readonly what: 'unlink'; readonly name: string }
  | { readonly what: 'ledger'; readonly entry: Entry }

/** Settings of the database: the program's own, or the weaker `synchronous=NORMAL`. */
export type Setting = 'own' | 'normal'

/** Whether this machine can record: it takes a C compiler and a loader that preloads. */
export async function canRecord(): Promise<boolean> {
  if (process.platform !== 'linux') return false
  return run('cc', ['--version']).then(
    () => true,
    () => false,
  )
}

/** Runs the workload until the clients have that many answers; resolves with what the recorder saw. */
export async function record(setting: Setting, answers: number): Promise<Buffer> {
  using folder = new Folder()
  const library = join(folder.path, 'recorder.so')
  await run('cc', ['-shared', '-fPIC', '-O1', '-o', library, recorder, '-ldl'])
  const recorded = join(realpathSync(folder.path), 'recorded')
  const recording = join(folder.path, 'recording')
  mkdirSync(recorded)
  writeFileSync(recording, '')
  const environment = { LD_PRELOAD: library, RECORDED_FOLDER: recorded, RECORDING: recording }
  await run(process.execPath, [workload, recorded, recording, setting, String(answers)], { env: environment })
  return readFileSync(recording)
}

/** A recording that is kept with the tests, for machines that cannot record; `scripts/record-writes.ts` renews it. */
export function readKept(setting: Setting): Buffer {
  return brotliDecompressSync(readFileSync(keptFile(setting)))
}

/** Keeps a recording with the tests. */
export function keep(recording: Buffer, setting: Setting): void {
  writeFileSync(keptFile(setting), brotliCompressSync(recording))
}

function keptFile(setting: Setting): URL {
  return new URL(`./recorded/${setting}.br`, import.meta.url)
}

/** The events of a recording. */
export function parseRecording(recording: Buffer): readonly Event[] {
  const events: Event[] = []
  let position = 0
  while (position < recording.length) {
    const end = recording.indexOf('\n', position)
    const [what, inode, number, count, ...name] = recording.toString('utf8', position, end).split(' ')
    position = end + 1 + Number(count)
    const bytes = recording.subarray(end + 1, position)
    events.push(toEvent({ what: what!, inode: inode!, number: Number(number), name: name.join(' '), bytes }))
  }
  return events.filter((event) => !('name' in event && isRebuilt(event.name)))
}

/** The index of the log is rebuilt by the first connection that opens the database. */
function isRebuilt(name: string): boolean {
  return name.endsWith('-shm')
}

interface Line {
  readonly what: string
  readonly inode: string
  readonly number: number
  readonly name: string
  readonly bytes: Buffer
}

function toEvent({ what, inode, number, name, bytes }: Line): Event {
  switch (what) {
    case 'create':
    case 'sync':
      return { what, inode, name }
    case 'write':
      return { what, inode, name, offset: number, bytes }
    case 'resize':
      return { what, inode, name, size: number }
    case 'unlink':
      return { what, name }
    case 'ledger':
      return { what, entry: JSON.parse(bytes.toString('utf8')) }
    default:
      throw new Error(`The model of a disk does not know what ${what} does to ${name}.`)
  }
}
