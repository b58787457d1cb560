import { nothingDone, type WithAuditDetails } from '../../call/audit-details.ts'
import type { Call } from '../../call/call.ts'
import type { DirectoryStores } from '../store.ts'
import { endOfApplications } from './request.ts'

/** Most rows of a kind that one write removes (chosen). */
const removedAtOnce = 1_000

/** Removes invitations and requests to join that have ended: at most a thousand of each. */
export async function removeOldGroupRequests({ directory }: DirectoryStores, call: Call): Promise<WithAuditDetails> {
  const before = { expiry: call.now, application: endOfApplications(call.limits, call.now) }
  await directory.removeOldGroupRequests(before, removedAtOnce)
  return { audit: nothingDone }
}
