import { expect, test } from 'vitest'
import { seededRandom } from '../../support/inputs/seeded-random.ts'
import { countOf, timeoutOf } from '../../support/length.ts'
import { isReplicated, startPortal } from '../../support/portal/portal.ts'
import { type HolderKind, holderKinds } from '../../support/portal/schema-holder.ts'
import { CategoryModel, pathsOf } from './category-model.ts'
import { editTrees } from './random-edits.ts'
import { Stage } from './stages.ts'

const edits = countOf({ sample: isReplicated ? 50 : 150, long: 10_000 })
const editsOfWorld = 25
const maxItems = 8
const titlesOfAll = ['Water', 'Soil', 'Air', 'Roads', 'Rocks', 'Plants', 'Herbs', 'Seas']

/** A server and the model of what it has to show, through the same changes. */
class Pair {
  readonly #stage: Stage
  readonly #random: () => number
  readonly #model = new CategoryModel()
  /** Everything that was done, to tell beside what went wrong. */
  readonly #done: unknown[] = []
  /** Paths that each item showed when the version was replaced. */
  readonly #shown = new Map<number, readonly (readonly string[])[]>()
  /** The version at which each item was given its categories. */
  readonly #givenAt: number[] = []
  readonly seen = { moves: 0, kept: 0, follow: 0, back: 0, stay: 0, stale: 0, together: 0 }

  constructor(stage: Stage, random: () => number) {
    this.#stage = stage
    this.#random = random
  }

  async assign(): Promise<void> {
    const before = this.#model.listItems()
    const { trees, moves, kept } = editTrees(this.#model.trees(), this.#model.listStale(), this.#random)
    await this.#change('assignCategorySchema', { categorySchema: { categorySchema: trees }, moves })
    this.#model.assign(trees, moves)
    this.seen.moves += moves.length
    const after = await this.#compare()
    // Whatever the model makes of the moves: who was in a category is in it, wherever it is now.
    for (const [at, paths] of before.entries()) {
      for (const path of paths.filter((one) => kept.has(one))) {
        expect({ done: this.#done, paths: after[at] }).toEqual({
          done: this.#done,
          paths: expect.arrayContaining([kept.get(path)]),
        })
        this.seen.kept += 1
      }
    }
  }

  async putItems(): Promise<void> {
    const { version } = this.#model
    for (let left = Math.floor(this.#random() * 3); left > 0; left -= 1) {
      const at = Math.floor(this.#random() * Math.min(this.#model.items.length + 1, maxItems))
      const paths = [
        ...new Set(Array.from({ length: 1 + this.#below(3) }, () => this.#pick(pathsOf(this.#model.trees())))),
      ]
      this.#done.push({ item: at, paths })
      await this.#stage.putItem(at, paths)
      this.#model.putItem(at, paths)
      this.#givenAt[at] = version
    }
    this.#shown.set(version, await this.#compare())
  }

  /** Restores a version, if there is an older one. */
  async restore(): Promise<void> {
    const newest = this.#model.version
    if (newest < 2) return
    const version = 1 + this.#below(newest - 1)
    const items = this.#pick(['follow', 'stay'] as const)
    await this.#change(`categorySchema/versions/${version}/restore`, { items })
    this.#model.restore(version, items)
    const shown = await this.#compare()
    this.#shown.set(this.#model.version, shown)
    this.seen[items] += 1
    const earlier = this.#shown.get(version)!
    // Whatever the model makes of the way back: an item that was given nothing since then shows what it showed.
    for (const [at, paths] of items === 'follow' ? earlier.entries() : []) {
      if (this.#givenAt[at]! > version) continue
      expect({ done: this.#done, item: at, paths: shown[at] }).toEqual({ done: this.#done, item: at, paths })
      this.seen.back += 1
    }
  }

  /** Searches by every category that is, was or never was, and the numbers of items of all. */
  async search(): Promise<void> {
    const present = this.#model.listItems().flat()
    const paths = new Set([...pathsOf(this.#model.trees()), ...present, ...titlesOfAll.map((title) => `/${title}`)])
    for (const path of paths) {
      const found = await this.#stage.search(path)
      const expected = { done: this.#done, path, found: this.#model.listItemsUnder(path) }
      expect({ done: this.#done, path, found }).toEqual(expected)
    }
    const counts = await this.#stage.count()
    expect({ done: this.#done, counts }).toEqual({ done: this.#done, counts: this.#model.countItems() })
  }

  async #change(operation: string, parameters: Readonly<Record<string, unknown>>): Promise<void> {
    const { version } = this.#model
    this.#done.push({ operation, ...parameters })
    const answer = await this.#stage.change(operation, { ...parameters, ifVersion: version })
    expect({ done: this.#done, answer }).toEqual({ done: this.#done, answer: { success: true, version: version + 1 } })
  }

  /** Answers what each item shows, which is what the model says. */
  async #compare(): Promise<readonly (readonly string[])[]> {
    const shown = await this.#stage.listItems()
    // Categories that were merged and are separated again have no order.
    const sorted = shown.map((paths) => paths.toSorted())
    const expected = this.#model.listItems().map((paths) => paths.toSorted())
    expect({ done: this.#done, shown: sorted }).toEqual({ done: this.#done, shown: expected })
    this.seen.stale += this.#model.listStale().length
    this.seen.together += this.#model.countTogether()
    return shown
  }

  #below(bound: number): number {
    return Math.floor(this.#random() * bound)
  }

  #pick<Value>(values: readonly Value[]): Value {
    return values[this.#below(values.length)]!
  }
}

test.each<{ kind: HolderKind }>(holderKinds.map((kind) => ({ kind })))(
  'items follow the moves of the $kind, and a restore brings them back',
  { timeout: timeoutOf(edits, 1_000) },
  async ({ kind }) => {
    const random = seededRandom(kind === 'group' ? 2 : 1)
    const seen: Record<string, number> = {}
    for (let world = 0; world < edits / editsOfWorld; world += 1) {
      await using portal = await startPortal()
      const pair = new Pair(await Stage.open(await portal.admin(), kind), random)
      for (let edit = 0; edit < editsOfWorld; edit += 1) {
        await pair.assign()
        await pair.putItems()
        if (random() < 0.15) await pair.restore()
        if (random() < 0.1) await pair.search()
      }
      for (const [what, count] of Object.entries(pair.seen)) seen[what] = (seen[what] ?? 0) + count
    }
    // Counts of two worlds depend on chance.
    for (const [what, count] of edits < 100 ? [] : Object.entries(seen)) {
      expect({ what, isSeen: count > edits / 100 }).toEqual({ what, isSeen: true })
    }
  },
)
