import { defaultsOf, field, type PropertiesOf, type RecordOf } from '../record.ts'
import { say } from '../sentences/say.ts'

/** Degrees (WGS 84). */
export type Extent = readonly [west: number, south: number, east: number, north: number]

export const itemLevels = ['private', 'org', 'public'] as const
export type ItemLevel = (typeof itemLevels)[number]
export type ItemAccess = ItemLevel | 'shared'

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

export const itemFields = {
  itemId: field.id(),
  portalId: field.text(),
  ownerId: field.id(),
  title: field.text(itemLimits.title).given(),
  type: field.text(itemLimits.type).given(),
  typeKeywords: field.texts(itemLimits.typeKeywords, itemLimits.typeKeyword).or([]),
  tags: field.texts(itemLimits.tags, itemLimits.tag).or([]),
  snippet: field.text(itemLimits.text).or(''),
  description: field.text().or(''),
  documentation: field.text(itemLimits.text).or(''),
  accessInformation: field.text(itemLimits.text).or(''),
  licenseInfo: field.text().or(''),
  culture: field.text(itemLimits.text).or(''),
  spatialReference: field.text(itemLimits.text).or(''),
  url: field.text(itemLimits.text).or(''),
  /** A JSON object as text; undefined without one. */
  properties: field.text().optional().or(undefined),
  /** Access that the owner has set; links to groups are stored beside it. */
  level: field.choice(itemLevels),
  isProtected: field.flag(),
  /** Bytes of its data in UTF-8; 0 without data. */
  size: field.number(),
  /** Bytes that count for its owner and its organization, by `countedBytes`. */
  bytes: field.number(),
  createdAt: field.time(),
  modifiedAt: field.time(),
}

/** Content of an organization: a web map, an app, a document that is described here and stored elsewhere. */
export interface Item extends RecordOf<typeof itemFields> {
  readonly ownerUsername: string
  /** Undefined without an extent. */
  readonly extent: Extent | undefined
  /** Level as shown: `shared` where the level is private and at least one group has the item. */
  readonly access: ItemAccess
  /** Paths of the organization's categories, in the order in which they were assigned. */
  readonly categories: readonly string[]
}

/** Properties of an item that its owner sets. */
export interface ItemProperties extends PropertiesOf<typeof itemFields>, Pick<Item, 'extent'> {}

/** Defaults of a new item; title and type are required. */
export const itemDefaults = { ...defaultsOf(itemFields), extent: undefined }

/** Schemes with which an item's address is kept (chosen): pages of others may make a link of it, and a browser executes others. */
const schemes = ['http', 'https', 'mailto']

/** Problem of an item's address; undefined without one. Clients write relative addresses and placeholders (observed). */
export function findAddressProblem(address: string): string | undefined {
  // A browser passes over the characters in front, and over line breaks and tabs anywhere.
  const [, scheme] = /^[\s\p{Cc}]*([a-z][a-z0-9+.-]*):/iu.exec(address.replace(/[\t\n\r]/g, '')) ?? []
  if (scheme === undefined || schemes.includes(scheme.toLowerCase())) return undefined
  return say('schemeNotAllowed', { scheme: scheme.toLowerCase() })
}
