import { timingSafeEqual } from 'node:crypto'
import type { HistoryPlace, HistoryQuery } from '../../../audit/log-operations.ts'

/** Part of the query that a key is bound to, beside the place in the log. */
export type BoundQuery = Pick<HistoryQuery, 'filter' | 'owners' | 'order'>

type Digest = (text: string) => string

/** A key that continues the same search; no client can make one. */
export function formatNextKey(place: HistoryPlace, query: BoundQuery, digest: Digest): string {
  const { portalId, number } = place
  return Buffer.from(JSON.stringify([portalId, number, sign(place, query, digest)])).toString('base64url')
}

/** The place of a key; undefined for one that is altered, or of another search. */
export function readNextKey(key: string, query: BoundQuery, digest: Digest): HistoryPlace | undefined {
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
