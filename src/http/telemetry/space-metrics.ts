import { X509Certificate } from 'node:crypto'
import { Counter, Gauge, type Registry } from 'prom-client'
import { type Attention, conditions } from '../../operations/attention.ts'
import type { BackupRecord } from '../../operations/backup-record.ts'
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

export function showAttention(attention: Attention, registry: Registry): void {
  new Gauge({
    name: 'cartulary_attention',
    help: 'Whether something needs a person, by condition: 1 while it holds, else 0.',
    labelNames: ['condition'],
    registers: [registry],
    collect() {
      const found = new Set(attention.list().map(({ condition }) => condition))
      for (const condition of conditions) this.set({ condition }, found.has(condition) ? 1 : 0)
    },
  })
}

/** Finds the certificate chain in PEM that is served now; undefined where plain HTTP is served. */
export type FindCertificate = () => Buffer | undefined

export function showCertificate(findCertificate: FindCertificate, registry: Registry): void {
  new Gauge({
    name: 'cartulary_certificate_not_after_timestamp_seconds',
    help: 'Until when the certificate in TLS_CERT_FILE is valid, since the epoch; absent where plain HTTP is served.',
    registers: [registry],
    collect() {
      const certificate = findCertificate()
      if (certificate === undefined) this.remove()
      else this.set(Date.parse(new X509Certificate(certificate).validTo) / 1_000)
    },
  })
}

/** Registers the metrics of the backups that the server makes by itself. */
export function showBackups(record: BackupRecord, registry: Registry): void {
  const registers = [registry]
  new Gauge({
    name: 'cartulary_last_backup_timestamp_seconds',
    help: 'When the last good backup was made, since the epoch; absent where BACKUP_DIR is not set or has none.',
    registers,
    collect() {
      const at = record.lastAt()
      if (at === undefined) this.remove()
      else this.set(at / 1000)
    },
  })
  new Counter({
    name: 'cartulary_backup_failures_total',
    help: 'Backups that failed, of those that the server makes by itself.',
    registers,
    collect() {
      this.reset()
      this.inc(record.failures())
    },
  })
}
