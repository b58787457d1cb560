import { type ItemFields, itemKeywords, itemTexts } from '../../../../items/search/item-search.ts'
import { codesOf, type IndexedNoun } from './compile.ts'

export const indexedItems: IndexedNoun<ItemFields> = {
  index: 'item_index',
  words: 'item_words',
  text: codesOf(itemTexts),
  keywords: codesOf(itemKeywords),
  numbers: { created: 'item_index.created_at', modified: 'item_index.modified_at' },
}

/** Codes of the tokens that decide visibility: level, with the organization where that matters, owner, organization. */
export const levelCode = 'v'
export const ownerCode = 'w'
export const portalCode = 'q'

export function organizationLevel(portalId: string): string {
  return `org ${portalId}`
}
