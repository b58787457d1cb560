import { parentPort, receiveMessageOnPort, Worker, workerData } from 'node:worker_threads'
import { StorageUnavailable } from '../storage.ts'
import { deserializeError, type SerializedError, serializeError } from './error-transfer.ts'
import { databaseClosed, toStorageError } from './file.ts'
import { type Outcome, writeInGroups } from './group-commit.ts'

/** Milliseconds between two checks for messages past their deadline. */
const deadlineCheckInterval = 250

/** Memory limit for new objects: without it, V8 takes 70 MB in a busy thread, and is no faster (measured). */
const maxYoungGenerationSizeMb = 48

/** A program that calls `serveThread`, and a plain value that it gets. */
export interface ThreadProgram {
  readonly program: URL
  readonly settings: unknown
  /** Memory limit for objects that stay; the thread ends where it needs more. By default, that of the process. */
  readonly maxOldGenerationSizeMb?: number
}

/** Deadline on the clock of `performance.now()`; it is sent in epoch milliseconds, as that clock differs between threads. */
interface Dated {
  readonly until: number
}

/** Batch of messages, or `close`, which ends the thread after all earlier messages. */
type ToThread<Message> = readonly Message[] | 'close'

/** Answers: the first says whether the thread could start, then one to each message, in their order. */
type FromThread = readonly ({ readonly result: unknown } | { readonly error: SerializedError })[]

type Unanswered = Dated & Omit<PromiseWithResolvers<unknown>, 'promise'>

/** A thread that answers messages in their order. */
export interface AnsweringThread<Message> {
  /** Rejects if the thread cannot start; undefined if it has started. */
  ready(): Promise<unknown> | undefined
  ask(message: Message): Promise<unknown>
  unanswered(): number
  /** Throws if the thread is closed or has ended. */
  requireOpen(): void
  /** Resolves if the thread ends before it is closed. */
  readonly failure: Promise<StorageUnavailable>
  /** Resolves after all messages that were sent before. */
  close(): Promise<void>
  /** Terminates the thread as soon as a statement that runs there checks the deadline or ends. */
  terminate(): Promise<unknown>
}

/**
 * Starts a thread. `late` makes the error of a message that is unanswered at its deadline; without it, only the thread checks
 * deadlines.
 */
export function startThread<Message extends Dated>(
  { program, settings, ...limits }: ThreadProgram,
  path: string,
  endedMessage: string,
  late?: () => Error,
): AnsweringThread<Message> {
  const resourceLimits = { maxYoungGenerationSizeMb, ...limits }
  const thread = new Worker(program, { workerData: { path, settings }, resourceLimits })
  const start = { until: Number.POSITIVE_INFINITY, ...Promise.withResolvers<unknown>() }
  // The error is handled even where `start` is awaited later or never.
  start.promise.catch(() => undefined)
  const unanswered: Unanswered[] = [start]
  let outbox: (Unanswered & { readonly message: Message })[] = []
  let isChecking = false
  let cause: unknown
  let ended: StorageUnavailable | undefined
  let closing: Promise<void> | undefined
  const failure = Promise.withResolvers<StorageUnavailable>()
  const exit = Promise.withResolvers<void>()

  /** Messages of one turn of the event loop are sent together. */
  function flush(): void {
    const batch = outbox
    outbox = []
    if (batch.length > 0) send(batch)
  }

  function send(batch: typeof outbox): void {
    try {
      if (ended) throw ended
      post(batch.map(({ message, until }) => ({ ...message, until: until + performance.timeOrigin })))
      unanswered.push(...batch)
      if (late && !isChecking) checkLater()
    } catch (error) {
      // A message that cannot be cloned is a bug of its operation, and fails alone.
      if (batch.length === 1) batch[0]!.reject(error)
      else for (const asked of batch) send([asked])
    }
  }

  function post(message: ToThread<Message>): void {
    thread.postMessage(message)
  }

  /** Schedules the next check of deadlines, only while a message is unanswered. */
  function checkLater(): void {
    isChecking = unanswered.length > 0
    if (isChecking) setTimeout(rejectLate, deadlineCheckInterval).unref()
  }

  /** Rejects messages past their deadline, when the thread is blocked, as by the disk; they may still be executed. */
  function rejectLate(): void {
    const now = performance.now()
    let error: Error | undefined
    for (const { until, reject } of unanswered) {
      if (until >= now) continue
      error ??= late!()
      reject(error)
    }
    checkLater()
  }

  thread.on('message', (answers: FromThread) => {
    for (const answer of answers) {
      const { resolve, reject } = unanswered.shift()!
      if ('error' in answer) reject(deserializeError(answer.error))
      else resolve(answer.result)
    }
  })
  thread.on('error', (error) => {
    cause = error
  })
  thread.on('exit', () => {
    ended = new StorageUnavailable(endedMessage, { cause })
    if (!closing) failure.resolve(ended)
    for (const { reject } of unanswered.splice(0)) reject(ended)
    exit.resolve()
  })

  return {
    ready: () => (unanswered[0] === start ? start.promise : undefined),
    async ask(message) {
      const { promise, resolve, reject } = Promise.withResolvers<unknown>()
      outbox.push({ message, until: message.until, resolve, reject })
      if (outbox.length === 1) setImmediate(flush)
      return promise
    },
    unanswered: () => outbox.length + unanswered.length,
    requireOpen() {
      if (closing) throw databaseClosed()
      if (ended) throw ended
    },
    failure: failure.promise,
    close() {
      closing ??= end()
      return closing
    },
    terminate: () => thread.terminate(),
  }

  async function end(): Promise<void> {
    flush()
    if (!ended) post('close')
    await exit.promise
  }
}

/** Work of a thread; `run` answers messages that arrived together. */
interface Work<Message> {
  /** Closes its connections, at the end. */
  readonly close: () => unknown
  readonly run: (messages: readonly Message[]) => Promise<readonly Outcome[]>
  /** Resolves when the thread can begin; never rejects. */
  readonly prepared?: Promise<void>
}

/** Main function of a thread that answers messages; `open` gets the path of the database. */
export function serveThread<Settings, Message extends Dated>(
  open: (path: string, settings: Settings) => Work<Message>,
): void {
  const port = parentPort!
  try {
    const { close, run, prepared = Promise.resolve() } = open(workerData.path, workerData.settings)
    const queue = writeInGroups(run, (_, outcomes) => answer(outcomes))
    port.on('message', (first: ToThread<Message>) => {
      const received: Message[] = []
      let isLast = false
      // All messages that arrived while the thread was blocked are taken together.
      for (let next: ToThread<Message> | undefined = first; next; next = receiveMessageOnPort(port)?.message) {
        if (next === 'close') isLast = true
        else received.push(...next.map((message) => ({ ...message, until: message.until - performance.timeOrigin })))
      }
      queue.add(received)
      if (isLast) void queue.isDone().then(() => end(close))
    })
    void prepared.then(() => answer([{ result: undefined }]))
  } catch (error) {
    answer([{ error: toStorageError(error) }])
    port.close()
  }

  /** Posts outcomes; a result that cannot be cloned, which is a bug, fails alone. */
  function answer(outcomes: readonly Outcome[]): void {
    const answers = outcomes.map((outcome) => ('error' in outcome ? { error: serializeError(outcome.error) } : outcome))
    try {
      port.postMessage(answers satisfies FromThread)
    } catch (error) {
      if (outcomes.length === 1) answer([{ error }])
      else for (const outcome of outcomes) answer([outcome])
    }
  }

  async function end(close: () => unknown): Promise<void> {
    await close()
    port.close()
  }
}
