import { timingSafeEqual } from 'node:crypto'
import { foreignKey, type HistoryPlace, type HistoryQuery } from '../../../audit/operations.ts'
import { mapParsed, type Parsed } from '../../../call/parsed.ts'
import { exampleIds, exampleTime } from '../../examples/examples.ts'
import {
  formatHistoryCsv,
  formatHistoryLines,
  historyShape,
  historyToWire,
  type WireHistoryEntry,
} from '../../shapes/audit/history-entry.ts'
import { type Endpoint, endpointsOf } from '../endpoint.ts'
import { historyParameters, isBeginning, queryOf } from './history-parameters.ts'

const endpoint = endpointsOf('audit')

const { portalId, closedGroupId } = exampleIds

const historyEntry: WireHistoryEntry = {
  id: closedGroupId,
  itemTitle: 'Sea levels',
  idType: 'g',
  orgId: portalId,
  orgName: 'Ministry of Maps',
  owner: null,
  ownerFullName: null,
  actor: 'anna',
  actorFullName: 'Anna Atlas',
  ip: '127.0.0.1',
  action: 'join',
  created: exampleTime,
  request: `/community/groups/${closedGroupId}/join`,
  reqId: 'f'.repeat(32),
  revertId: null,
  clientId: null,
  data: { operation: 'joinGroup', outcome: 'success' },
}

/** The log of an organization. */
export const portalHistoryRows: readonly Endpoint[] = [
  endpoint({
    id: 'listPortalHistory',
    title: 'History',
    task: 'list history',
    goals: ['See what was done and what was refused'],
    path: '/portals/:portalId/history',
    parameters: historyParameters,
    who: 'Administrators of the organization',
    summary: 'Who did what, when, from where, and what was refused: the audit log of the organization.',
    extension: 'history',
    chosen: [
      'q, meanings, without, outcome and f=ndjson are of this server; so are the names of operations in actions, and outcome, operation and error in data.',
      'The entries are those of callers of the organization. Sign-ins under names that do not exist belong to no organization.',
      'Times without an offset are UTC.',
      'A nextKey is for this organization, these parameters and this sortOrder; anything else is refused. csv and ndjson have it in the header X-Next-Key.',
      'What was written before a page was asked for is on it or on a later one. On several servers, entries of the same moment may change places: with sortOrder=asc, a reader who follows the end may miss one.',
      'A cell of csv that a spreadsheet would take for a formula begins with an apostrophe.',
    ],
    answers: { json: historyShape, texts: ['csv', 'ndjson'] },
    example: {
      ids: { portalId },
      parameters: { types: 'g', actions: 'joinGroup' },
      answer: { items: [historyEntry], nextKey: null, num: 25 },
    },
    async answer({ ids, input, dependencies: { digest }, format, run }) {
      const asked = mapParsed(input, (given) => ({ ...queryOf(given, format), start: given.start }))
      const page = await run({ portalId: ids.portalId, query: withPlace(asked, digest) })
      if ('problems' in asked) throw new Error('Refused by the operation.')
      const nextKey = page.next ? formatNextKey(page.next, asked.value, digest) : null
      const headers = {
        'content-disposition': `attachment; filename="history.${format}"`,
        ...(nextKey !== null && { 'x-next-key': nextKey }),
      }
      if (format === 'csv') {
        return { text: formatHistoryCsv(page), contentType: 'text/csv; charset=utf-8', headers }
      }
      if (format === 'ndjson') {
        return { text: formatHistoryLines(page), contentType: 'application/x-ndjson; charset=utf-8', headers }
      }
      return { json: { items: historyToWire(page), nextKey, num: asked.value.num } }
    },
  }),
]

type HistoryRequest = Omit<HistoryQuery, 'after'> & { readonly start: string | undefined }

function withPlace(asked: Parsed<HistoryRequest>, digest: (text: string) => string): Parsed<HistoryQuery> {
  if ('problems' in asked) return asked
  const { start, ...query } = asked.value
  const after: HistoryPlace | undefined = isBeginning(start) ? undefined : readNextKey(start!.trim(), query, digest)
  return after || isBeginning(start) ? { value: { ...query, after } } : { problems: [foreignKey] }
}

/** Part of the query that a key is bound to, beside the place in the log. */
export type BoundQuery = Pick<HistoryQuery, 'filter' | 'owners' | 'order'>

type Digest = (text: string) => string

/** A key that continues the same search; no client can make one. */
function formatNextKey(place: HistoryPlace, query: BoundQuery, digest: Digest): string {
  const { portalId, number } = place
  return Buffer.from(JSON.stringify([portalId, number, sign(place, query, digest)])).toString('base64url')
}

/** The place of a key; undefined for one that is altered, or of another search. */
function readNextKey(key: string, query: BoundQuery, digest: Digest): HistoryPlace | undefined {
  const place = decode(key)
  // Compared as text, since several texts decode to the same bytes.
  if (!place || !equal(formatNextKey(place, query, digest), key)) return undefined
  return place
}

function decode(key: string): HistoryPlace | undefined {
  try {
    const [portalId, number] = JSON.parse(Buffer.from(key, 'base64url').toString())
    return typeof portalId === 'string' && Number.isSafeInteger(number) ? { portalId, number } : undefined
  } catch {
    return undefined
  }
}

function sign({ portalId, number }: HistoryPlace, { filter, owners, order }: BoundQuery, digest: Digest): string {
  const members = Object.entries({ ...filter, owners }).filter(([, value]) => value !== undefined)
  return digest(JSON.stringify(['nextKey', portalId, number, order, members.sort()]))
}

function equal(one: string, other: string): boolean {
  const [a, b] = [Buffer.from(one), Buffer.from(other)]
  return a.length === b.length && timingSafeEqual(a, b)
}
