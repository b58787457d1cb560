/** Limits that an operator may set: one table for the settings, docs/settings.md and the operations. */

export interface Limit {
  /** Name of the setting. */
  readonly setting: string
  readonly default: number
  readonly min: number
  readonly max: number
  readonly meaning: string
  /** Response where the limit is reached, as a client sees it. */
  readonly refusal: string
}

const mebibyte = 1024 * 1024

export const limitTable = {
  groupsOwned: {
    setting: 'LIMIT_GROUPS_OWNED',
    default: 512,
    min: 1,
    max: 1_000_000,
    meaning: 'Groups that a user may own; other users may give groups up to half of it.',
    refusal: '400 with a sentence that names the limit',
  },
  memberships: {
    setting: 'LIMIT_MEMBERSHIPS',
    default: 512,
    min: 1,
    max: 1_000_000,
    meaning: 'Groups that a user may be a member of, owned groups included; other users may add up to half of it.',
    refusal: '400 with a sentence that names the limit; a user who cannot be added is in notAdded',
  },
  invitationsOfUser: {
    setting: 'LIMIT_INVITATIONS',
    default: 100,
    min: 1,
    max: 10_000,
    meaning: 'Open invitations of a user to groups; one inviter may use up half of them.',
    refusal: 'a user who cannot be invited is in notInvited',
  },
  invitationsToGroup: {
    setting: 'LIMIT_INVITATIONS_PER_GROUP',
    default: 1_000,
    min: 1,
    max: 100_000,
    meaning: 'Open invitations to a group.',
    refusal: '400 with a sentence that names the limit',
  },
  applicationsOfUser: {
    setting: 'LIMIT_APPLICATIONS',
    default: 100,
    min: 1,
    max: 10_000,
    meaning: 'Open requests of a user to join groups.',
    refusal: '400 with a sentence that names the limit',
  },
  applicationsToGroup: {
    setting: 'LIMIT_APPLICATIONS_PER_GROUP',
    default: 1_000,
    min: 1,
    max: 10_000,
    meaning: 'Open requests to join a group.',
    refusal: '400 with a sentence that names the limit',
  },
  applicationDays: {
    setting: 'APPLICATION_RETENTION_DAYS',
    default: 90,
    min: 0,
    max: 36_500,
    meaning: 'Days for which a request to join a group waits for an answer; 0 for ever.',
    refusal: 'nothing',
  },
  notifications: {
    setting: 'LIMIT_NOTIFICATIONS',
    default: 100,
    min: 1,
    max: 10_000,
    meaning: 'Notifications that are kept for a user; the oldest are removed.',
    refusal: 'nothing',
  },
  groupsInView: {
    setting: 'LIMIT_GROUPS_IN_VIEW',
    default: 512,
    min: 1,
    max: 10_000,
    meaning: 'Groups in the view of a user; the search for groups lists all of them, page by page.',
    refusal: 'the view has the first groups only, and says how many there are',
  },
  itemsOwned: {
    setting: 'LIMIT_ITEMS_OWNED',
    default: 100_000,
    min: 1,
    max: 10_000_000,
    meaning: 'Items that a user may own.',
    refusal: '400 with a sentence that names the limit',
  },
  itemsOfPortal: {
    setting: 'LIMIT_ITEMS_PER_ORGANIZATION',
    default: 1_000_000,
    min: 1,
    max: 100_000_000,
    meaning: 'Items of an organization, as counted every ten seconds.',
    refusal: '400 with a sentence that names the limit',
  },
  itemBytesOwned: {
    setting: 'LIMIT_ITEM_BYTES_PER_USER',
    default: 1024 * mebibyte,
    min: mebibyte,
    max: Number.MAX_SAFE_INTEGER,
    meaning:
      'Bytes that a user keeps. Of each item 1,024, its data and its texts; texts that searches look through count five times, for their index. The versions of category schemas that the user made, the drafts that the user saved last, and what jobs of the user were given.',
    refusal: '400 with a sentence that names the limit; what is there can be made smaller and deleted',
  },
  itemBytesOfPortal: {
    setting: 'LIMIT_ITEM_BYTES_PER_ORGANIZATION',
    default: 20 * 1024 * mebibyte,
    min: mebibyte,
    max: Number.MAX_SAFE_INTEGER,
    meaning:
      'The same of all users of an organization, and of what apps and former users made, as counted every ten seconds.',
    refusal: '400 with a sentence that names the limit; what is there can be made smaller and deleted',
  },
  freeBytes: {
    setting: 'MIN_FREE_DISK_BYTES',
    default: 32 * mebibyte,
    min: 0,
    max: Number.MAX_SAFE_INTEGER,
    meaning:
      'SQLite only: bytes that stay free, on the disk and in the file of the database together. Sign-ins, reads, deletions and disabling users go on below.',
    refusal: '503 with Retry-After to what adds data',
  },
  freePercent: {
    setting: 'MIN_FREE_DISK_PERCENT',
    default: 5,
    min: 0,
    max: 100,
    meaning:
      'SQLite only: the same in percent of the size of the disk. The larger of both counts; 0 for both turns them off.',
    refusal: '503 with Retry-After to what adds data',
  },
  tagsOfUser: {
    setting: 'LIMIT_TAGS_PER_USER',
    default: 10_000,
    min: 1,
    max: 10_000_000,
    meaning:
      'Different tags of the items that a user owns; on PostgreSQL, as counted every ten seconds. Items that exist stay, and may be given to others.',
    refusal: '400 with a sentence that names the limit',
  },
  tagsOfPortal: {
    setting: 'LIMIT_TAGS_PER_ORGANIZATION',
    default: 100_000,
    min: 1,
    max: 10_000_000,
    meaning:
      'Different tags of the items of an organization; on PostgreSQL, as counted every ten seconds. Items that exist stay.',
    refusal: '400 with a sentence that names the limit',
  },
  itemText: {
    setting: 'LIMIT_ITEM_TEXT',
    default: mebibyte,
    min: 1_024,
    max: mebibyte,
    meaning: 'Bytes of the data of an item; the body of the request has at most 1 MiB.',
    refusal: '400 with a sentence that names the limit',
  },
  workspaces: {
    setting: 'LIMIT_WORKSPACES',
    default: 100,
    min: 1,
    max: 10_000,
    meaning: 'Workspaces of a collaboration.',
    refusal: '400 with a sentence that names the limit',
  },
  participants: {
    setting: 'LIMIT_PARTICIPANTS',
    default: 10_000,
    min: 2,
    max: 100_000,
    meaning: 'Participants of a collaboration, the host included.',
    refusal: '400 with a sentence that names the limit',
  },
  schemaVersions: {
    setting: 'LIMIT_SCHEMA_VERSIONS',
    default: 1_000,
    // The latest, and the one that has its document.
    min: 2,
    max: 1_000_000_000,
    meaning: 'Versions of a category schema that are kept for each group or organization; the oldest are removed.',
    refusal: 'nothing',
  },
  schemaVersionDays: {
    setting: 'SCHEMA_VERSION_RETENTION_DAYS',
    default: 0,
    min: 0,
    max: 36_500,
    meaning:
      'Days for which a version of a category schema is kept after the next one replaced it, within the limit of number; 0 for ever.',
    refusal: 'nothing',
  },
  deletedGroupDays: {
    setting: 'DELETED_GROUP_RETENTION_DAYS',
    default: 90,
    min: 0,
    max: 36_500,
    meaning: 'Days for which the category schema of a deleted group is kept; 0 for ever.',
    refusal: 'nothing',
  },
  auditDays: {
    setting: 'AUDIT_RETENTION_DAYS',
    default: 0,
    min: 0,
    max: 36_500,
    meaning: 'Days for which audit entries are kept; 0 for ever.',
    refusal: 'nothing',
  },
  answerBytes: {
    setting: 'LIMIT_ANSWER_BYTES',
    default: 8 * mebibyte,
    min: 2 * mebibyte,
    max: 256 * mebibyte,
    meaning: 'Bytes of one answer.',
    refusal: '400 with a sentence that names the limit',
  },
  connections: {
    setting: 'LIMIT_CONNECTIONS',
    default: 10_000,
    min: 1,
    max: 1_000_000,
    meaning: 'Connections of all clients to one process.',
    refusal:
      'the connection that has been silent for the longest time is closed, of the address (of IPv6, the /64) that has most; a further one while all have a request',
  },
  unreadBytes: {
    setting: 'LIMIT_UNREAD_BYTES',
    default: 64 * mebibyte,
    min: 65_536,
    max: Number.MAX_SAFE_INTEGER,
    meaning:
      'Bytes of answers that clients have not read, of all connections; each connection has one answer at a time.',
    refusal: 'connections that have read nothing for the longest time are closed',
  },
  unreadSeconds: {
    setting: 'LIMIT_UNREAD_SECONDS',
    default: 30,
    min: 1,
    max: 3_600,
    meaning: 'Seconds for which a client may read nothing of an answer.',
    refusal: 'the connection is closed',
  },
  appTokens: {
    setting: 'LIMIT_APP_TOKENS',
    default: 1_000,
    min: 1,
    max: 100_000,
    meaning: 'Tokens that an app has for itself; the oldest end.',
    refusal: 'the token that has ended is 498',
  },
  requestBytes: {
    setting: 'LIMIT_REQUEST_BYTES',
    default: 128 * mebibyte,
    min: 2 * mebibyte,
    max: 4096 * mebibyte,
    meaning: 'Bytes of the bodies of requests in progress, of all connections; bodies below 16 KiB do not count.',
    refusal:
      'connections whose body has been incomplete for the longest time are closed, of the user or address that has most',
  },
  refusalsRecorded: {
    setting: 'LIMIT_REFUSALS_RECORDED',
    default: 60,
    min: 1,
    max: 1_000_000,
    meaning:
      'Refusals of one user, operation and kind (403, 409, any other) that are written to the audit in a minute; the others are counted in one entry.',
    refusal: 'nothing',
  },
  usersInvited: {
    setting: 'LIMIT_USERS_INVITED',
    default: 100,
    min: 1,
    max: 10_000,
    meaning: 'Users that one call invites; their passwords are hashed one after the other.',
    refusal: '400 with a sentence that names the limit',
  },
  searchTime: {
    setting: 'LIMIT_SEARCH_MILLISECONDS',
    default: 2_000,
    min: 0,
    max: 4_000,
    meaning: 'Milliseconds that one search may take from when it begins; with 0, every search is refused.',
    refusal: '503 with Retry-After',
  },
  signInsOfAddress: {
    setting: 'LIMIT_SIGN_INS_PER_ADDRESS',
    default: 32,
    min: 1,
    max: 1_000,
    meaning: 'Sign-ins of one address (of IPv6, one /64) that wait for their turn; addresses take turns.',
    refusal: '429 with Retry-After',
  },
  signInFailuresOfAccount: {
    setting: 'LIMIT_SIGN_IN_FAILURES_PER_ACCOUNT',
    default: 50,
    min: 1,
    max: 1_000_000,
    meaning:
      'Failed sign-ins for one account from all addresses, within RATE_LIMIT_SIGN_IN_MINUTES. Then one attempt in 10 seconds is taken, the first that comes, except from addresses that signed in to the account within 30 days.',
    refusal: '429 with Retry-After',
  },
  signInFailuresOfAddress: {
    setting: 'LIMIT_SIGN_IN_FAILURES_PER_ADDRESS',
    default: 100,
    min: 1,
    max: 1_000_000,
    meaning:
      'Failed sign-ins of one address for all accounts, within RATE_LIMIT_SIGN_IN_MINUTES. Then it can sign in only to accounts to which it signed in within 30 days.',
    refusal: '429 with Retry-After',
  },
  crossSiteSignInFailures: {
    setting: 'LIMIT_CROSS_SITE_SIGN_IN_FAILURES',
    default: 5,
    min: 1,
    max: 1_000_000,
    meaning:
      'Failed sign-ins from one address by pages of one other origin, within RATE_LIMIT_SIGN_IN_MINUTES. They are counted apart from all other failures; origins that ALLOWED_ORIGINS lists are not other origins.',
    refusal: '429 with Retry-After',
  },
} as const satisfies Readonly<Record<string, Limit>>

