import { type MessagePort, parentPort, receiveMessageOnPort, workerData } from 'node:worker_threads'
import type { Execute } from '../storage.ts'
import { type SerializedError, serializeError } from './error-transfer.ts'
import { openConnection, requireSettings } from './file.ts'
import { type Outcome, openTransactions, type PendingWrite, writeInGroups } from './group-commit.ts'
import { requireSameFile } from './same-file.ts'

/** Data that the thread is started with. */
export interface WriteThreadData {
  readonly path: string
  /** What commands are executed with. */
  readonly settings: unknown
}

/** A command as it is sent: `until` is in epoch milliseconds, as `performance.now()` differs between threads. */
export type SentWrite = PendingWrite<unknown>

/** Commands come in batches; `close` ends the thread after all commands before it. */
export type ToWriteThread = readonly SentWrite[] | 'close'

export type WriteAnswer = { readonly result: unknown } | { readonly error: SerializedError }

/** First whether the thread could start, then batches of answers, in the order of the commands. */
export type FromWriteThread = 'ready' | { readonly failed: SerializedError } | readonly WriteAnswer[]

/**
 * Main function of the write thread: opens a connection to the database and executes the commands that it receives.
 * Waiting for the disk blocks only this thread, not reads and the network.
 */
export function serveWrites<Settings, Command>(executeWith: (settings: Settings) => Execute<Command>): void {
  const port = parentPort!
  const { path, settings } = workerData as WriteThreadData
  const send = (message: FromWriteThread) => port.postMessage(message)
  try {
    serve(port, send, executeWith(settings as Settings), path)
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
  path: string,
): void {
  const connection = openConnection(path)
  requireSettings(connection, path)
  const transact = openTransactions(connection, execute, requireSameFile(path))
  const queue = writeInGroups(transact, (_, outcomes) => sendOutcomes(outcomes, send))

  port.on('message', (first: ToWriteThread) => {
    const received: PendingWrite<Command>[] = []
    let isLast = false
    // All messages that arrived during the last commit join the next group.
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

/** One message for a group; if a result cannot be cloned, which is a bug, one message for each, so that it fails alone. */
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
