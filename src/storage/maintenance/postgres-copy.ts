import { toConnectionError } from '../postgres/errors.ts'
import { Connection, connectionSettings } from '../postgres/session.ts'
import { type MoveEnd, openSource, openTarget } from './move-end.ts'
import { moveTables, type OnMoved } from './move-tables.ts'
import { finishCopy, removeCopy } from './sqlite-copy.ts'

/**
 * Copies a snapshot of a PostgreSQL database into a new SQLite file, even while servers write to it. Every table of the copy
 * is compared with the snapshot, by count and by SHA-256; its integrity is checked, and it is one file that is synced to the
 * disk. A copy that fails is removed.
 */
export async function copyPostgres(url: string, to: string, onMoved: OnMoved): Promise<void> {
  try {
    const source = await openSource({ engine: 'postgres', url, connections: 1 })
    try {
      const target = await openTarget({ engine: 'sqlite', file: to })
      try {
        await moveTables(withoutClaim(source), withoutClaim(target), onMoved)
      } finally {
        await target.close()
      }
    } finally {
      await source.close()
    }
    finishCopy(to)
  } catch (error) {
    removeCopy(to)
    throw error
  }
}

/** Servers go on with the source, and the target has a name that nothing else knows. */
function withoutClaim(end: MoveEnd): MoveEnd {
  return { ...end, claim: async () => undefined }
}

/** Key of an advisory lock, which the server has that makes a backup. */
const backupLock = 4_270_102

/** The turn of one of several servers to make a backup, until it is disposed of; undefined while another one has it. */
export async function takeBackupTurn(url: string): Promise<AsyncDisposable | undefined> {
  const client = new Connection(connectionSettings(url))
  // Whoever loses the connection loses the turn: at worst two servers make a backup each.
  client.on('error', () => undefined)
  const end = () => client.end().catch(() => undefined)
  try {
    await client.connect()
    const { rows } = await client.query('select pg_try_advisory_lock($1) as held', [backupLock])
    if (rows[0].held) return { [Symbol.asyncDispose]: end }
  } catch (error) {
    await end()
    throw toConnectionError(error)
  }
  await end()
  return undefined
}
