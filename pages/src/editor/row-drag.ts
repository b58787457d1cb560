import { command } from './model/command.ts'
import type { Outcome } from './model/editing.ts'
import type { Target } from './model/places.ts'

/** Tree whose rows are dragged. */
interface Tree extends EventTarget {
  readonly renderRoot: ParentNode
  /** Whether a category may be dropped at a target. */
  readonly tryMove: (key: string, target: Target) => Outcome
}

/** A drag of a row, from its start to its drop. The target is marked on the rows themselves: it renders nothing. */
export class RowDrag {
  readonly #tree: Tree
  #dragged: string | undefined
  #drop: { readonly element: HTMLElement; readonly target: Target } | undefined

  constructor(tree: Tree) {
    this.#tree = tree
  }

  readonly start = (event: DragEvent) => {
    const element = rowOf(event)
    const key = element?.dataset['key']
    if (!element || !key || !event.dataTransfer) return
    this.#dragged = key
    element.dataset['dragged'] = ''
    event.dataTransfer.effectAllowed = 'move'
    event.dataTransfer.setData('text/plain', element.querySelector('.title')?.textContent ?? '')
  }

  readonly over = (event: DragEvent) => {
    const key = this.#dragged
    const element = rowOf(event) ?? (event.currentTarget as HTMLElement)
    if (!key || element.role === 'tree') return
    const target = targetAt(event, element)
    const outcome = this.#tree.tryMove(key, target)
    this.#mark(element, target, outcome)
    if (outcome !== 'changed') return
    event.preventDefault()
    event.dataTransfer!.dropEffect = 'move'
  }

  readonly leave = (event: DragEvent) => {
    const to = event.relatedTarget
    if (this.#drop && !(to instanceof Element && this.#drop.element.contains(to)))
      delete this.#drop.element.dataset['drop']
  }

  readonly drop = (event: DragEvent) => {
    const key = this.#dragged
    const target = this.#drop?.target
    this.end()
    if (!key || !target) return
    event.preventDefault()
    command(this.#tree, { do: 'move', key, target })
  }

  readonly end = () => {
    for (const element of this.#tree.renderRoot.querySelectorAll<HTMLElement>('[data-dragged], [data-drop]')) {
      delete element.dataset['dragged']
      delete element.dataset['drop']
    }
    this.#dragged = undefined
    this.#drop = undefined
  }

  #mark(element: HTMLElement, target: Target, outcome: Outcome): void {
    if (this.#drop && this.#drop.element !== element) delete this.#drop.element.dataset['drop']
    this.#drop = { element, target }
    const place = target.where === 'end' ? 'before' : target.where
    const shown = typeof outcome === 'object' ? 'refused' : outcome === 'changed' ? place : undefined
    if (shown === undefined) delete element.dataset['drop']
    else if (element.dataset['drop'] !== shown) element.dataset['drop'] = shown
  }
}

/** Row in which an event occurred. */
export function rowOf(event: Event): HTMLElement | undefined {
  return event.composedPath().find((target) => target instanceof HTMLElement && target.role === 'treeitem') as
    | HTMLElement
    | undefined
}

/**
 * Target of a drop: the upper quarter of a row is before it, the lower one behind it, the rest inside it; below all rows is the
 * end.
 */
function targetAt({ clientY }: DragEvent, element: HTMLElement): Target {
  const key = element.dataset['key']
  if (key === undefined) return { where: 'end' }
  const { top, height } = element.getBoundingClientRect()
  const share = (clientY - top) / height
  return { where: share < 0.25 ? 'before' : share > 0.75 ? 'after' : 'inside', key }
}
