import type { SchemaLimits } from '../../../../src/categories/limits.ts'
import type { Category } from '../../../../src/categories/schema.ts'
import { findExceeded, type Limit } from './counts.ts'
import {
  changeTexts,
  duplicateNode,
  insertNodes,
  listTops,
  mergeCategories,
  mergeNode,
  moveNodes,
  removeNode,
  replaceByNode,
  type Texts,
} from './edits.ts'
import { haveEqualTexts, type Moment } from './kept-timeline.ts'
import { type KeyMaker, listNodes, makeKeys, makeNode, readNodes, type Trees } from './node.ts'
import { findPlace, neighbourOf, type Place, type Step, type Target, targetOfStep } from './places.ts'
import { amendPresent, endEdit, redoStep, startTimeline, type Timeline, takeStep, undoStep } from './timeline.ts'

/** Outcome of an edit: `exceeded` names the limit that it is refused for; then nothing has changed. */
export type Outcome = 'changed' | 'unchanged' | { readonly exceeded: Limit }

/** Placement of pasted categories. */
export type PasteMode = 'inside' | 'after' | 'merge' | 'replace'

/** `whole`: what is below a merged category goes along. `items`: it is removed, and only its items go along, and theirs. */
export type MergeMode = 'whole' | 'items'

/** A category schema that one person edits: the trees, the selection, and the undo history. */
export class Editing {
  readonly limits: SchemaLimits
  readonly #makeKey: KeyMaker
  #timeline: Timeline<Moment>

  /** A kept undo history continues if these trees are its present ones. */
  constructor(trees: Trees, limits: SchemaLimits, kept?: Timeline<Moment>) {
    this.limits = limits
    this.#timeline =
      kept && haveEqualTexts(kept.present.trees, trees) ? kept : startTimeline({ trees, selected: trees[0]?.key })
    this.#makeKey = makeKeys('n', keysOf(this.#timeline))
  }

  /** Undo history, to be kept. */
  get timeline(): Timeline<Moment> {
    return this.#timeline
  }

  get trees(): Trees {
    return this.#timeline.present.trees
  }

  get selected(): string | undefined {
    return this.#timeline.present.selected
  }

  get canUndo(): boolean {
    return this.#timeline.past.length > 0
  }

  get canRedo(): boolean {
    return this.#timeline.future.length > 0
  }

  /** Selected category and its surroundings. */
  get place(): Place | undefined {
    return this.selected === undefined ? undefined : findPlace(this.trees, this.selected)
  }

  /** Selects a category; adds no undo step, and ends typing in the field of another category. */
  select(key: string | undefined): void {
    if (key === this.selected || (key !== undefined && !findPlace(this.trees, key))) return
    this.#timeline = amendPresent(endEdit(this.#timeline), { trees: this.trees, selected: key })
  }

  /** Makes the next typed letter a separate undo step. */
  endTyping(): void {
    this.#timeline = endEdit(this.#timeline)
  }

