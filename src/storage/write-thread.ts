import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type Database from 'better-sqlite3'
import { watchFile } from './file-watch.ts'
import { type Outcome, openTransactions, type Piece, writeInGroups } from './group-commit.ts'
import { openKysely } from './sqlite-dialect.ts'
import { openConnection, requireSettings } from './sqlite-file.ts'
import type { Work } from './storage.ts'
import { type PackedError, packError } from './thrown.ts'

/** What the thread is started with. */
export interface WriteThreadData {
  readonly path: string
}

/** A piece of work on its way to the thread. */
export interface WriteOrder {
  /** Name of the function. */
  readonly work: string
  /** Plain values. */
  readonly input: unknown
  /** Epoch milliseconds: the two threads count from moments of their own. */
  readonly until: number
}

/** Orders come in batches; the last message ends the thread when all that came before is done. */
export type ToWriteThread = readonly WriteOrder[] | 'close'

export type WriteAnswer = { readonly result: unknown } | { readonly error: PackedError }

/** First whether it could start, then one batch of answers after the other, in the order of the orders. */
export type FromWriteThread = 'ready' | { readonly failed: PackedError } | readonly WriteAnswer[]

/**
 * The thread's own life: opens its connection to the database, and does the work that it is sent. Waiting for the disk
 * keeps nobody else waiting here: reads and the network are another thread's.
 */
export function serveWrites(works: readonly Work<unknown, never>[]): void {
  const port = parentPort!
  const tell = (message: FromWriteThread) => port.postMessage(message)
  try {
    const { path } = workerData as WriteThreadData
    const connection = openConnection(path)
    requireSettings(connection, path)
    serve(
      port,
      tell,
      connection,
      watchFile(path),
      new Map(works.map((work) => [work.name, work as Work<unknown, unknown>])),
    )
    tell('ready')
  } catch (error) {
    tell({ failed: packError(error) })
    port.close()
  }
}

function serve(
  port: MessagePort,
  tell: (answers: readonly WriteAnswer[]) => void,
  connection: Database.Database,
  requireDisk: () => void,
  works: ReadonlyMap<string, Work<unknown, unknown>>,
): void {
  const transact = openTransactions(connection, openKysely(connection, 'writes'), requireDisk)
  const queue = writeInGroups(transact, (_, outcomes) => tellOutcomes(outcomes, tell))

  function toPiece({ work, input, until }: WriteOrder): Piece {
    return {
      until: until - performance.timeOrigin,
      async work(stores) {
        const known = works.get(work)
        if (!known) throw new Error(`The thread that writes knows no work ${work}.`)
        return known(stores, input)
      },
    }
  }

  port.on('message', (first: ToWriteThread) => {
    const orders: WriteOrder[] = []
    let isLast = false
    // Whatever has come while the disk was busy joins the next group.
    for (let message: ToWriteThread | undefined = first; message; message = receive(port)) {
      if (message === 'close') isLast = true
      else orders.push(...message)
    }
    queue.add(orders.map(toPiece))
    if (isLast) void end()
  })

  async function end(): Promise<void> {
    await queue.isDone()
    connection.close()
    port.close()
  }
}

function receive(port: MessagePort): ToWriteThread | undefined {
  return receiveMessageOnPort(port)?.message
}

/** One message for a group, unless one of the results is no plain value: that is a bug of its own work alone. */
function tellOutcomes(outcomes: readonly Outcome[], tell: (answers: readonly WriteAnswer[]) => void): void {
  const answers = outcomes.map((outcome) => ('error' in outcome ? { error: packError(outcome.error) } : outcome))
  try {
    tell(answers)
  } catch {
    for (const answer of answers) tellOne(answer, tell)
  }
}

function tellOne(answer: WriteAnswer, tell: (answers: readonly WriteAnswer[]) => void): void {
  try {
    tell([answer])
  } catch (error) {
    tell([{ error: packError(error) }])
  }
}
