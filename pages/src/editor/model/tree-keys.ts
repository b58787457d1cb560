import type { Command } from './command.ts'
import type { Row } from './rows.ts'

/** Key press in the tree. */
export type Press = Pick<KeyboardEvent, 'key' | 'altKey' | 'shiftKey' | 'ctrlKey' | 'metaKey'>

/** State of the tree that keys depend on. */
export interface KeyContext {
  readonly rows: readonly Row[]
  /** Key of the selected category. */
  readonly selected: string | undefined
  readonly isReadOnly: boolean
  /** Whether a search is shown, in which all rows are open and stay so. */
  readonly isSearching: boolean
  /** Whether texts are written from right to left, which swaps the left and right arrows. */
  readonly isFromTheRight: boolean
}

/** Command of a key that the tree handles; null for a key that does nothing now. */
type Taken = Command | null

/** Maps the keys of a tree (ARIA practices), and those that edit it; undefined for any other key. */
export function readKey(press: Press, context: KeyContext): Taken | undefined {
  const arrow = logicalArrow(press.key, context.isFromTheRight)
  const { rows, selected } = context
  // On a Mac, Command is what Control is elsewhere.
  if (press.ctrlKey || press.metaKey) {
    if (press.altKey || press.key.toLowerCase() !== 'a') return undefined
    return selected === undefined ? null : { do: 'choose', key: selected, how: 'siblings' }
  }
  if (press.altKey) return readMove(arrow, context)
  const at = rows.findIndex(({ node }) => node.key === selected)
  const goTo = (row: Row | undefined): Taken => {
    if (!row) return null
    const { key } = row.node
    return press.shiftKey ? { do: 'choose', key, how: 'range' } : { do: 'select', key }
  }
  if (arrow === 'up') return goTo(rows[at - 1] ?? rows[0])
  if (arrow === 'down') return goTo(rows[at + 1] ?? rows.at(-1))
  if (arrow === 'in' || arrow === 'out') return readSideways(arrow, rows[at], context)
  if (press.key === 'Home') return goTo(rows[0])
  if (press.key === 'End') return goTo(rows.at(-1))
  return readEdit(press, rows[at], context)
}

/** Inwards opens, or selects the first category inside; outwards closes, or selects the parent. */
function readSideways(arrow: 'in' | 'out', row: Row | undefined, { rows, isSearching }: KeyContext): Taken {
  if (!row) return null
  const { key } = row.node
  if (arrow === 'in' && row.isOpen === false) return { do: 'open', key }
  if (arrow === 'out' && row.isOpen && !isSearching) return { do: 'close', key }
  const to = rows.find((other) => (arrow === 'in' ? other.parent === key : other.node.key === row.parent))
  return to ? { do: 'select', key: to.node.key } : null
}

function readMove(arrow: Arrow | undefined, { selected, isReadOnly }: KeyContext): Taken | undefined {
  if (arrow === undefined || selected === undefined || isReadOnly) return undefined
  return { do: 'step', key: selected, step: arrow }
}

function readEdit({ key, shiftKey }: Press, row: Row | undefined, { isReadOnly }: KeyContext): Taken | undefined {
  if (key === 'Enter' && isReadOnly) return { do: 'edit' }
  if (isReadOnly) return undefined
  if (key === 'Enter') return { do: 'add', where: shiftKey ? 'inside' : 'after' }
  if (!row) return undefined
  if (key === 'F2') return { do: 'rename', key: row.node.key }
  if (key === 'Delete' || key === 'Backspace') return { do: 'remove', key: row.node.key }
  return undefined
}

type Arrow = 'up' | 'down' | 'in' | 'out'

/** Inwards is the direction of the text. */
function logicalArrow(key: string, isFromTheRight: boolean): Arrow | undefined {
  if (key === 'ArrowUp') return 'up'
  if (key === 'ArrowDown') return 'down'
  if (key === 'ArrowRight') return isFromTheRight ? 'out' : 'in'
  if (key === 'ArrowLeft') return isFromTheRight ? 'in' : 'out'
  return undefined
}
