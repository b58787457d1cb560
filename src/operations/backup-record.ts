/** Record of the server's automatic backups: written by the backups, read by the metrics. */
export interface BackupRecord {
  /** Time of the last successful backup, in epoch milliseconds; undefined where none is known. */
  lastAt(): number | undefined
  /** Number of failed backups since the process started. */
  failures(): number
  /** Whether the last backup failed. */
  hasFailed(): boolean
  /** `doneAt`: when all was done that belongs to it, by default `at`. A failure that came later stays. */
  succeeded(at: number, doneAt?: number): void
  failed(at?: number): void
  /** The last backup failed before this process started. */
  resumeFailure(at: number): void
}

export function openBackupRecord(): BackupRecord {
  let last: number | undefined
  let failures = 0
  let failedAt: number | undefined
  return {
    lastAt: () => last,
    failures: () => failures,
    hasFailed: () => failedAt !== undefined,
    succeeded(at, doneAt = at) {
      last = at
      if (failedAt !== undefined && doneAt >= failedAt) failedAt = undefined
    },
    failed(at = Number.NEGATIVE_INFINITY) {
      failures += 1
      failedAt = at
    },
    resumeFailure(at) {
      failedAt = at
    },
  }
}
