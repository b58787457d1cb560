import type { ItemProperties } from './item.ts'

/** Bytes of an item that count for its owner and its organization, the same on both engines. */

/** Bytes of every item for its ids, times, categories and places in indexes (chosen; measured: 765 in SQLite). */
const ofEveryItem = 1_024
/** A text that searches look through, with its words and whole values in the index (chosen; measured: at most 6 in SQLite, mostly 4 to 5). */
const timesOfSearched = 5

/** Bytes that count of an item with `size` bytes of data. The migration 031 has the same sum in SQL. */
export function countedBytes(item: ItemProperties & { readonly size: number }): number {
  const { title, type, snippet, description, accessInformation, licenseInfo } = item
  const lists = [item.typeKeywords, item.tags].map((list) => JSON.stringify(list))
  const searched = bytesOf(title, type, snippet, description, accessInformation, licenseInfo, ...lists)
  const others = bytesOf(item.documentation, item.culture, item.spatialReference, item.url, item.properties ?? '')
  return ofEveryItem + item.size + others + timesOfSearched * searched
}

function bytesOf(...texts: readonly string[]): number {
  return texts.reduce((sum, text) => sum + Buffer.byteLength(text), 0)
}
