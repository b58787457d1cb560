import { writeQueueFull } from './file.ts'
import type { PendingWrite } from './group-commit.ts'
import { startThread, type ThreadProgram } from './thread-protocol.ts'
import type { SqliteWriter } from './writer.ts'

/** Maximum unanswered commands (chosen): more would only exceed their deadlines. */
const maxUnanswered = 5_000

const threadEnded = 'The write thread has ended; restart the server.'

/** Starts the write thread, whose program calls `serveWrites`, and sends it every command. */
export async function writeInThread<Command>(program: ThreadProgram, path: string): Promise<SqliteWriter<Command>> {
  const thread = startThread<PendingWrite<Command>>(program, path, threadEnded, writeQueueFull)
  await thread.ready()?.catch((error: Error) => {
    // If a bug makes the start fail, the cause says more.
    throw error.cause ?? error
  })
  return {
    ...thread,
    async write(command, until) {
      thread.requireOpen()
      if (thread.unanswered() >= maxUnanswered) throw writeQueueFull()
      return thread.ask({ command, until })
    },
    waiting: thread.unanswered,
    isBusy: () => thread.unanswered() > 0,
  }
}
