import { mkdtempSync, readFileSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { countOf, isLong, timeoutOf } from '../support/length.ts'
import { losePower } from './power-loss.ts'
import { canRecord, databaseName, parseRecording, readKept, record, type Setting } from './recording.ts'

/** Disks that have to differ, of so many power losses. */
const disks = countOf({ sample: 25, long: 500 })
const losses = countOf({ sample: 40, long: 1_500 })
/** Enough losses to find the faults that are there. */
const provingLosses = countOf({ sample: 30, long: 60 })
const answers = countOf({ sample: 60, long: 800 })
const timeout = timeoutOf(losses, 1_000)

interface Source {
  readonly name: string
  open(setting: Setting): Promise<Buffer>
}

const keptSource: Source = { name: 'the recording of these tests', open: async (setting) => readKept(setting) }
const sources = await findSources()
/** A kept recording proves on any machine that the test finds faults. */
const provingSources = isLong ? sources : [keptSource]

test.each(sources)(
  'no power loss takes an acknowledged write or leaves one half done: $name',
  { timeout },
  async ({ open }) => {
    const recording = await open('own')
    const { distinct, kinds, failures } = await losePower(parseRecording(recording), losses)
    expect(failures, keepFailed(recording, failures)).toEqual([])
    expect(distinct).toBeGreaterThanOrEqual(disks)
    // Checkpoints, acknowledged writes, and the end of a server.
    const watched = [`sync ${databaseName}`, `sync ${databaseName}-wal`, `unlink ${databaseName}-wal`]
    expect(kinds).toEqual(expect.arrayContaining(watched))
  },
)

test.each(provingSources)(
  'with synchronous=NORMAL acknowledged writes are lost, and that is seen: $name',
  {
    timeout,
  },
  async ({ open }) => {
    const { failures } = await losePower(parseRecording(await open('normal')), provingLosses)
    expect(failures.length).toBeGreaterThan(provingLosses / 20)
    expect(failures.filter((failure) => !failure.includes('acknowledged and lost'))).toEqual([])
  },
)

test('on a disk that only says that it has synced, the database breaks, and that is seen', { timeout }, async () => {
  const events = parseRecording(readKept('own'))
  const forgetful = events.filter((event) => event.what !== 'sync' || event.name !== databaseName)
  const { failures } = await losePower(forgetful, provingLosses)
  expect(failures.filter((failure) => /it does not open|integrity/.test(failure)).length).toBeGreaterThan(0)
})

async function findSources(): Promise<readonly Source[]> {
  const failed = process.env['POWER_LOSS_RECORDING']
  if (failed) return [{ name: failed, open: async () => readFileSync(failed) }]
  if (!(await canRecord())) {
    console.warn('A new recording takes Linux and a C compiler named cc; power losses are tried on the kept one alone.')
    return [keptSource]
  }
  const recorded: Source = { name: 'a new recording', open: (setting) => record(setting, answers) }
  return isLong ? [keptSource, recorded] : [recorded]
}

/** Keeps the recording of a failure in a file; returns how to try it again. */
function keepFailed(recording: Buffer, failures: readonly string[]): string {
  if (failures.length === 0) return ''
  const file = join(mkdtempSync(join(tmpdir(), 'cartulary-power-loss-')), 'recording')
  writeFileSync(file, recording)
  const again = `POWER_LOSS_RECORDING=${file} npx vitest run test/durability/power-loss.test.ts -t 'no power loss'`
  return `${failures[0]}\nAgain by: ${again}\n`
}
