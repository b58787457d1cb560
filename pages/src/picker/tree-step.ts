import { findTyped, type Typing } from '../elements/typing.ts'
import type { Choice } from './choices.ts'

/** Effect of a key press on its row. */
export interface TreeStep {
  /** Row to go to; by default, the same one. */
  readonly to?: Choice
  readonly isOpened?: boolean
  readonly isChosen?: true
}

/** Row of a key press, and its surroundings. */
export interface Pressed {
  readonly rows: readonly Choice[]
  readonly row: Choice
  readonly isOpen: boolean
  /** Whether a search is shown, in which every branch is open and none can be closed. */
  readonly isSearching: boolean
  readonly isFromTheRight: boolean
  readonly typing: Typing
}

/** Maps the keys of a tree (ARIA Authoring Practices); undefined for any other key. */
export function readTreeKey(
  press: { readonly key: string; readonly timeStamp: number },
  { rows, row, isOpen, isSearching, isFromTheRight, typing }: Pressed,
): TreeStep | undefined {
  const from = rows.indexOf(row)
  const rowAt = (at: number) => ({ to: rows[Math.max(0, Math.min(at, rows.length - 1))]! })
  switch (press.key) {
    case 'ArrowDown':
      return rowAt(from + 1)
    case 'ArrowUp':
      return rowAt(from - 1)
    case 'Home':
      return rowAt(0)
    case 'End':
      return rowAt(rows.length - 1)
    case isFromTheRight ? 'ArrowLeft' : 'ArrowRight':
      if (!row.hasChildren) return {}
      return isOpen ? rowAt(from + 1) : { isOpened: true }
    case isFromTheRight ? 'ArrowRight' : 'ArrowLeft':
      if (row.hasChildren && isOpen && !isSearching) return { isOpened: false }
      return row.parent ? { to: row.parent } : {}
    case ' ':
    case 'Enter':
      return { isChosen: true }
  }
  const typed = typing.add(press)
  if (typed === undefined) return undefined
  const found = findTyped(
    rows.map(({ title }) => title),
    typed,
    from,
  )
  return found === undefined ? {} : rowAt(found)
}
