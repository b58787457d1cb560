import { pathsOfOrigin } from '../drafts/origin.ts'
import { type SchemaOwner, schemaPath } from '../owners/owners.ts'
import type { PresentSchema } from '../schemas/answers.ts'
import { type CountedPath, type CountOf, maxCounts, readCounts } from '../schemas/item-counts.ts'
import { checkPermission, readOwnerTitle, readPresent } from '../schemas/requests.ts'
import { call, callNewer, signedIn } from '../session/session.ts'
import type { Schedule } from './model/due-work.ts'
import type { Node } from './model/node.ts'
import type { LoadedSchema, Opened } from './model/open-draft.ts'

export async function openSchema(owner: SchemaOwner, signal: AbortSignal): Promise<Opened> {
  const [present, ownerName, { allowed, reason }] = await Promise.all([
    readPresent(owner, signal),
    readOwnerTitle(owner, signal),
    checkPermission(owner, 'assignPortalCategorySchema', 'assignGroupCategorySchema', signal),
  ])
  return { schema: loadedOf(present), ownerName, refusal: allowed ? undefined : reason }
}

/** Returns the function that reads the published schema, and gives undefined while it is the same as at its last call. */
export function readerOf(owner: SchemaOwner): () => Promise<LoadedSchema | undefined> {
  let unless: string | undefined
  return async () => {
    const read = await callNewer<PresentSchema>(schemaPath(owner), { withVersion: true }, { unless })
    if (!read) return undefined
    unless = read.tag
    return loadedOf(read.answer)
  }
}

function loadedOf({ categorySchema, version, modified, modifiedBy }: PresentSchema): LoadedSchema {
  return { categorySchema, version: version ?? 0, modified: modified ?? undefined, modifiedBy: modifiedBy ?? undefined }
}

/** Counts items by the paths of the published schema that they have; undefined where the search does not count them. */
export async function loadItemCounts(owner: SchemaOwner, signal?: AbortSignal): Promise<CountOf> {
  const path = owner.kind === 'organization' ? '/search' : `/content/groups/${encodeURIComponent(owner.id)}/search`
  const filter = owner.kind === 'organization' ? `orgid:"${signedIn()?.portal.id ?? ''}"` : undefined
  const { aggregations } = await call<CountedItems>(
    path,
    { filter, num: 0, countFields: 'categories', countSize: maxCounts },
    { signal },
  )
  return readCounts(aggregations?.counts[0]?.fieldValues ?? [])
}

interface CountedItems {
  readonly aggregations?: { readonly counts: readonly { readonly fieldValues: readonly CountedPath[] }[] }
}

/**
 * Counts items of a category, by the paths that it and those merged into it have in the published schema. Undefined for a new
 * category, where items are not counted, and in a draft that is based on another version.
 */
export function countItemsOf(
  countOf: CountOf | undefined,
  baseVersion: number,
  version: number,
): (node: Node) => number | undefined {
  if (!countOf || baseVersion !== version) return () => undefined
  return ({ origin }) => {
    const counts = pathsOfOrigin(origin).map(countOf)
    if (counts.length === 0 || counts.includes(undefined)) return undefined
    return counts.reduce<number>((sum, count = 0) => sum + count, 0)
  }
}

/** Runs work once the next frame is painted. */
export const afterFrame: Schedule = (work) => {
  let timer: ReturnType<typeof setTimeout> | undefined
  const frame = requestAnimationFrame(() => {
    timer = setTimeout(work)
  })
  return () => {
    cancelAnimationFrame(frame)
    clearTimeout(timer)
  }
}

/** Runs work a quarter of a second later (chosen): limits how often a draft is stored while a person types. */
export const afterPause: Schedule = (work) => {
  const timer = setTimeout(work, 250)
  return () => clearTimeout(timer)
}
