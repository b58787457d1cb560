import { isObject } from '../../json-text.ts'
import { CommandError, untried } from '../failure.ts'
import { type Connection, isSignInRefused } from '../network/connection.ts'
import { AnswerLost } from '../network/transport.ts'
import type { FoundItem, ItemSearch } from './item-search.ts'
import type { Place } from './place.ts'

/** Maximum number of items of one call (documented). */
export const maxWritten = 100
/** Attempts to write, and readings after each of them (chosen): an index may lag behind what is written. */
const maxTries = 3

/** Categories that an item is to get. */
export type WantedCategories = Readonly<{ id: string; to: readonly string[] }>

/** Categories of an item that are to be written; `from` is what it carried before. */
export type ItemChange = WantedCategories & Readonly<{ from: readonly string[] }>

/**
 * Writes the categories of the place that 100 items at most are to carry; answers why the portal refuses items, by their ids. One that it
 * is too busy for is no refusal: exit code 2.
 */
export async function writeCategories(
  connection: Connection,
  { groupId }: Place,
  items: readonly WantedCategories[],
  isRepeatable: boolean,
): Promise<ReadonlyMap<string, string>> {
  const path = groupId === undefined ? '/content/updateItems' : `/content/groups/${groupId}/updateCategories`
  const entries = items.map(({ id, to }) => ({ [id]: groupId === undefined ? { categories: to } : to }))
  const answer = await connection.call(path, { items: JSON.stringify(entries) }, { isWrite: true, isRepeatable })
  const results = Array.isArray(answer['results']) ? answer['results'].filter(isObject) : []
  const failed = results.filter(({ success }) => success !== true)
  const busy = failed.find(({ error }) => isObject(error) && (error['code'] === 429 || error['code'] === 503))
  if (busy) throw untried(`${connection.url} is too busy to write ${String(busy['itemId'])}.`)
  return new Map(
    failed.map(({ itemId, error }) => [String(itemId), isObject(error) ? String(error['message']) : 'refused.']),
  )
}

/** Whether two lists have the same paths, in whatever order. */
export function hasSamePaths(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((path) => other.includes(path))
}

/** Writes categories of items by documented operations, and reads them back: a success is what is seen. */
export class ItemWriter {
  readonly #connection: Connection
  readonly #search: ItemSearch
  readonly #place: Place

  constructor(connection: Connection, search: ItemSearch, place: Place) {
    this.#connection = connection
    this.#search = search
    this.#place = place
  }

  /** Gives items their categories; answers why some have not got them, by their ids. A write whose answer is lost is looked for. */
  async write(changes: readonly ItemChange[]): Promise<ReadonlyMap<string, string>> {
    const problems = new Map<string, string>()
    let open = changes
    for (let attempt = 1; open.length > 0; attempt += 1) {
      const lost = await this.#send(open, problems)
      const behind = await this.#findBehind(open.filter(({ id }) => !problems.has(id)))
      if (lost && behind.length > 0 && attempt === maxTries) throw lost
      open = lost ? this.#leaveChanged(behind, problems) : []
      if (!lost)
        for (const { change, item } of behind) problems.set(change.id, item ? notRead : absentFrom(this.#place))
    }
    return problems
  }

  /** Goes on with changes of which a former command may have written some; what others have changed since is left. */
  async resume(changes: readonly ItemChange[]): Promise<ReadonlyMap<string, string>> {
    const problems = new Map<string, string>()
    const open = this.#leaveChanged(await this.#findBehind(changes), problems)
    return new Map([...problems, ...(await this.write(open))])
  }

  /** The error after which it is not known whether the portal has written; undefined where it has answered. */
  async #send(changes: readonly ItemChange[], problems: Map<string, string>): Promise<Error | undefined> {
    try {
      const refused = await writeCategories(this.#connection, this.#place, changes, false)
      for (const [id, problem] of refused) problems.set(id, problem)
      return undefined
    } catch (error) {
      if (error instanceof AnswerLost) return error
      if (error instanceof CommandError && error.exit === 2 && !isSignInRefused(error)) return error
      throw error
    }
  }

  /** Items that do not have what they are to carry, as they are found after several looks. */
  async #findBehind(changes: readonly ItemChange[]): Promise<readonly Behind[]> {
    let behind: readonly Behind[] = changes.map((change) => ({ change, item: undefined }))
    for (let look = 0; behind.length > 0 && look < maxTries; look += 1) {
      if (look > 0) await this.#connection.wait(1_000 * 2 ** (look - 1))
      const ids = behind.map(({ change }) => change.id)
      const indexed = await this.#search.findEach(this.#place, ids)
      const still: Behind[] = []
      for (const { change } of behind) {
        const isDone = (item: FoundItem | undefined) => item !== undefined && hasSamePaths(item.categories, change.to)
        let item = indexed.get(change.id)
        // The index has the categories of groups alone.
        const isStored = this.#place.groupId === undefined
        if (!isDone(item) && isStored) item = await this.#search.read(this.#place, change.id)
        if (!isDone(item)) still.push({ change, item })
      }
      behind = still
    }
    return behind
  }

  /** The changes whose items are as they were before; others are problems. */
  #leaveChanged(behind: readonly Behind[], problems: Map<string, string>): readonly ItemChange[] {
    return behind.flatMap(({ change, item }) => {
      if (item && hasSamePaths(item.categories, change.from)) return change
      problems.set(change.id, item ? changedMeanwhile : absentFrom(this.#place))
      return []
    })
  }
}

/** A change that is not seen, and its item as it is; undefined where it is not found. */
type Behind = Readonly<{ change: ItemChange; item: FoundItem | undefined }>

const notRead = 'the portal says success, and its new categories do not read back.'
export const changedMeanwhile = 'it has been changed since, and is left as it is.'

/** Why an item is not found. */
export function absentFrom({ groupId }: Place): string {
  return groupId === undefined
    ? 'it does not exist, or you may not see it.'
    : 'it is not in the group, or you may not see it.'
}
