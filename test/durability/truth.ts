import { expect } from 'vitest'
import type { Audited, Claim } from './claim.ts'
import { requireInvitations } from './invitation-truth.ts'
import { requireSchemas } from './schema-truth.ts'

/** Every acknowledged write is there, each write is whole, and nothing is there that nobody sent. */
export async function requireTruth(claim: Claim): Promise<void> {
  const audit = await claim.query<Audited>(
    'SELECT operation, target, happened_at, request_id FROM audit WHERE outcome = 200 ORDER BY id',
  )
  const ids = audit.map(({ request_id }) => request_id)
  expect(new Set(ids).size, `${claim.place}: a request is in the audit twice`).toBe(ids.length)
  await requireSchemas(claim, audit)
  await requireInvitations(claim, audit)
}
