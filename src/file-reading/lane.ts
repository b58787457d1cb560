import { serviceUnavailable, tooManyRequests } from '../errors.ts'
import type { FileSender, GivenFile, TableFile, WrittenRows } from '../schema-files/schema-file-reader.ts'
import type { UsedTime } from '../used-time.ts'

export interface LaneLimits {
  /** Files of one user that wait. */
  readonly maxPerUser: number
  /** Files of one organization that wait. */
  readonly maxPerPortal: number
  /** Milliseconds for which a file waits. */
  readonly waitTimeout: number
}

/** Reads a few files at a time, and never two of one organization. */
export interface Lane {
  /**
   * Runs the task when it is the sender's turn. Rejects with 429 where enough files of the user wait, unless it is another
   * task for a file that has waited before, and with 503 after `waitTimeout`.
   */
  run<Result>(sender: FileSender, task: () => Promise<Result>, hasWaited?: boolean): Promise<Result>
}

/** After which a refused file may be sent again. */
const retryAfterSeconds = 5

interface Waiting extends FileSender {
  readonly begin: () => void
}

/** The next is always a file of the organization that has used least time, and there of the user who has. */
export function openLane(
  { maxPerUser, maxPerPortal, waitTimeout }: LaneLimits,
  used: UsedTime,
  { maxAtOnce }: { readonly maxAtOnce: number },
): Lane {
  /** Oldest first. */
  const waiting = new Set<Waiting>()
  /** Organizations whose files are read. */
  const running = new Set<string>()
  const mayBegin = ({ portalId }: FileSender) => running.size < maxAtOnce && !running.has(portalId)

  function requirePlace({ portalId, userId }: FileSender): void {
    const ofPortal = [...waiting].filter((one) => one.portalId === portalId)
    const ofUser = ofPortal.filter((one) => one.userId === userId)
    if (ofUser.length >= maxPerUser) throw tooManyRequests('schemaFilesWaiting', retryAfterSeconds)
    if (ofPortal.length >= maxPerPortal) throw serviceUnavailable('schemaFilesWaiting')
  }

  async function wait({ portalId, userId }: FileSender): Promise<void> {
    const { promise, resolve, reject } = Promise.withResolvers<void>()
    const entry = { portalId, userId, begin: resolve }
    waiting.add(entry)
    const timer = setTimeout(() => {
      waiting.delete(entry)
      reject(serviceUnavailable('schemaFilesWaiting'))
    }, waitTimeout)
    await promise.finally(() => clearTimeout(timer))
  }

  function beginNext(): void {
    const now = performance.now()
    const useOf = ({ portalId, userId }: FileSender) => [used.of(portalId, now), used.of(userId, now)] as const
    const byUse = [...waiting].filter(mayBegin).map((entry) => ({ entry, use: useOf(entry) }))
    const next = byUse.sort(({ use: one }, { use: other }) => one[0] - other[0] || one[1] - other[1])[0]?.entry
    if (!next) return
    waiting.delete(next)
    running.add(next.portalId)
    next.begin()
  }

  return {
    async run(sender, task, hasWaited = false) {
      if (mayBegin(sender)) running.add(sender.portalId)
      else {
        if (!hasWaited) requirePlace(sender)
        await wait(sender)
      }
      const begun = performance.now()
      try {
        return await task()
      } finally {
        for (const id of [sender.portalId, sender.userId]) used.add(id, performance.now() - begun)
        running.delete(sender.portalId)
        beginNext()
      }
    },
  }
}

/** Characters, or bytes of a workbook (chosen). */
const minHeavyLength = 64 * 1024

/** Whether reading the file takes long enough to be felt by others. */
export function isHeavy(file: GivenFile | TableFile | WrittenRows): boolean {
  if (file.format === 'rows') return file.rows.length >= minHeavyRows
  const source = file.format === 'table' ? file.source : file.format === 'xlsx' ? file.bytes : file.text
  return source.length >= minHeavyLength
}

/** Rows of a workbook whose writing takes longer than a short file (chosen). */
const minHeavyRows = 1_000
