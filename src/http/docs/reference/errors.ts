import * as errors from '../../../errors.ts'
import type { CountedLimit } from '../../../limits.ts'
import { additions } from '../../../operations/registry.ts'
import { formats, toPortalError } from '../../answer.ts'
import type { Endpoint } from '../../endpoints/endpoint.ts'
import { formatProse, type Html, html } from '../../pages/html.ts'
import { formatTable, linkToAll } from './pieces.ts'

/** Functions that make an error of the API; those left out make the same as `operationRefused`, with further values. */
type ErrorName = Exclude<
  {
    [Name in keyof typeof errors]: (typeof errors)[Name] extends (...args: never) => errors.PortalError ? Name : never
  }[keyof typeof errors],
  'refusedUnless' | 'refusedWith' | 'limitReached'
>

interface ErrorEntry {
  readonly error: errors.PortalError
  readonly when: string
  readonly cure: string
  /** Operations that answer with this error: a description in words, or a filter of rows. */
  readonly of: string | ((row: Endpoint) => boolean)
}

const maxBytes = 1024 * 1024
const everyOperation = 'every operation'

const ofSchemas = ({ id }: Endpoint) => /^(assign|plan|import)(Group|Portal)CategorySchema$/.test(id)
const ofVersions = ({ comparesIfMatch }: Endpoint) => comparesIfMatch === true

const ofKeptVersions = ({ id, path }: Endpoint) =>
  path.includes('/versions/:version') || /^export.*CategorySchema$/.test(id)

const schemaEntries: readonly (readonly [readonly string[], string, string])[] = [
  [
    ['Category schema exceeds max tree size or empty.'],
    'more than five trees, or none',
    'Send one to five trees; to have none, delete the schema.',
  ],
  [
    ['Invalid category schema.'],
    'not JSON, or not a category schema',
    '`reasons` names the line, or the pointer of the category, and what is wrong there.',
  ],
  [
    ['one sentence for each'],
    'levels, total, lengths, or characters of a title, or any other bad input of these operations',
    'Each sentence names the category and the limit. A plan says the same, and changes nothing.',
  ],
]

const busyCures: { readonly [Name in CountedLimit]?: string } = {
  signInFailures: 'Wait. An administrator, or `cartulary user reset`, gives another password.',
  signInFailuresOfAccount: 'Wait some seconds between attempts.',
  signInFailuresOfAddress: 'Wait, or sign in from another address; behind a proxy, check `TRUST_PROXY`.',
  crossSiteSignInFailures: 'Wait, or sign in at the server itself.',
  signInsOfAddress: 'Repeat it after `Retry-After`.',
  requestsWaiting: 'Send fewer requests at the same time.',
  schemaFilesWaiting: 'Send one file after the other.',
}

const one = (error: errors.PortalError, of: ErrorEntry['of'], when: string, cure: string): readonly ErrorEntry[] => [
  { error, of, when, cure },
]

