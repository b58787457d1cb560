import { createHash } from 'node:crypto'
import { readdirSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { defaultLimits } from '../../src/limits.ts'
import { executeCommand } from '../../src/operations/execute.ts'
import { random } from '../../src/secrets/random.ts'
import { openSqlite } from '../../src/storage/sqlite/sqlite.ts'
import { temporaryFile } from '../storage/sqlite/temporary-file.ts'
import { seededRandom } from '../support/inputs/seeded-random.ts'
import { Disk, type Image, type Loss, wholeFile } from './disk.ts'
import { Ledger } from './ledger.ts'
import { requireConsistency } from './oracle.ts'
import { databaseName, type Event } from './recording.ts'
import { SqliteTables } from './sqlite-tables.ts'

/** Findings on the disks that power losses left behind. */
export interface Findings {
  /** Disks that differ. */
  readonly distinct: number
  /** After which kinds of events the power was lost. */
  readonly kinds: readonly string[]
  /** Problems, each with its disk. */
  readonly failures: readonly string[]
}

/**
 * Loses the power so often, at moments of every kind. Opens what is left as the program does, and holds it against what
 * had been answered to clients by then. Power losses are numbered: the same number on the same recording is the same disk.
 */
export async function losePower(events: readonly Event[], count: number): Promise<Findings> {
  const moments = Map.groupBy(events.keys(), (moment) => kindOf(events[moment]!))
  const losses = Array.from({ length: count }, (_, number) => drawLoss(moments, number))
  const seen = new Set<string>()
  const failures: string[] = []
  const folder = dirname(temporaryFile())
  const disk = new Disk()
  const ledger = new Ledger()
  let applied = 0
  for (const loss of losses.toSorted((one, other) => one.moment - other.moment)) {
    for (const event of events.slice(applied, loss.moment + 1)) {
      disk.apply(event)
      if (event.what === 'ledger') ledger.note(event.entry)
    }
    applied = loss.moment + 1
    const image = disk.image(loss)
    seen.add(digest(image))
    const { number, moment } = loss
    const place = `power loss ${number}, after event ${moment + 1} of ${events.length} (${kindOf(events[moment]!)})`
    putImage(image, folder)
    await requireSurvival(join(folder, databaseName), ledger, place).catch((error: Error) =>
      failures.push(error.message),
    )
  }
  return { distinct: seen.size, kinds: [...moments.keys()], failures }
}

interface PowerLoss extends Loss {
  readonly number: number
  /** Position of the last event. */
  readonly moment: number
}

const granules = [512, 4096, wholeFile]
/** How often a granule is as it is at present, and how often as it was at the last sync. */
const shares = [
  [1, 0],
  [0, 1],
  [0.5, 0.5],
  [0.95, 0.05],
  [0.05, 0.95],
  [0.4, 0.3],
  [0, 0],
] as const

/** The kinds of events, each with its moments. */
type Moments = ReadonlyMap<string, readonly number[]>

function drawLoss(moments: Moments, number: number): PowerLoss {
  const random = seededRandom(number)
  const pick = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)]!
  // Half of them where something happens often, half at what happens rarely too.
  const moment = number % 2 === 0 ? pick([...moments.values()].flat()) : pick(pick([...moments.values()]))
  const [present, synced] = pick(shares)
  return { number, moment, granule: pick(granules), present, synced, isNoisy: random() < 0.5, random }
}

function kindOf(event: Event): string {
  return event.what === 'ledger' ? Object.keys(event.entry)[0]! : `${event.what} ${event.name}`
}

/** Nothing else is in the folder afterwards. */
function putImage(image: Image, folder: string): void {
  for (const name of readdirSync(folder)) rmSync(join(folder, name))
  for (const [name, bytes] of image) writeFileSync(join(folder, name), bytes)
}

async function requireSurvival(file: string, ledger: Ledger, place: string): Promise<void> {
  const storage = await openSqlite(file, executeCommand(defaultLimits, random.id)).catch((error: Error) => {
    throw new Error(`${place}: it does not open: ${error.message}`)
  })
  await storage.close()
  using tables = new SqliteTables(file)
  await tables.requireSound(place)
  await requireConsistency({ query: tables.query, ledger, place })
}

function digest(image: Image): string {
  const hash = createHash('sha256')
  for (const [name, bytes] of image) hash.update(`${name} ${bytes.length}\n`).update(bytes)
  return hash.digest('hex')
}
