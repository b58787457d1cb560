import { expect } from 'vitest'
import type { Audited, Claim } from './claim.ts'
import { requireInvitations } from './invitation-oracle.ts'
import { requireSchemas } from './schema-oracle.ts'

/** Every acknowledged write is there, each write is whole, and nothing is there that was not sent. */
export async function requireConsistency(claim: Claim): Promise<void> {
  const audit = await claim.query<Audited>(
    'SELECT operation, target, happened_at, request_id FROM audit WHERE outcome = 200 ORDER BY id',
  )
  const ids = audit.map(({ request_id }) => request_id)
  expect(new Set(ids).size, `${claim.place}: a request is in the audit twice`).toBe(ids.length)
  await requireSchemas(claim, audit)
  await requireInvitations(claim, audit)
}
