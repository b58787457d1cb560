import { type Failure, failureOf, PortalError } from '../../errors.ts'
import { DamagedDocument, ReplicaBehind, StartEnded, StorageUnavailable } from '../storage.ts'

/** An error as plain values: structured cloning between threads loses the class. */
export type SerializedError =
  | { readonly kind: 'portal'; readonly failure: Failure }
  | { readonly kind: 'unavailable' | 'ended' | 'behind'; readonly message: string }
  | { readonly kind: 'damaged'; readonly place: string }
  | { readonly kind: 'bug'; readonly name: string; readonly message: string; readonly stack: string | undefined }

export function serializeError(thrown: unknown): SerializedError {
  if (thrown instanceof PortalError) return { kind: 'portal', failure: failureOf(thrown) }
  if (thrown instanceof StartEnded) return { kind: 'ended', message: thrown.message }
  if (thrown instanceof ReplicaBehind) return { kind: 'behind', message: thrown.message }
  if (thrown instanceof StorageUnavailable) return { kind: 'unavailable', message: thrown.message }
  if (thrown instanceof DamagedDocument) return { kind: 'damaged', place: thrown.place }
  const { name, message, stack } = thrown instanceof Error ? thrown : new Error(String(thrown))
  return { kind: 'bug', name, message, stack }
}

/** The error that was serialized; for a bug, only the members that the log needs. */
export function deserializeError(serialized: SerializedError): Error {
  switch (serialized.kind) {
    case 'portal':
      return new PortalError(serialized.failure)
    case 'unavailable':
      return new StorageUnavailable(serialized.message)
    case 'behind':
      return new ReplicaBehind(serialized.message)
    case 'ended':
      return new StartEnded(serialized.message)
    case 'damaged':
      return new DamagedDocument(serialized.place)
    default: {
      const { kind: _, ...shown } = serialized
      return Object.assign(new Error(serialized.message), shown)
    }
  }
}
