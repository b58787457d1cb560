import { Gauge, type Registry } from 'prom-client'
import type { Storage, StorageSpace } from '../../storage/storage.ts'
import { countTimeout, throttled, withTimeout } from './throttle.ts'

/** Milliseconds. */
const measurementInterval = 10_000

type MeasureSpace = () => Promise<StorageSpace | undefined>

/** Measures the database at most once in ten seconds; undefined where it does not answer. */
export function measureSpace(storage: Pick<Storage<never>, 'measure'>, clock?: () => number): MeasureSpace {
  const measure = () => withTimeout(countTimeout, storage.measure(), undefined).catch(() => undefined)
  return throttled(measurementInterval, measure, clock)
}

export function showSpace(measure: MeasureSpace, registry: Registry): void {
  const show = (name: string, help: string, figure: keyof StorageSpace) =>
    new Gauge({
      name,
      help,
      registers: [registry],
      async collect() {
        const bytes = (await measure())?.[figure]
        if (bytes === undefined) this.remove()
        else this.set(bytes)
      },
    })
  show('cartulary_database_bytes', 'Size of the database, with its log and indexes.', 'used')
  show('cartulary_disk_free_bytes', 'Free space on the disk of a SQLite database; absent for any other.', 'free')
}
