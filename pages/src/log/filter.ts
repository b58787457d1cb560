import { targetTypes } from '../../../src/audit/actions.ts'
import { type AuditedOperationId, isAuditedOperation } from '../operations/audited-operations.ts'

/** What of the log is shown: the query of the screen, as the form and the API have it. */
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
  /** Whether the tokens are shown that apps got for sign-ins. */
  readonly tokens: boolean
}

/** What apps do by themselves after each sign-in, whose own entry says who did so. */
const ofApps: AuditedOperationId = 'issueTokens'

const texts = ['q', 'actors', 'owners', 'actions', 'id', 'ips', 'from', 'to'] as const

/** The filter of an address; what is not understood is ignored. */
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

/** The query of an address, without what is as by default. */
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

/** Parameters of `listPortalHistory`. */
export function parametersOf(filter: LogFilter): Readonly<Record<string, string | boolean | undefined>> {
  const { q, actors, owners, actions, id, ips, outcome, from, to, types, scope, order, tokens } = filter
  return {
    q: q || undefined,
    actors: actors || undefined,
    owners: owners || undefined,
    actions: actions || undefined,
    // What is asked for by its name is wanted.
    without: tokens || actions ? undefined : ofApps,
    id: id || undefined,
    ips: ips || undefined,
    outcome: outcome || undefined,
    fromDate: from || undefined,
    toDate: to || undefined,
    types: types.join(',') || undefined,
    // Types say themselves whose entries are wanted.
    all: scope === 'all' && types.length === 0 ? true : undefined,
    sortOrder: order,
  }
}

/** Whether anything is set that is not in sight at first. */
export function hasMoreThanTheFirst(filter: LogFilter): boolean {
  const { owners, id, ips, types, scope, order, actions } = filter
  const isNamedAsInApi = actions !== '' && !isAuditedOperation(actions)
  const isSet = [owners, id, ips].some((text) => text !== '')
  return isSet || isNamedAsInApi || types.length > 0 || scope === 'own' || order === 'asc'
}

/** `2026-11-21T14:05` in the time of the person → `2026-11-21T13:05:00.000Z`; empty if it is no time. */
export function toUtc(local: string): string {
  const time = new Date(local).getTime()
  return local === '' || Number.isNaN(time) ? '' : new Date(time).toISOString()
}

/** The reverse, for the field of a form. */
export function toLocal(utc: string): string {
  const time = new Date(utc)
  if (utc === '' || Number.isNaN(time.getTime())) return ''
  const two = (value: number) => String(value).padStart(2, '0')
  const day = `${time.getFullYear()}-${two(time.getMonth() + 1)}-${two(time.getDate())}`
  return `${day}T${two(time.getHours())}:${two(time.getMinutes())}`
}

/** Rows of a CSV file below the row of its columns. Breaks of lines inside cells do not count. */
export function countCsvRows(text: string): number {
  let rows = 0
  let isQuoted = false
  for (const character of text) {
    if (character === '"') isQuoted = !isQuoted
    else if (character === '\n' && !isQuoted) rows += 1
  }
  return Math.max(0, rows - 1)
}

/** Parts of a CSV file, each with the row of its columns, as one file that spreadsheets take for UTF-8. */
export function joinCsv(parts: readonly string[]): string {
  const [first = '', ...others] = parts.map((part) => part.replace(/^\u{feff}/u, ''))
  return `\u{feff}${first}${others.map((part) => part.slice(part.indexOf('\r\n') + 2)).join('')}`
}
