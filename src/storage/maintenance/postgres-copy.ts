import { toConnectionError } from '../postgres/errors.ts'
import { Connection, connectionSettings } from '../postgres/session.ts'
import { StorageUnavailable } from '../storage.ts'
import { type MoveEnd, openSource, openTarget } from './move-end.ts'
import { moveTables, type OnMoved } from './move-tables.ts'
import { finishCopy, removeCopy, toCopyRefusal } from './sqlite-copy.ts'

/**
 * Copies a snapshot of a PostgreSQL database into a new SQLite file, even while servers write to it. Every table of the copy
 * is compared with the snapshot, by count and by SHA-256; its integrity and its documents are checked. The copy is one file,
 * synced to the disk. A copy that fails is removed.
 */
export async function copyPostgres(url: string, to: string, onMoved: OnMoved): Promise<void> {
  try {
    const source = await openSource({ engine: 'postgres', url, connections: 1 })
    try {
      const target = await openTarget({ engine: 'sqlite', file: to })
      try {
        await moveTables(withoutClaim(source), withoutClaim(target), onMoved, adviceOnOlder)
      } finally {
        await target.close()
      }
    } finally {
      await source.close()
    }
    await finishCopy(to, 'The database', () => onMoved('Comparing', 1, 1))
  } catch (error) {
    await removeCopy(to)
    throw toCopyRefusal(error, to)
  }
}

const adviceOnOlder = 'back it up with the version whose servers run on it, before this one changes the tables'

/** Skips the claim: servers keep using the source, and the name of the target is known to nothing else. */
function withoutClaim(end: MoveEnd): MoveEnd {
  return { ...end, claim: async () => undefined }
}

/** Key of the advisory lock that the server making a backup holds. */
const backupLock = 4_270_102

/** Lock that one of several servers holds while it makes a backup, until it is disposed of. */
export interface BackupTurn extends AsyncDisposable {
  /** Aborted when the connection with the lock is lost, as another server may take the lock then. */
  readonly lost: AbortSignal
}

/** Takes the lock to make a backup; undefined while another server holds it. */
export async function takeBackupTurn(url: string): Promise<BackupTurn | undefined> {
  const client = new Connection(connectionSettings(url))
  const lost = new AbortController()
  const lose = () => lost.abort(new StorageUnavailable('The connection that reserves the making of a backup was lost.'))
  client.on('error', lose)
  client.on('end', lose)
  const end = () => client.end().catch(() => undefined)
  try {
    await client.connect()
    // A copy may take hours, in which this connection is idle.
    await client.query('set idle_session_timeout = 0')
    const { rows } = await client.query('select pg_try_advisory_lock($1) as held', [backupLock])
    if (rows[0].held) return { lost: lost.signal, [Symbol.asyncDispose]: end }
  } catch (error) {
    await end()
    throw toConnectionError(error)
  }
  await end()
  return undefined
}
