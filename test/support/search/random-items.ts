import type { Item } from '../../../src/items/item.ts'
import type { ItemViewer } from '../../../src/items/search/item-search.ts'
import type { Stores } from '../../../src/storage/storage.ts'
import { aGroup, anId, anItem, aPortal, aUser, noon } from '../../storage/contract/records.ts'
import type { ItemInMemory, MembersInMemory } from './naive-search.ts'

/** Draws what is random from one seeded source. */
export class Draw {
  readonly #random: () => number

  constructor(random: () => number) {
    this.#random = random
  }

  below(count: number): number {
    return Math.floor(this.#random() * count)
  }

  one<Value>(of: readonly Value[]): Value {
    return of[this.below(of.length)]!
  }

  some<Value>(max: number, draw: () => Value): Value[] {
    return Array.from({ length: this.below(max + 1) }, draw)
  }

  /** True once in so many times. */
  once(times: number): boolean {
    return this.below(times) === 0
  }
}

export const portals = ['PortalOfMaps0001', 'PortalOfMaps0002'] as const
export const users = Array.from({ length: 8 }, (_, at) => ({
  userId: anId(0x1000 + at),
  username: ['Anna', 'bert', 'CARLA', 'dörte', 'emil.e', 'fritz_f', 'gina@example.org', 'hugo-h'][at]!,
  portalId: portals[at % 2]!,
}))
export const groups = Array.from({ length: 6 }, (_, at) => anId(0x2000 + at))

/** Words that fold to others, that are beginnings of others, and that no tokenizer parts alike. */
export const vocabulary = [
  'Lakes',
  'lake',
  'LÁKES',
  'Łódź',
  'river',
  'Rivers',
  'land-use',
  'land',
  'use',
  '2020',
  '№ 5',
  'straße',
  'STRASSE',
  'İstanbul',
  '日本',
  '日本語',
  '👩‍🚀',
  'data',
  'Data.v2',
  "it's",
  'ﬁre',
  'fire',
  'fires',
  'ΟΔΟΣ',
  'odos',
  'e\u0301t\u00e9',
  'x',
  'not',
  'AND',
  '_',
]
export const types = ['Web Map', 'web map', 'Web Mapping Application', 'Feature Service', 'PDF', 'Carte «Été»']
const trees = ['Categories', 'categories', 'Region']
const titles = ['Water', 'water', 'Land use', 'Lakes', 'Rivers and Lakes', 'Roads', 'Łódź']

export function drawText(draw: Draw, max: number): string {
  return draw.some(max, () => draw.one(vocabulary)).join(draw.one([' ', ' ', ', ', '-', '/']))
}

export function drawPath(draw: Draw): string {
  return `/${[draw.one(trees), ...draw.some(2, () => draw.one(titles))].join('/')}`
}

function drawPaths(draw: Draw): readonly string[] {
  return draw.once(3) ? [] : [...new Set(draw.some(4, () => drawPath(draw)))]
}

/** An item as it is written. */
export function drawItem(draw: Draw, number: number): Omit<Item, 'ownerUsername' | 'access'> {
  const owner = draw.one(users)
  const [west, south] = [draw.below(360) - 180, draw.below(180) - 90]
  return anItem({
    itemId: anId(draw.below(2 ** 20) * 2 ** 20 + number),
    portalId: owner.portalId,
    ownerId: owner.userId,
    title: drawText(draw, 4) || 'untitled',
    type: draw.one(types),
    typeKeywords: draw.some(4, () =>
      draw.one(['Map', 'slug|a_b', 'JavaScript', 'Ready To Use', drawText(draw, 2) || 'k']),
    ),
    tags: [...new Set(draw.some(4, () => drawText(draw, 2)))].filter((tag) => tag !== ''),
    snippet: drawText(draw, 5),
    description: drawText(draw, 30),
    accessInformation: drawText(draw, 2),
    licenseInfo: drawText(draw, 3),
    culture: draw.one(['', 'en', 'en-us', 'de']),
    spatialReference: draw.one(['', '4326', 'WGS 84']),
    url: draw.once(2) ? '' : 'https://maps.example.org/',
    level: draw.one(['private', 'private', 'org', 'public']),
    categories: drawPaths(draw),
    extent: draw.once(3) ? undefined : [west, south, west + draw.below(40), south + draw.below(40)],
    // Many at the same moment.
    createdAt: noon + draw.below(20),
    modifiedAt: noon + draw.below(40),
  })
}

/** People and groups. */
export async function addWorld({ directory }: Stores, draw: Draw): Promise<MembersInMemory> {
  for (const portalId of portals)
    await directory.addPortal(aPortal({ portalId, urlKey: portalId.toLowerCase() }), {
      publicKey: '{}',
      sealedPrivateKey: 's',
    })
  for (const user of users) await directory.addUser(aUser(user), 'hash')
  const members = new Map<string, string[]>()
  for (const [at, groupId] of groups.entries()) {
    const owner = users[at]!
    await directory.addGroup(aGroup({ groupId, portalId: owner.portalId, ownerId: owner.userId }))
    for (const { userId } of users) {
      if (!draw.once(3)) continue
      await directory.putMember(groupId, { userId, memberType: 'member', joinedAt: noon })
      members.set(userId, [...(members.get(userId) ?? []), groupId])
    }
  }
  return members
}

/** Adds an item, and shares it with groups. */
export async function addDrawn({ items }: Stores, draw: Draw, number: number): Promise<ItemInMemory> {
  const item = drawItem(draw, number)
  await items.addItem(item)
  const shared = new Map<string, readonly string[]>()
  if (draw.once(3)) {
    for (const groupId of new Set(draw.some(3, () => draw.one(groups)))) {
      await items.putItemLink(item.itemId, { groupId, givesControl: draw.once(2) })
      const paths = drawPaths(draw)
      await items.putGroupCategories(groupId, [{ itemId: item.itemId, paths }])
      shared.set(groupId, paths)
    }
  }
  const ownerUsername = users.find(({ userId }) => userId === item.ownerId)!.username
  const access = item.level === 'private' && shared.size > 0 ? 'shared' : item.level
  return { item: { ...item, ownerUsername, access }, groups: shared }
}

/** Every user, as a member, as an administrator and without privileges, and an anonymous caller. */
export const viewers: readonly ItemViewer[] = [
  ...portals.map((portalId) => ({
    userId: undefined,
    portalId,
    canViewOrganizationItems: false,
    canViewEveryItem: false,
  })),
  ...users.flatMap(({ userId, portalId }) => [
    { userId, portalId, canViewOrganizationItems: true, canViewEveryItem: false },
    { userId, portalId, canViewOrganizationItems: false, canViewEveryItem: false },
    { userId, portalId, canViewOrganizationItems: true, canViewEveryItem: true },
  ]),
]
