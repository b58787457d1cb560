import { maxPageBytes, type Page, type Slice } from '../../paging.ts'
import { integer, list, object, type Shape, text, type ValueOf } from './shape.ts'

/** Members that every list has beside its entries (documented). */
export const pageMembers = {
  total: integer('Number of entries in the whole list.', 0),
  start: integer('Position of the first entry on this page, from 1.', 1),
  num: integer('Maximum number of entries on this page; if it ended early by its size, their number.', 0),
  nextStart: integer('Value of `start` for the next page; -1 on the last page.', -1),
}

const pageShape = object(pageMembers)

/** One page of a list, whose entries are under `Name`. */
export type WirePage<Name extends string, Entry> = ValueOf<typeof pageShape> & {
  readonly [Named in Name]: readonly Entry[]
}

export function pageOf<const Name extends string, Entry>(
  name: Name,
  entry: Shape<Entry>,
): Shape<WirePage<Name, Entry>> {
  return object({ ...pageMembers, [name]: list(entry) }) as Shape<WirePage<Name, Entry>>
}

/** One page of a list, with `nextStart` -1 at its end (documented). A page that would be too large ends early (chosen). */
export function pageToWire<const Name extends string, Entry, WireEntry>(
  name: Name,
  { total, entries, page }: Slice<Entry> & { readonly page: Page },
  toWire: (entry: Entry) => WireEntry,
): WirePage<Name, WireEntry> {
  const wireEntries = untilTooLarge(entries.map(toWire))
  const count = wireEntries.length
  const next = page.start + count
  const nextStart = count > 0 && next <= total ? next : -1
  const isCut = count < Math.min(page.num, total - page.start + 1)
  return {
    total,
    start: page.start,
    num: isCut ? count : page.num,
    nextStart,
    [name]: wireEntries,
  } as unknown as WirePage<Name, WireEntry>
}

function untilTooLarge<Entry>(entries: readonly Entry[]): readonly Entry[] {
  let bytes = 0
  const end = entries.findIndex((entry) => {
    bytes += Buffer.byteLength(JSON.stringify(entry))
    return bytes > maxPageBytes
  })
  return end === -1 ? entries : entries.slice(0, Math.max(end, 1))
}

/** Member of a resource that is read on its own with `withCan=true` (chosen). */
export const canMember = {
  can: list(text(), 'Only with withCan=true: ids of the operations that the caller may call on it.'),
}
