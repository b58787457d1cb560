import { DatabaseError } from 'pg'
import { reasonOf } from '../../errors.ts'
import { DatabaseAway, StorageUnavailable } from '../storage.ts'

/**
 * StorageUnavailable for an outage; any other error unchanged. Outages are the SQLSTATE classes 08 (connection), 53 (disk,
 * memory, connections), 57 (shutdown, cancelled), 58 (system) and XX (damage), a transaction that timed out, a read-only
 * server, rights that the role lacks, and every error that does not come from a server.
 */
export function toStorageError(error: unknown): unknown {
  if (error instanceof StorageUnavailable) return error
  if (!(error instanceof DatabaseError)) {
    return new DatabaseAway(`The database does not answer: ${reasonOf(error)}.`, { cause: error })
  }
  return outages.test(error.code ?? '') ? refused(error) : error
}

/** `toStorageError` for an error while connecting: there, every refusal by the server is an outage. */
export function toConnectionError(error: unknown): unknown {
  return error instanceof DatabaseError ? refused(error) : toStorageError(error)
}

function refused(error: DatabaseError): StorageUnavailable {
  const Refusal = /^(08|53|57)/.test(error.code ?? '') ? DatabaseAway : StorageUnavailable
  return new Refusal(
    `The database cannot be used: ${error.message} (${error.code}).${error.code === '42501' ? advice : ''}`,
    { cause: error },
  )
}

const outages = /^(08|28|3D|42501|53|57|58|XX|25P03|25006|55P03)/

/** After a restore by another role. */
const advice =
  ' The role of DATABASE_URL has to own the tables: restore with "pg_restore --no-owner --role=<role>", or run "reassign owned".'

/** The session is over: the server shuts down, an administrator has ended it, or its transaction took too long. */
export function endsSession(error: unknown): boolean {
  return error instanceof DatabaseError && /^(57P|25P0[34])/.test(error.code ?? '')
}

/** The transaction conflicted with another one and was rolled back; a retry may succeed. */
export function isSerializationFailure(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '40001' || error.code === '40P01' || isStalePlan(error))
}

/**
 * A unique or foreign key was violated, perhaps by a row that another transaction inserted or removed meanwhile. A retry
 * sees that row and refuses in the operation's words; if it fails in the same way, the error is a bug.
 */
export function isConstraintViolation(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '23505' || error.code === '23503')
}

/** A newer server migrated the tables after this one had prepared its statements. */
function isStalePlan({ code, routine }: DatabaseError): boolean {
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}
