import {
  countedFields,
  type ItemCondition,
  type ItemSearch,
  itemSortFields,
} from '../../../src/items/search/item-search.ts'
import type { Page } from '../../../src/paging.ts'
import { allOf, anyOf, type CategoryHolder, negationOf } from '../../../src/search/condition.ts'
import { fold, wordsOf } from '../../../src/search/folding.ts'
import { noon } from '../../storage/contract/records.ts'
import type { ItemInMemory } from './naive-search.ts'
import { type Draw, drawPath, drawText, groups, portals, types, users, vocabulary } from './random-items.ts'

const textFields = [
  'title',
  'snippet',
  'description',
  'tags',
  'type',
  'typekeywords',
  'accessinformation',
  'licenseinfo',
] as const
const keywordFields = [
  ...textFields,
  'owner',
  'id',
  'group',
  'orgid',
  'access',
  'culture',
  'spatialreference',
  'itemtype',
] as const
/** Fields whose values are kept whole beside their tokens. */
const patternFields = ['owner', 'typekeywords', 'culture', 'spatialreference', 'access', 'itemtype'] as const

/** Draws a search and a page of it; values are mostly those of the items. */
export function drawSearch(
  draw: Draw,
  items: readonly ItemInMemory[],
): { readonly search: ItemSearch; readonly page: Page } {
  const countFields = [...new Set(draw.some(3, () => draw.one(countedFields)))]
  const hasTitle = draw.once(3)
  const sort = draw.some(2, () => ({ field: draw.one(itemSortFields), order: draw.one(['asc', 'desc'] as const) }))
  const search: ItemSearch = {
    condition: drawCondition(draw, items, draw.below(4)),
    inTitle: hasTitle ? drawWords(draw, ['title']) : undefined,
    bbox: draw.once(6) ? [-100, -40, draw.below(200) - 100, draw.below(80) - 40] : undefined,
    sort: sort.length > 0 ? sort : [{ field: 'modified', order: 'desc' }],
    groupId: draw.once(5) ? draw.one(groups) : undefined,
    countFields,
    countSize: draw.one([0, 1, 3, 10, 200]),
  }
  return { search, page: { start: 1 + (draw.once(2) ? draw.below(60) : 0), num: draw.one([0, 1, 3, 10, 100]) } }
}

/** Draws a search for one category that an item carries, or for what is above it, with the counts of all. */
export function drawCategorySearch(
  draw: Draw,
  items: readonly ItemInMemory[],
): { readonly search: ItemSearch; readonly page: Page } {
  const groupId = draw.once(4) ? draw.one(groups) : undefined
  const paths = items.flatMap((one) => (groupId === undefined ? one.item.categories : (one.groups.get(groupId) ?? [])))
  const titles = draw.one(paths.length > 0 ? paths : ['/nothing']).split('/')
  const search: ItemSearch = {
    condition: {
      kind: 'category',
      holder: groupId === undefined ? 'portal' : { groupId },
      path: fold(titles.slice(0, 2 + draw.below(titles.length - 1)).join('/')),
    },
    inTitle: undefined,
    bbox: undefined,
    sort: [],
    groupId,
    countFields: ['categories'],
    countSize: 200,
  }
  return { search, page: { start: 1, num: 100 } }
}

function drawCondition(draw: Draw, items: readonly ItemInMemory[], depth: number): ItemCondition {
  if (depth === 0) return drawLeaf(draw, items)
  const of = () => drawCondition(draw, items, depth - 1)
  switch (draw.below(5)) {
    case 0:
    case 1:
      return allOf([of(), of(), ...draw.some(2, of)])
    case 2:
    case 3:
      return anyOf([of(), of(), ...draw.some(2, of)])
    default:
      return negationOf(of())
  }
}

function drawLeaf(draw: Draw, items: readonly ItemInMemory[]): ItemCondition {
  switch (draw.below(14)) {
    case 0:
      return { kind: draw.once(4) ? 'none' : 'all' }
    case 1:
    case 2:
      return drawKey(draw, items)
    case 3:
      return {
        kind: 'pattern',
        field: draw.one(patternFields),
        pattern: draw.one(['*a*', '?a*', 's*|*b', 'en?us', '*n', 'p?blic', '*[*', 'c?rla']),
      }
    case 4:
      return { kind: 'between', field: 'owner', min: drawBound(draw), max: drawBound(draw) }
    case 5: {
      const min = noon + draw.below(30) - 5
      return { kind: 'range', field: draw.one(['created', 'modified']), min, max: min + draw.below(20) }
    }
    case 6:
      return { kind: 'category', holder: drawHolder(draw), path: fold(drawPath(draw)) }
    case 7:
      return {
        kind: 'categoryTitle',
        holder: drawHolder(draw),
        title: fold(draw.one(['water', 'Lakes', 'Land use', 'Categories', 'nothing'])),
      }
    case 8:
      return {
        kind: 'categoryWords',
        holder: drawHolder(draw),
        words: wordsOf(draw.one(['lakes', 'and Lakes', 'land use', 'use land', 'lodz'])),
      }
    case 9:
      return { kind: 'categorized', holder: drawHolder(draw) }
    default:
      return drawWords(draw, draw.once(2) ? textFields.slice(0, 6) : [draw.one(textFields)])
  }
}

function drawWords(draw: Draw, fields: readonly (typeof textFields)[number][]): ItemCondition {
  const words = wordsOf(draw.once(3) ? drawText(draw, 3) : draw.one([...vocabulary, ...types]))
  if (words.length === 0) return { kind: 'all' }
  const isPrefix = draw.once(3)
  if (isPrefix)
    words.push(
      Array.from(words.pop()!)
        .slice(0, 1 + draw.below(4))
        .join(''),
    )
  return { kind: 'words', fields, words, isPrefix }
}

function drawKey(draw: Draw, items: readonly ItemInMemory[]): ItemCondition {
  const { item, groups: shared } = draw.one(items)
  const field = draw.one(keywordFields)
  const values = {
    title: [item.title],
    snippet: [item.snippet],
    description: [item.description],
    tags: item.tags,
    type: [item.type],
    typekeywords: item.typeKeywords,
    accessinformation: [item.accessInformation],
    licenseinfo: [item.licenseInfo],
    owner: users.map(({ username }) => username),
    id: [item.itemId],
    group: [...shared.keys(), ...groups],
    orgid: portals,
    access: ['public', 'org', 'shared', 'private'],
    culture: ['en', 'en-us'],
    spatialreference: ['4326', 'wgs 84'],
    itemtype: ['url', 'text'],
  }[field]
  const value = Array.from(fold(draw.one(values.length > 0 ? values : ['nothing'])))
  if (value.length === 0) return { kind: 'none' }
  const isPrefix = draw.once(3)
  return {
    kind: 'key',
    field,
    isPrefix,
    value: (isPrefix ? value.slice(0, draw.below(value.length + 1)) : value).join(''),
  }
}

function drawBound(draw: Draw) {
  if (draw.once(3)) return undefined
  return { value: fold(draw.one(users).username).slice(0, 1 + draw.below(4)), isInclusive: draw.once(2) }
}

export function drawHolder(draw: Draw): CategoryHolder {
  return draw.once(3) ? { groupId: draw.one(groups) } : 'portal'
}
