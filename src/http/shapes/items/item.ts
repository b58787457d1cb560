import { type Extent, itemLevels } from '../../../items/item.ts'
import type { ItemView } from '../../../items/item-access.ts'
import { canMember } from '../page.ts'
import {
  any,
  boolean,
  choice,
  component,
  constant,
  id,
  integer,
  list,
  nullable,
  number,
  object,
  shortId,
  text,
  time,
  type ValueOf,
} from '../shape.ts'
import { successShapeWith } from '../success.ts'

const unsupported = 'Not supported; always null.'
const none = () => nullable(text(unsupported))
const noEntries = () => list(text(), 'Not supported; always empty.')
const zero = () => integer('Not counted; always 0.', 0)
const orNull = (description: string) => nullable(text(description))

/** Order of recorded answers (observed). */
export const itemMembers = {
  id: id(),
  owner: text('Username of the owner.'),
  orgId: shortId('The organization of the item.'),
  created: time('When the item was added.'),
  isOrgItem: boolean('Whether the item belongs to the organization of the caller.'),
  modified: time('When the item was last changed.'),
  guid: none(),
  name: none(),
  title: text(),
  type: text('Type, such as Web Map.'),
  typeKeywords: list(text(), 'Words that describe the type.'),
  description: orNull('Description; null for none.'),
  tags: list(text()),
  snippet: orNull('Short summary; null for none.'),
  thumbnail: none(),
  documentation: orNull('Documentation; null for none.'),
  extent: list(list(number()), 'West and south, east and north in degrees; empty for none.'),
  categories: list(text(), 'Paths of categories of the organization, in the order in which they were assigned.'),
  spatialReference: orNull('Spatial reference; null for none.'),
  accessInformation: orNull('Whom to credit; null for none.'),
  licenseInfo: orNull('Terms of use; null for none.'),
  culture: orNull('Language and region; null for none.'),
  properties: any('A JSON object; null for none.'),
  url: orNull('Where what the item describes is; null for none.'),
  proxyFilter: none(),
  access: choice(
    [...itemLevels, 'shared'],
    'Who sees the item: its owner, also members of groups (shared), the organization, or everyone.',
  ),
  size: integer('Bytes of its data; 0 without data.', 0),
  appCategories: noEntries(),
  industries: noEntries(),
  languages: noEntries(),
  largeThumbnail: none(),
  banner: none(),
  screenshots: noEntries(),
  listed: boolean('Not supported; always false.'),
  ownerFolder: nullable(text('There are no folders; always null.')),
  protected: boolean('Whether the item cannot be deleted.'),
  numComments: zero(),
  numRatings: zero(),
  avgRating: zero(),
  numViews: zero(),
  scoreCompleteness: zero(),
  groupDesignations: none(),
  contentStatus: none(),
  lastViewed: integer('Not recorded; always -1.', -1),
} as const

export const itemControl = nullable(
  choice(
    ['admin', 'update'],
    'What the caller may do with the item: everything, or change it; null for neither. Absent for an anonymous caller.',
  ),
)

export const itemShape = component('Item', 'An item.', object(itemMembers, { itemControl, ...canMember }))
export type WireItem = ValueOf<typeof itemShape>

export function itemToWire({ item, isOrgItem, control }: ItemView): WireItem {
  return {
    id: item.itemId,
    owner: item.ownerUsername,
    orgId: item.portalId,
    created: item.createdAt,
    isOrgItem,
    modified: item.modifiedAt,
    guid: null,
    name: null,
    title: item.title,
    type: item.type,
    typeKeywords: item.typeKeywords,
    description: item.description || null,
    tags: item.tags,
    snippet: item.snippet || null,
    thumbnail: null,
    documentation: item.documentation || null,
    extent: item.extent ? cornersOf(item.extent) : [],
    categories: item.categories,
    spatialReference: item.spatialReference || null,
    accessInformation: item.accessInformation || null,
    licenseInfo: item.licenseInfo || null,
    culture: item.culture || null,
    properties: item.properties === undefined ? null : JSON.parse(item.properties),
    url: item.url || null,
    proxyFilter: null,
    access: item.access,
    size: item.size,
    appCategories: [],
    industries: [],
    languages: [],
    largeThumbnail: null,
    banner: null,
    screenshots: [],
    listed: false,
    ownerFolder: null,
    protected: item.isProtected,
    numComments: 0,
    numRatings: 0,
    avgRating: 0,
    numViews: 0,
    scoreCompleteness: 0,
    groupDesignations: null,
    contentStatus: null,
    lastViewed: -1,
    ...(control === undefined ? {} : { itemControl: control }),
  }
}

function cornersOf([west, south, east, north]: Extent) {
  return [
    [west, south],
    [east, north],
  ]
}

export const addedItemShape = object(
  { success: constant(true), id: id(), folder: nullable(text('There are no folders; always null.')) },
  { unrecognizedCategories: list(text(), 'Paths that the category schema does not have; they were left off.') },
)

/** Answer of a change of an item (documented): some name the id otherwise. */
export const changedItemShape = successShapeWith({ id: id() })
export const namedItemShape = successShapeWith({ itemId: id() })
