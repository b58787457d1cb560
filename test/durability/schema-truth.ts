import { expect } from 'vitest'
import type { Audited, Claim } from './claim.ts'
import { type Deed, isDone, isOpen, isRefused, nameOf, type Owner, type Wish } from './ledger.ts'

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

type SchemaDeed = Deed<Extract<Wish, { owner: Owner }>>

const operations = /^(assign|delete)(Group|Portal)CategorySchema$/

/** Holds heads, versions and their audit against what was sent and answered. */
export async function requireSchemas({ query, ledger, place }: Claim, audit: readonly Audited[]): Promise<void> {
  const deeds: readonly SchemaDeed[] = [...ledger.deeds('assign'), ...ledger.deeds('delete')]
  const heads = await query<Head>('SELECT owner_kind, owner_id, version, is_set FROM category_schemas')
  const versions = await query<Version>(
    'SELECT owner_id, version, document, assigned_at FROM category_schema_versions ORDER BY version',
  )
  const owners = new Map(deeds.map(({ wish }) => [wish.owner.id, wish.owner]))
  for (const { owner_id } of [...heads, ...versions]) {
    expect(owners.has(owner_id), `${place}: nobody sent a schema to ${owner_id}`).toBe(true)
  }
  for (const owner of owners.values()) {
    const own = versions.filter(({ owner_id }) => owner_id === owner.id)
    const history: History = {
      at: `${place}, schema of ${owner.kind} ${owner.id}`,
      versions: own,
      audit: audit.filter(({ operation, target }) => operations.test(operation) && target.includes(owner.id)),
      deeds: deeds.filter(({ wish }) => wish.owner.id === owner.id),
    }
    requireUnbroken(history)
    requireHead(
      history,
      heads.filter(({ owner_id }) => owner_id === owner.id),
    )
    requireAudit(history)
    requireOrder(history.at, requireDeeds(history))
  }
}

/** One owner's versions, what the audit tells of them, and what the clients know. */
interface History {
  readonly at: string
  readonly versions: readonly Version[]
  readonly audit: readonly Audited[]
  readonly deeds: readonly SchemaDeed[]
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

/** What was acknowledged is there, once, and the rest was sent; answers the deed of each version that is known. */
function requireDeeds({ at, versions, audit, deeds }: History): readonly (SchemaDeed | undefined)[] {
  const byRequest = new Map(deeds.map((deed) => [deed.answer?.requestId, deed]))
  const byDocument = new Map(deeds.map((deed) => [documentOf(deed), deed]))
  const kept = versions.map(({ document }, index) =>
    document === null ? byRequest.get(audit[index]!.request_id) : byDocument.get(document),
  )
  const lost = deeds.filter((deed) => isDone(deed) && !kept.includes(deed))
  expect(lost.map(nameOf), `${at}: acknowledged and lost`).toEqual([])
  const refused = kept.filter((deed) => deed !== undefined).filter(isRefused)
  expect(refused.map(nameOf), `${at}: refused, and there`).toEqual([])
  for (const [index, { document }] of versions.entries()) {
    const deed = kept[index]
    const wanted = deed === undefined ? null : documentOf(deed)
    expect(document, `${at}: version ${index + 1} is what was sent`).toBe(wanted)
    if (!deed?.answer) continue
    expect(audit[index]!.request_id, `${at}: version ${index + 1} is of that request`).toBe(deed.answer.requestId)
  }
  const found = kept.filter((deed) => deed !== undefined)
  expect(new Set(found).size, `${at}: a deed is there twice`).toBe(found.length)
  // Deletions that nobody was told of have no name of their own.
  const possible = deeds.filter((deed) => deed.wish.kind === 'delete' && isOpen(deed)).length
  expect(kept.length - found.length, `${at}: deletions that nobody sent`).toBeLessThanOrEqual(possible)
  return kept
}

function documentOf({ wish }: SchemaDeed): string | null {
  return wish.kind === 'assign' ? wish.document : null
}

/** What was answered before another was sent is an earlier version. */
function requireOrder(at: string, kept: readonly (SchemaDeed | undefined)[]): void {
  let latestSent = 0
  for (const [index, deed] of kept.entries()) {
    if (!deed) continue
    expect(deed.settledAt, `${at}: version ${index + 1} comes too late`).toBeGreaterThan(latestSent)
    latestSent = Math.max(latestSent, deed.sentAt)
  }
}