  /** Adds a category and selects it. */
  add(target: Target, title = ''): Outcome {
    const node = makeNode(this.#makeKey(), title)
    return this.#take(insertNodes(this.trees, [node], target), node.key)
  }

  /** Changes texts; uninterrupted typing in one field is one undo step. */
  change(key: string, texts: Texts): Outcome {
    return this.#take(changeTexts(this.trees, key, texts), this.selected, `${Object.keys(texts).join()} ${key}`)
  }

  remove(...keys: readonly string[]): Outcome {
    let { trees, selected } = this
    for (const { key } of this.#topsOf(keys)) {
      const place = findPlace(trees, key)!
      if (selected !== undefined && findPlace([place.node], selected)) selected = neighbourOf(place)
      trees = removeNode(trees, key)
    }
    return this.#take(trees, selected)
  }

  /** Moves one category, or several together, which keep their order. */
  move(keys: string | readonly string[], target: Target): Outcome {
    const moved = [keys].flat()
    const isSelectedMoved = this.selected !== undefined && moved.includes(this.selected)
    return this.#take(this.#moved(keys, target), isSelectedMoved ? this.selected : moved[0])
  }

  /** Checks a move without making it; `changed` if it is possible. */
  tryMove(keys: string | readonly string[], target: Target): Outcome {
    return this.#judge(this.#moved(keys, target))
  }

  /** Merges categories into another one, which is then selected: their items follow. */
  merge(keys: readonly string[], into: string, mode: MergeMode): Outcome {
    return this.#take(this.#merged(keys, into, mode), into)
  }

  /** Outcome that `merge` would have. */
  tryMerge(keys: readonly string[], into: string, mode: MergeMode): Outcome {
    return this.#judge(this.#merged(keys, into, mode))
  }

  step(key: string, step: Step): Outcome {
    const place = findPlace(this.trees, key)
    const target = place && targetOfStep(place, step)
    return target ? this.move(key, target) : 'unchanged'
  }

  duplicate(key: string): Outcome {
    const { trees, copy } = duplicateNode(this.trees, key, this.#makeKey)
    return this.#take(trees, copy)
  }

  paste(categories: readonly Category[], mode: PasteMode): Outcome {
    const trees = this.#pasted(categories, mode)
    const before = new Set(listNodes(this.trees).map(({ key }) => key))
    return this.#take(trees, listNodes(trees).find(({ key }) => !before.has(key))?.key ?? this.selected)
  }

  /** Outcome that `paste` would have. */
  tryPaste(categories: readonly Category[], mode: PasteMode): Outcome {
    return this.#judge(this.#pasted(categories, mode))
  }

  undo(): boolean {
    return this.#goTo(undoStep(this.#timeline))
  }

  /** Undoes everything since these trees; nothing if they are no longer in the history. */
  undoTo(trees: Trees): void {
    if (!this.#timeline.past.some((moment) => moment.trees === trees)) return
    while (this.trees !== trees && this.undo()) {}
  }

  redo(): boolean {
    return this.#goTo(redoStep(this.#timeline))
  }

  #topsOf(keys: readonly string[]): Trees {
    return listTops(this.trees, new Set(keys))
  }

  #moved(keys: string | readonly string[], target: Target): Trees {
    return moveNodes(this.trees, this.#topsOf([keys].flat()), target)
  }

  #merged(keys: readonly string[], into: string, mode: MergeMode): Trees {
    const merge = mode === 'whole' ? mergeNode : replaceByNode
    const tops = this.#topsOf(keys.filter((key) => key !== into))
    if (tops.some((node) => findPlace([node], into))) return this.trees
    return tops.reduce((trees, { key }) => merge(trees, key, into), this.trees)
  }

  #pasted(categories: readonly Category[], mode: PasteMode): Trees {
    if (mode === 'merge') return mergeCategories(this.trees, categories, this.#makeKey)
    const nodes = readNodes(categories, this.#makeKey)
    if (mode === 'replace') return nodes
    const key = this.selected
    return insertNodes(this.trees, nodes, key === undefined ? { where: 'end' } : { where: mode, key })
  }

  #take(trees: Trees, selected: string | undefined, edit?: string): Outcome {
    const outcome = this.#judge(trees)
    if (outcome === 'changed') this.#timeline = takeStep(this.#timeline, { trees, selected }, edit)
    return outcome
  }

  #judge(trees: Trees): Outcome {
    if (trees === this.trees) return 'unchanged'
    const exceeded = findExceeded(this.trees, trees, this.limits)
    return exceeded ? { exceeded } : 'changed'
  }

  #goTo(timeline: Timeline<Moment> | undefined): boolean {
    if (timeline) this.#timeline = timeline
    return timeline !== undefined
  }
}

function keysOf({ past, present, future }: Timeline<Moment>): ReadonlySet<string> {
  return new Set([...past, present, ...future].flatMap(({ trees }) => listNodes(trees)).map(({ key }) => key))
}
