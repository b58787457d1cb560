/** What became of the backups that a server makes by itself: written by those, read by the metrics. */
export interface BackupRecord {
  /** When the last good one was made, in epoch milliseconds; undefined where none is known. */
  lastAt(): number | undefined
  /** How many have failed since the process started. */
  failures(): number
  succeeded(at: number): void
  failed(): void
}

export function openBackupRecord(): BackupRecord {
  let last: number | undefined
  let failures = 0
  return {
    lastAt: () => last,
    failures: () => failures,
    succeeded(at) {
      last = at
    },
    failed() {
      failures += 1
    },
  }
}