/** Entries for every function in src/errors.ts, in the order of the index. */
const entries: Readonly<Record<ErrorName, readonly ErrorEntry[]>> = {
  categorySchemaRejected: schemaEntries.map(([details, when, cure]) => ({
    error: errors.categorySchemaRejected(details),
    of: ofSchemas,
    when,
    cure,
  })),
  categorySchemaChanged: one(
    errors.categorySchemaChanged('assign', 'which version is there, by whom and since when', 1),
    ofVersions,
    'the schema is not the one that `ifVersion`, `ifHash` or `If-Match` expects',
    'Read the present one, carry the change over, and send it with the new version.',
  ),
  appChanged: one(
    errors.appChanged('when it was'),
    ({ id }) => id === 'confirmApp',
    '`ifModified` is not when the app was last changed',
    'Read the app again, and confirm it with its `modified`.',
  ),
  draftChanged: one(
    errors.draftChanged('which revision is there, by whom and since when'),
    ({ id }) => /^(update|propose|return|publish|delete).*SchemaDraft$/.test(id),
    'the draft is not the revision that `ifRevision` expects',
    'Read the draft again, and carry the change over.',
  ),
  runInProgress: one(
    errors.runInProgress(),
    ({ id }) => id === 'importItemCategories',
    'an import of the same user still runs',
    'Read its job until it has ended, or cancel it.',
  ),
  operationRefused: one(
    toPortalError(errors.operationRefused('what is wrong, and where'), { task: '<do the operation>' }, ''),
    everyOperation,
    'any other bad input, or a state that does not allow it',
    'The sentence names the parameter or the limit: see `docs/limits.md`.',
  ),
  groupNotFound: one(
    errors.groupNotFound(),
    'those with a group',
    'the group does not exist, or the caller cannot see it',
    'Look for its id in Groups; be a member, or have its access widened.',
  ),
  userNotFound: one(
    errors.userNotFound(),
    'those with a user',
    'the user does not exist, or the caller cannot see it',
    'Look for the username in Search users.',
  ),
  itemNotFound: one(
    errors.itemNotFound(),
    'those with an item',
    'the item does not exist, or the caller cannot see it',
    'Look for its id in Search; have it shared.',
  ),
  itemProtected: one(
    errors.itemProtected(),
    ({ id }) => /^(deleteItems?|canDeleteItem)$/.test(id),
    'the item is protected from deletion',
    'Call Unprotect item first.',
  ),
  itemInfoNotFound: one(
    errors.itemInfoNotFound(),
    ({ id }) => id.startsWith('readItemInfo'),
    'always: files of items are not kept',
    'Go on without it.',
  ),
  resourceNotFound: one(
    errors.resourceNotFound(),
    everyOperation,
    'nothing has this path; or no portal, role, collaboration or part of one that the caller can see; or no schema to delete',
    'Check path and id; `reasons` has the path that is near. Sign in to the organization that it belongs to.',
  ),
  versionNotKept: one(
    errors.versionNotKept(1),
    ofKeptVersions,
    'the version was made, and is older than what is kept',
    'Read `firstKept` of the versions; `docs/settings.md` has the limits.',
  ),
  permissionDenied: one(
    errors.permissionDenied('<privilege>'),
    'those with a token',
    'the caller can see the resource, but may not do this',
    'Ask an administrator for the privilege (`docs/privileges.md`), or the owner of the group.',
  ),
  notForApps: one(
    errors.notForApps(),
    'those with a token',
    'an app calls by a token of its own (`client_credentials`) what is for users, or for no app',
    'Have a user sign in to the app, and call with the token of that.',
  ),
  tokenInvalid: one(
    errors.tokenInvalid(),
    'those with a token',
    'the token is unknown, expired or revoked, or there are two different ones',
    'Sign in again; send one token, in one place.',
  ),
  tokenRequired: one(
    errors.tokenRequired(),
    'those with a token',
    'a token is required',
    'Sign in, and send the token.',
  ),
  signInFailed: one(
    errors.signInFailed(),
    ({ id }) => id === 'generateToken',
    'username or password is wrong, or the user is disabled',
    'An administrator can reset the password or enable the user; so can `cartulary user` (`docs/recover.md`).',
  ),
  oauthRefused: one(
    errors.oauthRefused('invalid_request', 'what is wrong, as OAuth says it'),
    ({ room }) => room === 'oauth',
    'an app, a code or a refresh token is not valid; 498 for a refresh token',
    'Sign the user in again (`docs/sign-in.md`).',
  ),
  appNotAccessible: one(
    errors.appNotAccessible(),
    ({ id }) => id === 'validateAppAccess',
    'the app is unknown, or of another organization',
    'Check `client_id`.',
  ),
  notSignedIn: one(
    errors.notSignedIn(),
    ({ id }) => id === 'readPlatformSelf',
    'always: no session of a browser counts for the API',
    'Sign in.',
  ),
  formatUnknown: one(errors.formatUnknown(formats), everyOperation, 'an unknown `f`', 'Send one of these.'),
  methodNotAllowed: one(
    errors.methodNotAllowed(['POST'], 'why not'),
    everyOperation,
    'the operation does not have this method',
    'Use one of the header `Allow`: POST for every change.',
  ),
  requestMalformed: one(
    errors.requestMalformed(400, 'The request cannot be read.'),
    everyOperation,
    'malformed HTTP; 408 if it arrives too slowly, 415 with a Content-Encoding, 431 if its headers are too long',
    'Correct the client, or the proxy before the server.',
  ),
  bodyTooLarge: one(
    errors.bodyTooLarge(maxBytes),
    everyOperation,
    'the body is larger than 1 MiB',
    'Send less in one request.',
  ),
  tooManyRequests: (Object.keys(busyCures) as CountedLimit[]).map((limit) => ({
    error: errors.tooManyRequests(limit, 60),
    of: busyOf(limit),
    when: `\`Retry-After\` has the seconds to wait`,
    cure: busyCures[limit]!,
  })),
  diskNearlyFull: one(
    errors.diskNearlyFull(),
    ({ id }) => id in additions || id === 'updateItem',
    'the disk of the database is nearly full, and the call would add to it',
    'Delete items, or have the operator make room; reads, sign-ins and deletions go on (`docs/limits.md`).',
  ),
  unexpectedError: one(
    errors.unexpectedError('the id of the request'),
    everyOperation,
    'an internal error',
    'Report it, with the lines of the log that have this id.',
  ),
  serverEnding: one(
    errors.serverEnding(),
    ({ effect }) => effect === 'none',
    'a server that ends is asked by GET through a proxy, in its last seconds',
    'Repeat it: the proxy asks another server, or the next one.',
  ),
  databaseNewer: one(
    errors.databaseNewer(),
    ({ effect }) => effect !== 'none',
    'a newer version has migrated the database while this server runs',
    'Repeat it later; the operator replaces the server (`docs/upgrade.md`).',
  ),
  serviceUnavailable: one(
    errors.serviceUnavailable(),
    everyOperation,
    'the server is overloaded, or the database cannot be reached; `Retry-After` has the seconds to wait',
    'Repeat it later; the operator sees why (`docs/failures.md`).',
  ),
}

