import { sha256Of } from '../../digest.ts'
import { isObject } from '../../json-text.ts'
import type { Answer, Parameters } from '../network/connection.ts'
import { textOf, textsOf } from '../network/facts.ts'
import type { TakeoverPlan } from './takeover-plan.ts'

/** Keywords of an item, one of which says where it comes from (documented: 128). */
const maxKeywords = 128
/** Bytes of data that are taken along (chosen): web maps and apps have less. */
const maxDataBytes = 1024 * 1024

/** Word that an item, or a group as a tag, has from its source: by it, what is made is found again. */
export function wordOf({ from }: Pick<TakeoverPlan, 'from'>, id: string): string {
  return `source:${from.portalId}/${id}`
}

/**
 * Id that an item gets: the target refuses a second one of it, so that nothing is made twice, whatever is sent. It is the same in each
 * run of a plan, and another one in another plan, since the id of a deleted item is never given again.
 */
export function targetIdOf({ keepIds, digest }: TakeoverPlan, sourceId: string): string {
  return keepIds ? sourceId : sha256Of(`${digest}/${sourceId}`).slice(0, 32)
}

export function targetOwnerOf({ owners, owner }: Pick<TakeoverPlan, 'owners' | 'owner'>, sourceOwner: string): string {
  return Object.hasOwn(owners, sourceOwner) ? owners[sourceOwner]! : owner
}

/** Access of its own that an item gets; its groups come besides. */
export function levelOf({ share }: Pick<TakeoverPlan, 'share'>, { access }: Answer): 'private' | 'org' | 'public' {
  return share && (access === 'org' || access === 'public') ? access : 'private'
}

/** Whether an item has a text that comes along: a file has a name, and its data stays where it is. */
export function hasText({ size, name }: Answer): boolean {
  return typeof size === 'number' && size > 0 && size <= maxDataBytes && !name
}

/** Members of an item that are taken as they are. */
export const plainMembers = [
  ...['type', 'snippet', 'description', 'documentation', 'accessInformation', 'licenseInfo', 'culture'],
] as const

/** Parameters by which the target makes the item. */
export function newItemOf(plan: TakeoverPlan, item: Answer, text: string | undefined): Parameters {
  const { portalId, url } = plan.from
  const id = textOf(item['id'])
  const page = `${url}/home/item.html?id=${id}`
  const { properties, created, modified, spatialReference: reference } = item
  const origin = { portalId, itemId: id, url: page, created, modified }
  const own = isObject(properties) ? properties : {}
  return {
    title: textOf(item['title']),
    ...Object.fromEntries(plainMembers.map((name) => [name, textOf(item[name]) || undefined])),
    tags: JSON.stringify(textsOf(item['tags'])),
    typeKeywords: JSON.stringify([...textsOf(item['typeKeywords']).slice(0, maxKeywords - 1), wordOf(plan, id)]),
    extent: extentOf(item),
    spatialReference: isObject(reference) ? JSON.stringify(reference) : textOf(reference) || undefined,
    url: textOf(item['url']) || page,
    properties: JSON.stringify({ ...own, source: origin }),
    categories: JSON.stringify(textsOf(item['categories'])),
    itemIdToCreate: targetIdOf(plan, id),
    text,
  }
}

/** The corners of an item, where they are degrees; ArcGIS keeps others too. */
export function extentOf({ extent }: Answer): string | undefined {
  const numbers: readonly unknown[] = Array.isArray(extent) ? extent.flat() : []
  const [west, south, east, north] = numbers.map(Number) as [number, number, number, number]
  const isEarthly = west >= -360 && east <= 360 && west <= east && south >= -90 && north <= 90 && south <= north
  return numbers.length === 4 && isEarthly ? JSON.stringify(extent) : undefined
}
