import { Counter, Gauge, type Registry } from 'prom-client'
import type { BackupRecord } from '../../operations/backup-record.ts'

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
