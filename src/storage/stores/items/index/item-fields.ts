import type { ItemFields } from '../../../../items/search/item-search.ts'
import type { IndexedNoun } from './compile.ts'

/** Codes of the fields of items in tokens: one letter for each. */
export const itemText = {
  title: 't',
  tags: 'g',
  snippet: 's',
  description: 'd',
  type: 'y',
  typekeywords: 'k',
  accessinformation: 'a',
  licenseinfo: 'l',
} as const satisfies Record<ItemFields['text'], string>

export const groupCode = 'r'

export const itemKeywords = {
  ...itemText,
  owner: 'o',
  id: 'i',
  group: groupCode,
  orgid: 'p',
  access: 'x',
  culture: 'c',
  spatialreference: 'f',
  itemtype: 'u',
} as const satisfies Record<ItemFields['keyword'], string>

/** Codes of the tokens that decide visibility: level, with the organization where that matters, owner, organization. */
export const levelCode = 'v'
export const ownerCode = 'w'
export const portalCode = 'q'

export function organizationLevel(portalId: string): string {
  return `org ${portalId}`
}

export const indexedItems: IndexedNoun<ItemFields> = {
  index: 'item_index',
  words: 'item_words',
  text: itemText,
  keywords: itemKeywords,
  numbers: { created: 'item_index.created_at', modified: 'item_index.modified_at' },
}