export type LimitName = keyof typeof limitTable
export type LimitSetting = (typeof limitTable)[LimitName]['setting']
export type Limits = Readonly<Record<LimitName, number>>

/** Limits whose values `read` finds. */
export function limitsOf(read: (limit: Limit & { readonly setting: LimitSetting }) => number): Limits {
  const values = Object.entries(limitTable).map(([name, limit]) => [name, read(limit)] as const)
  return Object.fromEntries(values) as Limits
}

export const defaultLimits: Limits = limitsOf((limit) => limit.default)

/** The values by the names of their settings. */
export function limitSettings(limits: Limits): Readonly<Record<LimitSetting, number>> {
  const values = Object.entries(limitTable).map(([name, { setting }]) => [setting, limits[name as LimitName]] as const)
  return Object.fromEntries(values) as Record<LimitSetting, number>
}

/** Limits by name, and those that are no setting of their own. */
export const countedLimits = [
  ...(Object.keys(limitTable) as LimitName[]),
  'passwordsWaiting',
  'requestsWaiting',
  'schemaFilesWaiting',
  'signInFailures',
  'unansweredRequests',
] as const
export type CountedLimit = (typeof countedLimits)[number]

/** Counts how often each limit was reached, for the metrics. */
export interface LimitCounts {
  add(limit: CountedLimit): void
  /** Since the process started. */
  of(limit: CountedLimit): number
}

export function countLimits(): LimitCounts {
  const counts = new Map<CountedLimit, number>()
  const of = (limit: CountedLimit) => counts.get(limit) ?? 0
  return { add: (limit) => void counts.set(limit, of(limit) + 1), of }
}
