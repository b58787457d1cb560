/** Changes of the categories of many items. Without DOM. */

export interface Categorised {
  readonly id: string
  readonly title: string
  /** Present paths. */
  readonly categories: readonly string[]
}

export interface CategoryChange {
  readonly id: string
  readonly title: string
  readonly categories: readonly string[]
}

/** Category lists that replace the present ones; items whose list stays the same are left out. */
export function planCategories(
  items: readonly Categorised[],
  mode: 'add' | 'remove',
  chosen: readonly string[],
): readonly CategoryChange[] {
  return items.flatMap(({ id, title, categories }) => {
    const next =
      mode === 'add'
        ? [...categories, ...chosen.filter((path) => !categories.includes(path))]
        : categories.filter((path) => !chosen.includes(path))
    return next.length === categories.length ? [] : [{ id, title, categories: next }]
  })
}

/** Maximum number of items in a request (documented). */
export const batchSize = 100

/** Reads items by id, in batches; items that are not found are left out. */
export async function readItems<Item extends { readonly id: string }>(
  ids: readonly string[],
  search: (filter: string, num: number) => Promise<{ readonly results: readonly Item[] }>,
): Promise<ReadonlyMap<string, Item>> {
  const found = new Map<string, Item>()
  for (let from = 0; from < ids.length; from += batchSize) {
    const batch = ids.slice(from, from + batchSize)
    const { results } = await search(batch.map((id) => `id:${id}`).join(' OR '), batchSize)
    for (const item of results) found.set(item.id, item)
  }
  return found
}

export interface Refused {
  readonly id: string
  readonly title: string
  /** Message of the server. */
  readonly message: string
}

interface ItemResult {
  readonly itemId: string
  readonly success: boolean
  readonly error?: { readonly message: string }
}

/**
 * Sends the changes in sequential batches; `report` is called after each. Stops between batches if the signal is
 * aborted. Returns the refusals, and the number of changed items.
 */
export async function sendCategories(
  changes: readonly CategoryChange[],
  send: (items: string) => Promise<{ readonly results: readonly ItemResult[] }>,
  report: (done: number) => void,
  signal: AbortSignal,
): Promise<{ readonly changed: number; readonly refused: readonly Refused[] }> {
  const refused: Refused[] = []
  let changed = 0
  for (let from = 0; from < changes.length && !signal.aborted; from += batchSize) {
    const batch = changes.slice(from, from + batchSize)
    const { results } = await send(JSON.stringify(batch.map(({ id, categories }) => ({ [id]: { categories } }))))
    for (const { itemId, success, error } of results) {
      if (success) changed += 1
      else {
        const title = batch.find(({ id }) => id === itemId)?.title ?? itemId
        refused.push({ id: itemId, title, message: error?.message ?? '' })
      }
    }
    report(Math.min(from + batchSize, changes.length))
  }
  return { changed, refused }
}

/** Ids between two rows of a list, both included, in either order: the range of a choice with Shift. */
export function rangeOf(ids: readonly string[], from: string, to: string): readonly string[] {
  const [a, b] = [ids.indexOf(from), ids.indexOf(to)]
  return a < 0 || b < 0 ? [to] : ids.slice(Math.min(a, b), Math.max(a, b) + 1)
}
