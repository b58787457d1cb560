import { type AuditDetails, nothingDone, type WithAuditDetails } from '../call/audit-details.ts'
import type { StoredEntry } from '../call/audit-entry.ts'
import { type Call, requirePermission } from '../call/call.ts'
import { type Parsed, unwrapParsed } from '../call/parsed.ts'
import { isDefaultAdministrator } from '../directory/permissions.ts'
import { requireOwnPortal } from '../directory/portal-operations.ts'
import type { DirectoryReaders } from '../directory/store.ts'
import { operationRefused } from '../errors.ts'
import { describeEntry, type EntryDescription } from './described-entry.ts'
import type { AuditFilter, Named } from './filter.ts'
import type { AuditReader, AuditStore } from './store.ts'

/** Kinds of refusals, each with a limit of its own: many of one kind hide none of another. */
export const refusalKinds = ['403', '409', 'other'] as const
export type RefusalKind = (typeof refusalKinds)[number]

/** The kind of a refusal with this code. */
export function refusalKindOf(outcome: number): RefusalKind {
  return refusalKinds.find((kind) => kind === String(outcome)) ?? 'other'
}

/** Records that an operation refused a known caller; writes nothing but the audit entry. */
export async function recordRefusal(
  _stores: object,
  _call: Call,
  refusal: AuditDetails & { readonly operation: string; readonly outcome: number },
): Promise<WithAuditDetails> {
  return { audit: refusal }
}

/** Adds the oldest unindexed entries to the index of the log, if there are enough for a step; otherwise none. */
export async function indexLog(
  { audit }: { readonly audit: AuditStore },
  _call: Call,
  input: { readonly entries: number },
): Promise<WithAuditDetails & { readonly entries: number }> {
  return { entries: await audit.indexEntries(input.entries), audit: nothingDone }
}

const day = 86_400_000

/** Time before which audit entries are removed; undefined if they are kept for good. */
export function endOfRetention({ limits, now }: Pick<Call, 'limits' | 'now'>): number | undefined {
  return limits.auditDays > 0 ? now - limits.auditDays * day : undefined
}

/** Removes audit entries that are older than the limit: a bounded number, 0 when there are no more. */
export async function removeOldEntries(
  { audit }: { readonly audit: AuditStore },
  call: Call,
): Promise<WithAuditDetails & { readonly entries: number }> {
  const end = endOfRetention(call)
  const entries = end === undefined ? 0 : await audit.removeEntries(end)
  return { entries, audit: nothingDone }
}

/** Parameters of a page of the log. */
export interface HistoryQuery {
  /** Filter without ids of owners, for whom clients give usernames, and without what words name. */
  readonly filter: Omit<AuditFilter, 'ownerIds' | 'named'>
  /** Usernames, exactly. */
  readonly owners: readonly string[] | undefined
  readonly order: 'asc' | 'desc'
  readonly num: number
  /** End of the previous page. */
  readonly after: HistoryPlace | undefined
}

export interface HistoryPlace {
  readonly portalId: string
  readonly number: number
}

/** An entry as a log shows it. */
export interface HistoryEntry extends StoredEntry, EntryDescription {
  /** Present title of an item or group; once it is deleted, the title that the entry recorded. */
  readonly title: string | undefined
  /** Username of the owner, if the user still exists. */
  readonly owner: string | undefined
  readonly ownerFullName: string | undefined
  readonly actorFullName: string | undefined
  /** Whether it has changes of items that are not undone. */
  readonly isRevertible: boolean
}

export interface HistoryPage {
  readonly portalId: string
  readonly portalName: string
  readonly entries: readonly HistoryEntry[]
  /** Undefined at the end. */
  readonly next: HistoryPlace | undefined
}

/** The log of an organization, for its default administrators (documented). */
export async function listPortalHistory(
  stores: DirectoryReaders & { readonly audit: AuditReader },
  call: Call,
  input: { readonly portalId: string; readonly query: Parsed<HistoryQuery> },
): Promise<HistoryPage> {
  const { caller, portal } = await requireOwnPortal(stores, call, input.portalId)
  const { portalId } = portal
  requirePermission(isDefaultAdministrator(caller, portalId))
  const { filter, owners, order, num, after } = unwrapParsed(input.query)
  if (after && after.portalId !== portalId) throw operationRefused(foreignKey)
  const ownerIds = owners && (await findUserIds(stores, portalId, owners))
  const named: Named[] = []
  for (const word of filter.words ?? []) named.push({ word, ids: await stores.audit.findNamed(portalId, word) })
  const found = await stores.audit.listEntries({
    portalId,
    filter: { ...filter, ...(ownerIds && { ownerIds }), named },
    order,
    after: after?.number,
    max: num + 1,
  })
  const entries = found.slice(0, num)
  const last = entries.at(-1)?.number ?? after?.number
  return {
    portalId,
    portalName: portal.name,
    entries: await nameEntries(stores, portalId, entries),
    next: found.length > num && last !== undefined ? { portalId, number: last } : undefined,
  }
}

/** Problem of a key that is altered, or belongs to another organization, order or filter. */
export const foreignKey = 'start: is not a nextKey of this organization with this filter and this sortOrder.'

async function findUserIds(
  { directory }: DirectoryReaders,
  portalId: string,
  usernames: readonly string[],
): Promise<readonly string[]> {
  const users = await Promise.all(usernames.map((username) => directory.findUser(username)))
  return users.flatMap((user) =>
    user?.portalId === portalId && usernames.includes(user.username) ? [user.userId] : [],
  )
}

async function nameEntries(
  { audit }: { readonly audit: AuditReader },
  portalId: string,
  entries: readonly StoredEntry[],
): Promise<readonly HistoryEntry[]> {
  const described = entries.map((entry) => ({ ...entry, ...describeEntry(entry) }))
  const { fullNames, usernames, titles, revertible } = await audit.findLogNames(portalId, {
    usernames: described.flatMap(({ username }) => username ?? []),
    userIds: described.flatMap(({ ownerId }) => ownerId ?? []),
    targets: described.flatMap(({ type, ids }) => (type === 'i' || type === 'g' ? ids.slice(0, 1) : [])),
    entries: described.map(({ number }) => number),
  })
  return described.map((entry) => {
    const owner = entry.ownerId === undefined ? undefined : usernames.get(entry.ownerId)
    return {
      ...entry,
      title: titles.get(entry.ids[0] ?? '') ?? titleThen(entry),
      owner,
      ownerFullName: owner === undefined ? undefined : fullNames.get(owner),
      actorFullName: entry.username === undefined ? undefined : fullNames.get(entry.username),
      isRevertible: revertible.has(entry.number),
    }
  })
}

/** Title of the target at the time of the call, if the operation recorded it. */
function titleThen({ data }: StoredEntry): string | undefined {
  return typeof data?.title === 'string' ? data.title : undefined
}
