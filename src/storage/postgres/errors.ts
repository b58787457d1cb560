import { DatabaseError } from 'pg'
import { reasonOf } from '../../errors.ts'
import { StorageUnavailable } from '../storage.ts'

/**
 * What an error of the driver means. SQLSTATE classes 08 (connection), 53 (disk, memory, connections), 57 (shut down,
 * cancelled), 58 (system) and XX (damage), an idle or waiting transaction that was ended, a server that only reads, and
 * whatever comes from no server at all are outages. The rest is told as it is.
 */
export function toStorageError(error: unknown): unknown {
  if (error instanceof StorageUnavailable) return error
  if (!(error instanceof DatabaseError)) {
    return new StorageUnavailable(`The database does not answer: ${reasonOf(error)}.`, { cause: error })
  }
  return outages.test(error.code ?? '') ? refused(error) : error
}

/** The same where a connection is opened: whatever a server refuses it for. */
export function toConnectionError(error: unknown): unknown {
  return error instanceof DatabaseError ? refused(error) : toStorageError(error)
}

function refused(error: DatabaseError): StorageUnavailable {
  return new StorageUnavailable(`The database cannot be used: ${error.message} (${error.code}).`, { cause: error })
}

const outages = /^(08|28|3D|53|57|58|XX|25P03|25006|55P03)/

/** The transaction met another one and left nothing behind: run again, it may pass. */
export function isSerializationFailure(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '40001' || error.code === '40P01' || isStalePlan(error))
}

/**
 * A unique or foreign key that another transaction took or removed in between: run again, the work sees that one and
 * says so in its own words. If it does not, the error was the work's own.
 */
export function isConstraintViolation(error: unknown): boolean {
  return error instanceof DatabaseError && (error.code === '23505' || error.code === '23503')
}

/** Tables were changed by a newer server while this one had its statements prepared. */
function isStalePlan({ code, routine }: DatabaseError): boolean {
  return code === '0A000' && routine === 'RevalidateCachedQuery'
}
