import type { WireItem } from '../shapes/items/item.ts'
import { exampleIds, exampleTime } from './examples.ts'

/** The items of the documented examples. */

export const { itemId, secondItemId } = exampleIds

interface ItemOwn {
  readonly id: string
  readonly title: string
  readonly type: string
  readonly tags?: readonly string[]
  readonly typeKeywords?: readonly string[]
  readonly snippet?: string
  readonly extent?: WireItem['extent']
  readonly categories?: readonly string[]
  readonly url?: string
  readonly access?: WireItem['access']
  readonly size?: number
}

/** An item that the administrator owns, as the administrator reads it. */
export function itemOf(own: ItemOwn): WireItem {
  return {
    id: own.id,
    owner: 'admin',
    orgId: exampleIds.portalId,
    created: exampleTime,
    isOrgItem: true,
    modified: exampleTime,
    guid: null,
    name: null,
    title: own.title,
    type: own.type,
    typeKeywords: own.typeKeywords ?? [],
    description: null,
    tags: own.tags ?? [],
    snippet: own.snippet ?? null,
    thumbnail: null,
    documentation: null,
    extent: own.extent ?? [],
    categories: own.categories ?? [],
    spatialReference: null,
    accessInformation: null,
    licenseInfo: null,
    culture: null,
    properties: null,
    url: own.url ?? null,
    proxyFilter: null,
    access: own.access ?? 'private',
    size: own.size ?? 0,
    appCategories: [],
    industries: [],
    languages: [],
    largeThumbnail: null,
    banner: null,
    screenshots: [],
    listed: false,
    ownerFolder: null,
    protected: false,
    numComments: 0,
    numRatings: 0,
    avgRating: 0,
    numViews: 0,
    scoreCompleteness: 0,
    groupDesignations: null,
    contentStatus: null,
    lastViewed: -1,
    itemControl: 'admin',
  }
}

/** Parameters that the first item of the examples is created with. */
export const lakes = {
  title: 'Alpine lakes',
  type: 'Web Map',
  tags: 'water,lakes',
  typeKeywords: 'Map,Online Map',
  snippet: 'Lakes above 1,000 metres',
  extent: '5.9,45.8,10.5,47.8',
  categories: '/Region/Europe/Alps',
  text: '{"baseMap":{"title":"Topography"}}',
} as const

export const itemAnswer = itemOf({
  id: itemId,
  title: lakes.title,
  type: lakes.type,
  tags: ['water', 'lakes'],
  typeKeywords: ['Map', 'Online Map'],
  snippet: lakes.snippet,
  extent: [
    [5.9, 45.8],
    [10.5, 47.8],
  ],
  categories: [lakes.categories],
  access: 'org',
  size: lakes.text.length,
})

/** A private item without groups and categories, for which an app may be registered. */
export const rivers = { title: 'Rivers', type: 'Application', url: 'https://rivers.example.org' } as const
export const secondItemAnswer = itemOf({ id: secondItemId, ...rivers })
