import { nothingDone, type WithAuditDetails } from './audit-details.ts'
import type { Call } from './call.ts'

/** Checksums of stored documents. */
export interface ChecksumReader {
  /** Number of documents that have none yet. */
  countUnknown(): Promise<number>
}

export interface ChecksumStore extends ChecksumReader {
  /** Puts the checksums of some documents that an earlier version of the program wrote; resolves with their number. */
  putChecksums(): Promise<number>
}

/** Puts the checksums of some documents that have none; 0 where all have one. */
export async function putChecksums(
  { checksums }: { readonly checksums: ChecksumStore },
  _call: Call,
): Promise<WithAuditDetails & { readonly documents: number }> {
  return { documents: await checksums.putChecksums(), audit: nothingDone }
}
