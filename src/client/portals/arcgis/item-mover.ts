import { followMoves } from '../../../categories/moves.ts'
import { CommandError, refused } from '../../failure.ts'
import { type Connection, isSignInRefused } from '../../network/connection.ts'
import { AnswerLost } from '../../network/transport.ts'
import { type FoundItem, type ItemSearch, isBelowAny } from '../item-search.ts'
import { maxWritten, writeCategories } from '../item-writer.ts'
import type { Place } from '../place.ts'
import type { MovedItem, MoveJournal } from './move-journal.ts'

/** Searches, one after the other, that have to find nothing left: an index may lag behind what is written. */
const quietRounds = 2
/** Rounds of searching again, milliseconds before the next one at most, and attempts to write one item (chosen). */
const [maxRounds, maxDelay, maxAttempts] = [20, 10_000, 3]
/** Items that were changed so long before the first listing may have been missing in the index, in milliseconds (chosen). */
const indexLag = 15 * 60_000

/** Gives items of moved paths their new paths, until none is left behind. */
export class ItemMover {
  readonly #connection: Connection
  readonly #search: ItemSearch
  readonly #place: Place
  readonly #journal: MoveJournal
  readonly #follow: (path: string) => string
  readonly #attempts = new Map<string, number>()
  /** Why items could not be moved, by id. */
  readonly #failed = new Map<string, string>()
  /** Items that the index shows as they have to be. */
  readonly #seen = new Set<string>()

  constructor(connection: Connection, search: ItemSearch, place: Place, journal: MoveJournal) {
    this.#connection = connection
    this.#search = search
    this.#place = place
    this.#journal = journal
    this.#follow = followMoves(journal.head.moves)
  }

  async run(): Promise<void> {
    try {
      await this.#writeAll()
      await this.#lookUntilQuiet()
    } catch (error) {
      if (!(error instanceof CommandError || error instanceof AnswerLost)) throw error
      const { written, items } = this.#journal
      const message = `${error.message} ${written.size} of ${items.size} items have their new paths; the same command resumes.`
      if (!(error instanceof CommandError)) throw refused(message)
      throw new CommandError(isSignInRefused(error) ? 2 : 1, message, error)
    }
    if (this.#failed.size > 0) {
      const named = [...this.#failed].map(([id, why]) => `${this.#journal.items.get(id)?.title ?? ''} (${id}): ${why}`)
      throw refused(`${this.#failed.size} of ${this.#journal.items.size} items were not moved.`, named)
    }
    this.#journal.remove()
  }

  async #writeAll(): Promise<void> {
    const left = this.#journal.left.filter(({ id }) => !this.#failed.has(id))
    for (let at = 0; at < left.length; at += maxWritten) await this.#write(left.slice(at, at + maxWritten))
  }

  async #write(items: readonly MovedItem[]): Promise<void> {
    // Repeatable: the list replaces what the item has.
    for (const [id, problem] of await writeCategories(this.#connection, this.#place, items, true)) {
      this.#failed.set(id, problem)
    }
    this.#journal.note([items.flatMap(({ id }) => (this.#failed.has(id) ? [] : id))])
  }

  async #lookUntilQuiet(): Promise<void> {
    let quiet = 0
    for (let round = 0; quiet < quietRounds; round += 1) {
      const behind = await this.#findBehind()
      quiet = behind.length === 0 ? quiet + 1 : 0
      const open = await this.#mend(behind)
      if (round >= maxRounds) {
        for (const id of open) this.#failed.set(id, 'its new paths do not read back.')
        return
      }
      if (quiet < quietRounds) await this.#connection.wait(Math.min(1_000 * 2 ** round, maxDelay))
    }
  }

  /** Items that the index does not show as they have to be. */
  async #findBehind(): Promise<readonly string[]> {
    const { items, head } = this.#journal
    const open = [...items.keys()].filter((id) => !this.#seen.has(id) && !this.#failed.has(id))
    const indexed = await this.#search.findEach(this.#place, open)
    for (const id of open) {
      const item = indexed.get(id)
      if (item && this.#isDone(item)) this.#seen.add(id)
    }
    const waiting = open.filter((id) => !this.#seen.has(id))
    if (head.gone.length === 0) return waiting
    const left = await this.#search.list(this.#place, head.gone)
    // Lost paths may find nothing any more: then an item shows itself only by having been changed.
    const isQuiet = waiting.length === 0 && left.every((item) => this.#isKept(item))
    const changed = isQuiet ? await this.#search.listChangedSince(this.#place, head.begun - indexLag) : []
    const found = [...left, ...changed].filter((item) => !this.#isKept(item) && !this.#failed.has(item.id))
    return [...new Set([...waiting, ...found.map(({ id }) => id)])]
  }

  /** Reads each as it is, and writes what is not as it has to be. Returns those that are not known to be. */
  async #mend(behind: readonly string[]): Promise<readonly string[]> {
    const isStored = this.#place.groupId === undefined
    const [again, open]: [MovedItem[], string[]] = [[], []]
    const indexed = isStored ? undefined : await this.#search.findEach(this.#place, behind)
    for (const id of behind) {
      const item = indexed ? indexed.get(id) : await this.#search.read(this.#place, id)
      const task = this.#journal.items.get(id)
      if (!item) {
        // Deleted since, or no more in the group.
        this.#seen.add(id)
        continue
      }
      if (this.#isDone(item)) continue
      const attempts = this.#attempts.get(id) ?? 0
      this.#attempts.set(id, attempts + 1)
      if (isStored && attempts >= maxAttempts) {
        this.#failed.set(id, 'the portal says success, and its new paths do not read back.')
        continue
      }
      open.push(id)
      const { gone } = this.#journal.head
      const kept = item.categories.map((path) => (isBelowAny(path, gone) ? this.#follow(path) : path))
      again.push({ id, title: item.title, to: [...new Set([...kept, ...(task?.to ?? [])])] })
    }
    this.#journal.note(again)
    await this.#writeAll()
    return open
  }

  /** Whether it has all paths that it gets, and none that is gone. */
  #isDone(item: FoundItem): boolean {
    const to = this.#journal.items.get(item.id)?.to ?? []
    return to.every((path) => item.categories.includes(path)) && this.#isKept(item)
  }

  #isKept({ id, categories }: FoundItem): boolean {
    const { items, head } = this.#journal
    return categories.every((path) => !isBelowAny(path, head.gone) || items.get(id)?.to.includes(path) === true)
  }
}

/** The items of a change that move, as they have to be then. */
export function movedItems(found: readonly FoundItem[], follow: (path: string) => string): readonly MovedItem[] {
  return found.flatMap(({ id, title, categories }) => {
    const to = [...new Set(categories.map(follow))]
    return categories.some((path) => follow(path) !== path) ? [{ id, title, to }] : []
  })
}
