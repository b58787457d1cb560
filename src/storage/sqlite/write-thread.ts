import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { Execute } from '../storage.ts'
import { type SerializedError, serializeError } from './error-transfer.ts'
import { openConnection, requireSettings } from './file.ts'
import { type Outcome, openTransactions, type PendingWrite, writeInGroups } from './group-commit.ts'
import { requireSameFile } from './same-file.ts'

/** What the thread is started with. */
export interface WriteThreadData {
  readonly path: string
}

/** A command on its way to the thread: here `until` is in epoch milliseconds, as the two threads have clocks of their own. */
export type SentWrite = PendingWrite<unknown>

/** Commands come in batches; the last message ends the thread when all that came before is done. */
export type ToWriteThread = readonly SentWrite[] | 'close'

export type WriteAnswer = { readonly result: unknown } | { readonly error: SerializedError }

/** First whether it could start, then one batch of answers after the other, in the order of the commands. */
export type FromWriteThread = 'ready' | { readonly failed: SerializedError } | readonly WriteAnswer[]

/**
 * The thread's own life: opens its connection to the database and executes the commands that it receives. Waiting for
 * the disk blocks only this thread: reads and the network are on another.
 */
export function serveWrites<Command>(execute: Execute<Command>): void {
  const port = parentPort!
  const send = (message: FromWriteThread) => port.postMessage(message)
  try {
    serve(port, send, execute, workerData as WriteThreadData)
    send('ready')
  } catch (error) {
    send({ failed: serializeError(error) })
    port.close()
  }
}

function serve<Command>(
  port: MessagePort,
  send: (answers: readonly WriteAnswer[]) => void,
  execute: Execute<Command>,
  { path }: WriteThreadData,
): void {
  const connection = openConnection(path)
  requireSettings(connection, path)
  const transact = openTransactions(connection, execute, requireSameFile(path))
  const queue = writeInGroups(transact, (_, outcomes) => sendOutcomes(outcomes, send))

  port.on('message', (first: ToWriteThread) => {
    const received: PendingWrite<Command>[] = []
    let isLast = false
    // All that came while the disk was busy joins the next group.
    for (let message: ToWriteThread | undefined = first; message; message = receive(port)) {
      if (message === 'close') isLast = true
      else received.push(...message.map(toPending<Command>))
    }
    queue.add(received)
    if (isLast) void end()
  })

  async function end(): Promise<void> {
    await queue.isDone()
    connection.close()
    port.close()
  }
}

function toPending<Command>({ command, until }: SentWrite): PendingWrite<Command> {
  return { command: command as Command, until: until - performance.timeOrigin }
}

function receive(port: MessagePort): ToWriteThread | undefined {
  return receiveMessageOnPort(port)?.message
}

/** One message for a group, unless one of the results is no plain value: that is a bug of its own operation alone. */
function sendOutcomes(outcomes: readonly Outcome[], send: (answers: readonly WriteAnswer[]) => void): void {
  const answers = outcomes.map((outcome) => ('error' in outcome ? { error: serializeError(outcome.error) } : outcome))
  try {
    send(answers)
  } catch {
    for (const answer of answers) sendOne(answer, send)
  }
}

function sendOne(answer: WriteAnswer, send: (answers: readonly WriteAnswer[]) => void): void {
  try {
    send([answer])
  } catch (error) {
    send([{ error: serializeError(error) }])
  }
}
