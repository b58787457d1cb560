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
  /** Set by its owner; links to groups are stored beside it. */
  readonly level: ItemLevel
  /** Level as shown: `shared` where the level is private and at least one group has the item. */
  readonly access: ItemAccess
  readonly isProtected: boolean
  /** Bytes of its data in UTF-8; 0 without data. */
  readonly size: number
  /** Bytes that count for its owner and its organization, by `countedBytes`. */
  readonly bytes: number
  /** Paths of the organization's categories, in the order in which they were assigned. */
  readonly categories: readonly string[]
  /** Epoch milliseconds. */
  readonly createdAt: number
  readonly modifiedAt: number
}

/** Degrees (WGS 84). */
export type Extent = readonly [west: number, south: number, east: number, north: number]

export const itemLevels = ['private', 'org', 'public'] as const
export type ItemLevel = (typeof itemLevels)[number]
export type ItemAccess = ItemLevel | 'shared'

/** Properties of an item that its owner sets. */
export type ItemProperties = Pick<
  Item,
  | 'title'
  | 'type'
  | 'typeKeywords'
  | 'tags'
  | 'snippet'
  | 'description'
  | 'documentation'
  | 'accessInformation'
  | 'licenseInfo'
  | 'culture'
  | 'spatialReference'
  | 'url'
  | 'extent'
  | 'properties'
>

/** Lengths in UTF-16 code units, sizes in bytes of UTF-8 (documented, but for those that say otherwise). */
export const itemLimits = {
  title: 256,
  /** Chosen. */
  type: 128,
  /** Chosen, for each text without a limit of its own. */
  text: 2_048,
  descriptionBytes: 64 * 1024,
  /** Chosen. */
  licenseInfoBytes: 64 * 1024,
  /** Chosen. */
  propertiesBytes: 64 * 1024,
  tags: 128,
  /** Chosen. */
  tag: 128,
  typeKeywords: 128,
  typeKeyword: 256,
  categories: 20,
  itemsInOneCall: 100,
  /** Chosen. */
  groupsInOneCall: 100,
} as const

/** Rules of the lists that several ways into an operation read. */
export const tagRules = { max: itemLimits.tags, maxLength: itemLimits.tag } as const
export const groupIdRules = { max: itemLimits.groupsInOneCall, maxLength: 64 } as const

/** Defaults of a new item; title and type are required. */
export const itemDefaults = {
  typeKeywords: [],
  tags: [],
  snippet: '',
  description: '',
  documentation: '',
  accessInformation: '',
  licenseInfo: '',
  culture: '',
  spatialReference: '',
  url: '',
  extent: undefined,
  properties: undefined,
} as const satisfies Omit<ItemProperties, 'title' | 'type'>

/** Schemes with which an item's address is kept (chosen): pages of others may make a link of it, and a browser executes others. */
const schemes = ['http', 'https', 'mailto']

/** Problem of an item's address; undefined without one. Clients write relative addresses and placeholders (observed). */
export function findAddressProblem(address: string): string | undefined {
  // A browser passes over the characters in front, and over line breaks and tabs anywhere.
  const [, scheme] = /^[\s\p{Cc}]*([a-z][a-z0-9+.-]*):/iu.exec(address.replace(/[\t\n\r]/g, '')) ?? []
  if (scheme === undefined || schemes.includes(scheme.toLowerCase())) return undefined
  return `has the scheme ${scheme.toLowerCase()}; an address is relative, or has one of http, https and mailto.`
}
