import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { databaseClosed, tooMuchToWrite } from './sqlite-file.ts'
import type { SqliteWriter } from './sqlite-writer.ts'
import { StorageUnavailable } from './storage.ts'
import { unpackError } from './thrown.ts'
import type { FromWriteThread, ToWriteThread, WriteAnswer, WriteOrder, WriteThreadData } from './write-thread.ts'

/** Beyond so many that wait for their answers, more are turned away (chosen): a queue that long is no service. */
const mostUnanswered = 5_000

/** How often those are looked for whose time is up, in milliseconds. */
const betweenLooks = 250

interface Unanswered {
  /** On the clock of `performance.now()`. */
  readonly until: number
  resolve(result: unknown): void
  reject(error: unknown): void
}

/**
 * Starts a thread, whose program calls `serveWrites`, and sends it all that is to be written. `committed` is told before
 * anybody is answered.
 */
export async function writeInThread(program: URL, data: WriteThreadData, committed: () => void): Promise<SqliteWriter> {
  const thread = new Worker(program, { workerData: data })
  // Not by `once`, which fails where the thread does: then nobody may be there yet to hear it.
  const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve()))
  await isReady(thread)

  /** In the order in which they were sent, which is that of the answers. */
  const unanswered: Unanswered[] = []
  let outbox: WriteOrder[] = []
  let hasEnded = false
  let cause: unknown
  let closing: Promise<void> | undefined

  /** Requests that arrived together are read one after the other, and travel in one message. */
  function send(order: WriteOrder): void {
    outbox.push(order)
    if (outbox.length === 1) setImmediate(flush)
  }

  function flush(): void {
    const orders = outbox
    outbox = []
    if (hasEnded || orders.length === 0) return
    try {
      tell(orders)
    } catch {
      for (const order of orders) sendAlone(order)
    }
  }

  function sendAlone(order: WriteOrder): void {
    try {
      tell([order])
    } catch {
      // A bug of its own work alone. The thread answers it in its turn, as it knows no work of this name.
      tell([{ ...order, work: `${order.work} with an input that is no plain value`, input: undefined }])
    }
  }

  function tell(message: ToWriteThread): void {
    thread.postMessage(message)
  }

  thread.on('message', (answers: readonly WriteAnswer[]) => {
    committed()
    for (const answer of answers) {
      const { resolve, reject } = unanswered.shift()!
      if ('error' in answer) reject(unpackError(answer.error))
      else resolve(answer.result)
    }
  })
  thread.on('exit', () => {
    hasEnded = true
    clearInterval(looking)
    for (const { reject } of unanswered.splice(0)) reject(threadEnded(cause))
  })
  thread.on('error', (error) => {
    cause = error
  })

  /** Nobody waits longer than he may for a disk that does not answer. What he wanted may still be written. */
  const looking = setInterval(() => {
    const now = performance.now()
    for (const { until, reject } of unanswered) if (until < now) reject(tooMuchToWrite())
  }, betweenLooks).unref()

  function requireOpen(): void {
    if (closing) throw databaseClosed()
    if (hasEnded) throw threadEnded(cause)
  }

  return {
    async write(work, input, until) {
      requireOpen()
      if (unanswered.length >= mostUnanswered) throw tooMuchToWrite()
      const { promise, resolve, reject } = Promise.withResolvers<Awaited<ReturnType<typeof work>>>()
      unanswered.push({ until, resolve: resolve as Unanswered['resolve'], reject })
      send({ work: work.name, input, until: until + performance.timeOrigin })
      return promise
    },
    waiting: () => unanswered.length,
    isBusy: () => unanswered.length > 0,
    requireOpen,
    close() {
      closing ??= end()
      return closing
    },
  }

  async function end(): Promise<void> {
    flush()
    if (!hasEnded) tell('close')
    await ended
  }
}

function threadEnded(cause: unknown): StorageUnavailable {
  return new StorageUnavailable('The thread that writes to the database has ended; start again.', { cause })
}

async function isReady(thread: Worker): Promise<void> {
  const [first] = (await Promise.race([once(thread, 'message'), once(thread, 'exit')])) as [FromWriteThread | number]
  if (typeof first === 'number') throw threadEnded(undefined)
  if (typeof first === 'object' && 'failed' in first) throw unpackError(first.failed)
}