function busyOf(limit: CountedLimit): string {
  if (/signIn/i.test(limit)) return 'those that take a password'
  if (limit.startsWith('write')) return 'those that change something'
  return 'imports of categories'
}

/** Maximum number of operations that are listed one by one. */
const maxLinks = 8

/** Every error: when it comes, of which operations, and what to do. */
export function formatErrors(table: readonly Endpoint[]): Html {
  const rows = Object.values(entries)
    .flat()
    .map(({ error: { code, messageCode = '', message, details, reasons }, of, when, cure }) => [
      `${code} ${messageCode}`.trim(),
      message,
      [...details, ...reasons].join(' '),
      formatProse(when),
      typeof of === 'string' ? of : listed(table.filter(of)),
      formatProse(cure),
    ])
  return formatTable(['code', 'message', 'details or reasons', 'when', 'operations', 'what to do'], rows)
}

function listed(rows: readonly Endpoint[]): Html {
  const more = rows.length > maxLinks && ` and ${rows.length - maxLinks} more`
  return html`${linkToAll(rows.slice(0, maxLinks))}${more}`
}

/** "Unable to <task>." of every operation, in the order of the alphabet. */
export function formatFailedTasks(table: readonly Endpoint[]): Html {
  const rowsOf = Map.groupBy(table, ({ task }) => task)
  const tasks = [...rowsOf].toSorted(([one], [other]) => one.localeCompare(other))
  return formatTable(
    ['message', 'operations'],
    tasks.map(([task, rows]) => [`Unable to ${task}.`, linkToAll(rows)]),
  )
}
