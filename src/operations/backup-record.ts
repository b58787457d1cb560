/** Record of the server's automatic backups: written by the backups, read by the metrics. */
export interface BackupRecord {
  /** Time of the last successful backup, in epoch milliseconds; undefined where none is known. */
  lastAt(): number | undefined
  /** Number of failed backups since the process started. */
  failures(): number
  /** Whether the last backup failed. */
  hasFailed(): boolean
  succeeded(at: number): void
  failed(): void
}

export function openBackupRecord(): BackupRecord {
  let last: number | undefined
  let failures = 0
  let lastFailed = false
  return {
    lastAt: () => last,
    failures: () => failures,
    hasFailed: () => lastFailed,
    succeeded(at) {
      last = at
      lastFailed = false
    },
    failed() {
      failures += 1
      lastFailed = true
    },
  }
}
