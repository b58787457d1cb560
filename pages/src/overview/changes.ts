import type { WireHistoryEntry } from '../../../src/http/shapes/audit/history-entry.ts'
import type { WireGroup } from '../../../src/http/shapes/directory/group.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { isAuditedOperation } from '../operations/audited-operations.ts'
import { nameOfOperation } from '../operations/operation-names.ts'
import { type SchemaOwner, schemaPath, screenOf } from '../owners/owners.ts'
import { call, may } from '../session/session.ts'
import { ofOverview as t } from '../texts/rooms.ts'

/** A change that was made lately. */
export interface RecentChange {
  readonly at: number
  /** Full name or username. */
  readonly actor: string
  /** Words for what was done. */
  readonly deed: string
  /** Name of what it was done to; empty for the organization. */
  readonly target: string
  readonly href: string
}

export type OwnGroup = Pick<WireGroup, 'id' | 'title' | 'userMembership' | 'hasCategorySchema'>

interface Version {
  readonly version: number
  readonly modified: number
  readonly modifiedBy: string
}

const shownChanges = 6
/** Maximum number of groups whose versions are read: each takes a call. */
const maxGroups = 5

/** Entries of the log that say nothing about what there is. */
const withoutSignIns =
  'generateToken,signInToApp,continueToApp,signInByProvider,signOut,issueTokens,revokeToken,endSession,endSessions'

/** The latest changes: of the whole organization for those who see its log, for others those of the schemas that they see. */
export async function listRecentChanges(
  groups: readonly OwnGroup[],
  signal: AbortSignal,
): Promise<readonly RecentChange[]> {
  return may('listPortalHistory') ? listFromLog(signal) : listVersions(groups, signal)
}

async function listFromLog(signal: AbortSignal): Promise<readonly RecentChange[]> {
  const { items } = await call<{ readonly items: readonly WireHistoryEntry[] }>(
    '/portals/self/history',
    { all: true, outcome: 'success', without: withoutSignIns, num: shownChanges },
    { signal },
  )
  return items.map((entry) => ({
    at: entry.created,
    actor: entry.actorFullName || entry.actor || '',
    deed: isAuditedOperation(entry.data.operation) ? nameOfOperation(entry.data.operation) : entry.action,
    target: entry.itemTitle ?? (entry.idType === 'u' && entry.id !== entry.actor ? (entry.id ?? '') : ''),
    href: hrefTo('log', {}, { entry: entry.reqId }),
  }))
}

async function listVersions(groups: readonly OwnGroup[], signal: AbortSignal): Promise<readonly RecentChange[]> {
  const governed = groups.filter(
    ({ hasCategorySchema, userMembership }) => hasCategorySchema && userMembership.memberType !== 'member',
  )
  const owners: readonly (readonly [SchemaOwner, string])[] = [
    ...(may('listPortalSchemaVersions') ? [[{ kind: 'organization' }, ''] as const] : []),
    ...governed.slice(0, maxGroups).map(({ id, title }) => [{ kind: 'group', id }, title] as const),
  ]
  const lists = await Promise.all(
    owners.map(async ([owner, title]) => {
      const { versions } = await call<{ readonly versions: readonly Version[] }>(
        `${schemaPath(owner)}/versions`,
        { num: shownChanges },
        { signal },
      )
      return versions.map((version) => changeOf(owner, title, version))
    }),
  )
  return lists
    .flat()
    .toSorted((one, other) => other.at - one.at)
    .slice(0, shownChanges)
}

function changeOf(owner: SchemaOwner, title: string, { version, modified, modifiedBy }: Version): RecentChange {
  return {
    at: modified,
    actor: modifiedBy,
    deed: t('schemaVersion', { version }),
    target: title,
    href: hrefTo(...screenOf(owner, 'Version', { version: String(version) })),
  }
}
