import type { WireHistoryEntry } from '../../../src/http/shapes/audit/history-entry.ts'
import type { WireGroup } from '../../../src/http/shapes/directory/group.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { foldRuns } from '../news/news.ts'
import { actorOf, sayNews, targetOf } from '../news/say-news.ts'
import { type SchemaOwner, schemaPath, screenOf } from '../owners/owners.ts'
import type { SchemaVersion } from '../schemas/answers.ts'
import { call, may } from '../session/session.ts'

/** A change that was made lately. */
export interface RecentChange {
  readonly at: number
  /** Username. */
  readonly actor: string
  readonly news: string
  /** Name of what it was done to; empty for the organization. */
  readonly target: string
  readonly href: string
}

export type OwnGroup = Pick<WireGroup, 'id' | 'title' | 'userMembership' | 'hasCategorySchema'>

/** Operations that make versions, by their action. */
const operations = {
  assign: 'assignCategorySchema',
  import: 'importCategorySchema',
  delete: 'deleteCategorySchema',
  restore: 'restoreSchemaVersion',
} as const

const shownChanges = 6
/** Entries among which the changes are: steps of a run are one change. */
const readEntries = 30
/** Maximum number of groups whose versions are read: each takes a call. */
const maxGroups = 5

/** Entries of the log that say nothing about what there is, and those of which the steps of a run say more. */
const withoutSignIns =
  'generateToken,signInToApp,continueToApp,signInByProvider,signOut,issueTokens,revokeToken,endSession,endSessions,changeItems,importItemCategories,revertItemRun,markNotificationsRead,deleteNotification'

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
    { all: true, outcome: 'success', without: withoutSignIns, num: readEntries },
    { signal },
  )
  return foldRuns(items)
    .slice(0, shownChanges)
    .map((news) => ({
      at: news.entry.created,
      actor: news.entry.actor ?? '',
      news: sayNews(news, actorOf(news.entry)),
      target: targetOf(news),
      href: hrefTo('log', {}, { entry: news.entry.reqId }),
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
      const { versions } = await call<{ readonly versions: readonly SchemaVersion[] }>(
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

function changeOf(owner: SchemaOwner, title: string, one: SchemaVersion): RecentChange {
  const { version, modified, modifiedBy, action, draft, moves } = one
  const operation = draft ? 'publishSchemaDraft' : operations[action]
  const data = { operation, outcome: 'success' as const, version, moves, ...(draft && { draft: draft.name }) }
  return {
    at: modified,
    actor: modifiedBy,
    news: sayNews({ entry: { action, data }, count: 1 }, modifiedBy),
    target: title,
    href: hrefTo(...screenOf(owner, 'Version', { version: String(version) })),
  }
}
