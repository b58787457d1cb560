/** Content of an organization: a web map, an app, a document that is described here and stored elsewhere. */
export interface Item {
  /** 32 lower-case hex characters. Never reused. */
  readonly itemId: string
  readonly portalId: string
  readonly ownerId: string
  readonly ownerUsername: string
  readonly title: string
  readonly type: string
  readonly typeKeywords: readonly string[]
  readonly tags: readonly string[]
  readonly snippet: string
  readonly description: string
  readonly documentation: string
  readonly accessInformation: string
  readonly licenseInfo: string
  readonly culture: string
  readonly spatialReference: string
  readonly url: string
  /** Undefined without an extent. */
  readonly extent: Extent | undefined
  /** A JSON object as text; undefined without one. */
  readonly properties: string | undefined
  /** As set by its owner; links to groups are stored beside it. */
  readonly level: ItemLevel
  /** What is shown: `shared` where the level is private and at least one group has the item. */
  readonly access: ItemAccess
  readonly isProtected: boolean
  /** Bytes of its data in UTF-8; 0 without data. */
  readonly size: number
  /** Paths of the organization's categories, in the order in which they were assigned. */
  readonly categories: readonly string[]
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly modifiedAt: number
}

/** In degrees (WGS 84). */
export type Extent = readonly [west: number, south: number, east: number, north: number]

export const itemLevels = ['private', 'org', 'public'] as const
export type ItemLevel = (typeof itemLevels)[number]
export type ItemAccess = ItemLevel | 'shared'
