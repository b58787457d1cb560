import type { Execute } from '../storage.ts'
import { requireSameFile } from './connection.ts'
import { openConnection, requireSettings } from './file.ts'
import { openTransactions, type PendingWrite } from './group-commit.ts'
import { serveThread } from './thread-protocol.ts'

/**
 * Main function of the write thread: opens a connection to the database and executes the commands that it receives.
 * Waiting for the disk blocks only this thread, not reads and the network.
 */
export function serveWrites<Settings, Command>(executeWith: (settings: Settings) => Execute<Command>): void {
  serveThread<Settings, PendingWrite<Command>>((path, settings) => {
    const connection = openConnection(path)
    requireSettings(connection, path)
    const run = openTransactions(connection, executeWith(settings), requireSameFile(path))
    return { close: () => connection.close(), run }
  })
}
