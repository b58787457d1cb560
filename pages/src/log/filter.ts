import { targetTypes } from '../../../src/audit/actions.ts'
import { type AuditedOperationId, isAuditedOperation } from '../operations/audited-operations.ts'

/** Filter of the log: the query of the screen, in the form of the API. */
export interface LogFilter {
  readonly q: string
  readonly actors: string
  readonly owners: string
  readonly actions: string
  readonly id: string
  readonly ips: string
  readonly outcome: '' | 'success' | 'refused'
  /** ISO 8601 in UTC, so that an address means the same everywhere. */
  readonly from: string
  readonly to: string
  readonly types: readonly string[]
  /** `all`: whatever the target is; `own`: the organization itself. */
  readonly scope: 'all' | 'own'
  readonly order: 'desc' | 'asc'
  /** Whether tokens that apps got for sign-ins are shown. */
  readonly tokens: boolean
}

/** Operation that apps call after each sign-in, whose own entry names the person. */
const ofApps: AuditedOperationId = 'issueTokens'

const texts = ['q', 'actors', 'owners', 'actions', 'id', 'ips', 'from', 'to'] as const

/** Parses the filter of an address; unknown values are ignored. */
export function readFilter(query: URLSearchParams): LogFilter {
  const outcome = query.get('outcome')
  const words = Object.fromEntries(texts.map((name) => [name, query.get(name)?.trim() ?? '']))
  return {
    ...(words as Readonly<Record<(typeof texts)[number], string>>),
    outcome: outcome === 'success' || outcome === 'refused' ? outcome : '',
    types: (query.get('types') ?? '').split(',').filter((type) => Object.hasOwn(targetTypes, type)),
    scope: query.get('scope') === 'own' ? 'own' : 'all',
    order: query.get('order') === 'asc' ? 'asc' : 'desc',
    tokens: query.get('tokens') === 'true',
  }
}

/** Query of an address; defaults are left out. */
export function formatFilter(filter: LogFilter): Readonly<Record<string, string>> {
  const { types, scope, order, outcome, tokens } = filter
  return {
    ...Object.fromEntries(texts.map((name) => [name, filter[name]])),
    outcome,
    types: types.join(','),
    scope: scope === 'own' ? 'own' : '',
    order: order === 'asc' ? 'asc' : '',
    tokens: tokens ? 'true' : '',
  }
}

/** Parameters of `listPortalHistory`; `meanings`: operations that the words mean. */
export function parametersOf(filter: LogFilter, meanings = ''): Readonly<Record<string, string | boolean | undefined>> {
  const { q, actors, owners, actions, id, ips, outcome, from: fromDate, to: toDate, scope, order, tokens } = filter
  const types = filter.types.join(',')
  const given = Object.entries({ q, meanings, actors, owners, actions, id, ips, outcome, fromDate, toDate, types })
  return {
    ...Object.fromEntries(given.filter(([, value]) => value !== '')),
    // Filtering by operation is explicit, so no operation is left out then.
    without: tokens || actions ? undefined : ofApps,
    // A filter by types already selects the entries.
    all: scope === 'all' && types === '' ? true : undefined,
    sortOrder: order,
  }
}

/** Whether a filter is set that is hidden at first. */
export function hasMoreThanTheFirst(filter: LogFilter): boolean {
  const { owners, id, ips, types, scope, order, actions } = filter
  const isNamedAsInApi = actions !== '' && !isAuditedOperation(actions)
  const isSet = [owners, id, ips].some((text) => text !== '')
  return isSet || isNamedAsInApi || types.length > 0 || scope === 'own' || order === 'asc'
}

/** Local time to UTC: `2026-11-21T14:05` → `2026-11-21T13:05:00.000Z`; empty if it is not a valid time. */
export function toUtc(local: string): string {
  const time = new Date(local).getTime()
  return local === '' || Number.isNaN(time) ? '' : new Date(time).toISOString()
}

/** UTC to local time, for the field of a form. */
export function toLocal(utc: string): string {
  const time = new Date(utc)
  if (utc === '' || Number.isNaN(time.getTime())) return ''
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}`
}

/** Number of rows of a CSV file without the header row. Line breaks inside cells do not count. */
export function countCsvRows(text: string): number {
  let rows = 0
  let isQuoted = false
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted
    else if (character === '\n' && !isQuoted) rows += 1
  }
  return Math.max(0, rows - 1)
}

/** Joins parts of a CSV file, each with a header row, into one file that spreadsheets read as UTF-8. */
export function joinCsv(parts: readonly string[]): string {
  const [first = '', ...others] = parts.map((part) => part.replace(/^\u{feff}/u, ''))
  return `\u{feff}${first}${others.map((part) => part.slice(part.indexOf('\r\n') + 2)).join('')}`
}
