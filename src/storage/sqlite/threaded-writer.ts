import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { StorageUnavailable } from '../storage.ts'
import { deserializeError } from './error-transfer.ts'
import { databaseClosed, writeQueueFull } from './file.ts'
import type { PendingWrite } from './group-commit.ts'
import type { FromWriteThread, ToWriteThread, WriteAnswer, WriteThreadData } from './write-thread.ts'
import type { SqliteWriter } from './writer.ts'

/** Most unanswered commands (chosen): more would only exceed their deadlines. */
const mostUnanswered = 5_000

/** Milliseconds between two checks for commands past their deadline. */
const betweenDeadlineChecks = 250

interface Unanswered<Command> extends PendingWrite<Command> {
  resolve(result: unknown): void
  reject(error: unknown): void
}

/** A program that calls `serveWrites`, and a plain value that it gets. */
export interface WriteThread {
  readonly program: URL
  readonly settings: unknown
}

/** Starts the write thread, whose program calls `serveWrites`, and sends it every command. */
export async function writeInThread<Command>(
  { program, settings }: WriteThread,
  path: string,
): Promise<SqliteWriter<Command>> {
  const workerData: WriteThreadData = { path, settings }
  const thread = new Worker(program, { workerData })
  // Not `once`, which rejects when the thread fails, perhaps before a handler is attached.
  const ended = new Promise<void>((resolve) => thread.once('exit', () => resolve()))
  await isReady(thread)

  /** In the order in which they were sent, which is the order of the answers. */
  const unanswered: Unanswered<Command>[] = []
  let outbox: Unanswered<Command>[] = []
  const failure = Promise.withResolvers<StorageUnavailable>()
  let hasEnded = false
  let cause: unknown
  let closing: Promise<void> | undefined

  /** Commands of requests that were read in one turn of the event loop go in one message. */
  function enqueue(write: Unanswered<Command>): void {
    outbox.push(write)
    if (outbox.length === 1) setImmediate(flush)
  }

  function flush(): void {
    const batch = outbox
    outbox = []
    try {
      if (batch.length > 0) send(batch)
    } catch {
      for (const write of batch) sendAlone(write)
    }
  }

  /** A command that cannot be cloned is a bug of its operation, and fails alone. */
  function sendAlone(write: Unanswered<Command>): void {
    try {
      send([write])
    } catch (error) {
      write.reject(error)
    }
  }

  function send(batch: readonly Unanswered<Command>[]): void {
    if (hasEnded) throw threadEnded(cause)
    post(batch.map(({ command, until }) => ({ command, until: until + performance.timeOrigin })))
    unanswered.push(...batch)
  }

  function post(message: ToWriteThread): void {
    thread.postMessage(message)
  }

  thread.on('message', (answers: readonly WriteAnswer[]) => {
    for (const answer of answers) {
      const { resolve, reject } = unanswered.shift()!
      if ('error' in answer) reject(deserializeError(answer.error))
      else resolve(answer.result)
    }
  })
  thread.on('exit', () => {
    hasEnded = true
    clearInterval(deadlineChecks)
    for (const { reject } of unanswered.splice(0)) reject(threadEnded(cause))
    if (!closing) failure.resolve(threadEnded(cause))
  })
  thread.on('error', (error) => {
    cause = error
  })

  /** Rejects commands past their deadline, when the disk does not answer; they may still commit. */
  const deadlineChecks = setInterval(() => {
    const now = performance.now()
    for (const { until, reject } of unanswered) if (until < now) reject(writeQueueFull())
  }, betweenDeadlineChecks).unref()

  function requireOpen(): void {
    if (closing) throw databaseClosed()
    if (hasEnded) throw threadEnded(cause)
  }

  const waiting = () => outbox.length + unanswered.length

  return {
    async write(command, until) {
      requireOpen()
      if (waiting() >= mostUnanswered) throw writeQueueFull()
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      enqueue({ command, until, resolve, reject })
      return promise
    },
    waiting,
    isBusy: () => waiting() > 0,
    requireOpen,
    failure: failure.promise,
    close() {
      closing ??= end()
      return closing
    },
  }

  async function end(): Promise<void> {
    flush()
    if (!hasEnded) post('close')
    await ended
  }
}

function threadEnded(cause: unknown): StorageUnavailable {
  return new StorageUnavailable('The write thread has ended; restart the server.', { cause })
}

async function isReady(thread: Worker): Promise<void> {
  const [first] = (await Promise.race([once(thread, 'message'), once(thread, 'exit')])) as [FromWriteThread | number]
  if (typeof first === 'number') throw threadEnded(undefined)
  if (typeof first === 'object' && 'failed' in first) throw deserializeError(first.failed)
}
