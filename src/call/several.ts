import { PortalError } from '../errors.ts'

/** Result for one of several targets, or its refusal. */
export type Attempted<Result> =
  | { readonly result: Result; readonly refusal?: undefined }
  | { readonly refusal: PortalError }

/**
 * Does to one of several targets what a call asks for; a refusal is the outcome of this target alone. No savepoint is needed to
 * leave nothing half done (chosen): the work decides everything before its first write, so that a refused target is left as it
 * was. After that only an unexpected error can come, and it undoes the whole call, which is answered as one error.
 */
export async function attemptOne<Result>(work: () => Promise<Result>): Promise<Attempted<Result>> {
  try {
    return { result: await work() }
  } catch (error) {
    if (!(error instanceof PortalError)) throw error
    return { refusal: error }
  }
}
