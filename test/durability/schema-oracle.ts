import { expect } from 'vitest'
import type { Audited, Claim } from './claim.ts'
import { type ClientRequest, type Exchange, isDone, isOpen, isRefused, nameOf, type Owner } from './ledger.ts'

interface Version {
  readonly owner_id: string
  readonly version: number
  readonly document: string | null
  readonly assigned_at: number | string
}

interface Head {
  readonly owner_kind: Owner['kind']
  readonly owner_id: string
  readonly version: number
  readonly is_set: number
}

type SchemaExchange = Exchange<Extract<ClientRequest, { owner: Owner }>>

const operations = /^(assign|delete)(Group|Portal)CategorySchema$/

/** Holds heads, versions and their audit against what was sent and answered. */
export async function requireSchemas({ query, ledger, place }: Claim, audit: readonly Audited[]): Promise<void> {
  const exchanges: readonly SchemaExchange[] = [...ledger.exchanges('assign'), ...ledger.exchanges('delete')]
  const heads = await query<Head>('SELECT owner_kind, owner_id, version, is_set FROM category_schemas')
  const versions = await query<Version>(
    'SELECT owner_id, version, document, assigned_at FROM category_schema_versions ORDER BY version',
  )
  const owners = new Map(exchanges.map(({ request }) => [request.owner.id, request.owner]))
  for (const { owner_id } of [...heads, ...versions]) {
    expect(owners.has(owner_id), `${place}: a schema that was not sent to ${owner_id}`).toBe(true)
  }
  for (const owner of owners.values()) {
    const own = versions.filter(({ owner_id }) => owner_id === owner.id)
    const history: History = {
      at: `${place}, schema of ${owner.kind} ${owner.id}`,
      versions: own,
      audit: audit.filter(({ operation, target }) => operations.test(operation) && target.includes(owner.id)),
      exchanges: exchanges.filter(({ request }) => request.owner.id === owner.id),
    }
    requireUnbroken(history)
    requireHead(
      history,
      heads.filter(({ owner_id }) => owner_id === owner.id),
    )
    requireAudit(history)
    requireOrder(history.at, requireExchanges(history))
  }
}

/** One owner's versions, what the audit says of them, and what the clients know. */
interface History {
  readonly at: string
  readonly versions: readonly Version[]
  readonly audit: readonly Audited[]
  readonly exchanges: readonly SchemaExchange[]
}

/** Counted from 1 without a gap; only what was there was deleted. */
function requireUnbroken({ at, versions }: History): void {
  expect(
    versions.map(({ version }) => version),
    `${at}: the numbers of the versions`,
  ).toEqual(versions.map((_, index) => index + 1))
  for (const [index, { document }] of versions.entries()) {
    const before = versions[index - 1]?.document ?? null
    expect(document === null && before === null, `${at}: version ${index + 1} deletes nothing`).toBe(false)
  }
}

function requireHead({ at, versions }: History, heads: readonly Head[]): void {
  const last = versions.at(-1)
  expect(
    heads.map(({ version, is_set }) => ({ version, is_set })),
    `${at}: the head is that of the versions`,
  ).toEqual(last ? [{ version: last.version, is_set: last.document === null ? 0 : 1 }] : [])
}

/** One entry for each version, in the same order. */
function requireAudit({ at, versions, audit }: History): void {
  expect(
    audit.map(({ operation, happened_at }) => [operation.slice(0, 6), Number(happened_at)]),
    `${at}: the audit is that of the versions`,
  ).toEqual(versions.map(({ document, assigned_at }) => [document === null ? 'delete' : 'assign', Number(assigned_at)]))
}

/** Requires each acknowledged version once, and all others to have been sent; returns the known exchange of each version. */
function requireExchanges({ at, versions, audit, exchanges }: History): readonly (SchemaExchange | undefined)[] {
  const byRequest = new Map(exchanges.map((exchange) => [exchange.answer?.requestId, exchange]))
  const byDocument = new Map(exchanges.map((exchange) => [documentOf(exchange), exchange]))
  const kept = versions.map(({ document }, index) =>
    document === null ? byRequest.get(audit[index]!.request_id) : byDocument.get(document),
  )
  const lost = exchanges.filter((exchange) => isDone(exchange) && !kept.includes(exchange))
  expect(lost.map(nameOf), `${at}: acknowledged and lost`).toEqual([])
  const refused = kept.filter((exchange) => exchange !== undefined).filter(isRefused)
  expect(refused.map(nameOf), `${at}: refused, and there`).toEqual([])
  for (const [index, { document }] of versions.entries()) {
    const exchange = kept[index]
    const wanted = exchange === undefined ? null : documentOf(exchange)
    expect(document, `${at}: version ${index + 1} is what was sent`).toBe(wanted)
    if (!exchange?.answer) continue
    expect(audit[index]!.request_id, `${at}: version ${index + 1} is of that request`).toBe(exchange.answer.requestId)
  }
  const found = kept.filter((exchange) => exchange !== undefined)
  expect(new Set(found).size, `${at}: an exchange is there twice`).toBe(found.length)
  // Deletions without an answer have no name of their own.
  const possible = exchanges.filter((exchange) => exchange.request.kind === 'delete' && isOpen(exchange)).length
  expect(kept.length - found.length, `${at}: deletions that were not sent`).toBeLessThanOrEqual(possible)
  return kept
}

function documentOf({ request }: SchemaExchange): string | null {
  return request.kind === 'assign' ? request.document : null
}

/** Requires that a change answered before another was sent is an earlier version. */
function requireOrder(at: string, kept: readonly (SchemaExchange | undefined)[]): void {
  let latestSent = 0
  for (const [index, exchange] of kept.entries()) {
    if (!exchange) continue
    expect(exchange.settledAt, `${at}: version ${index + 1} comes too late`).toBeGreaterThan(latestSent)
    latestSent = Math.max(latestSent, exchange.sentAt)
  }
}
