import type { Command } from './command.ts'
import type { Row } from './rows.ts'

/** What of a key press in the tree matters. */
export interface Press {
  readonly key: string
  readonly altKey: boolean
  readonly shiftKey: boolean
}

/** What of the tree matters to keys. */
export interface KeyContext {
  readonly rows: readonly Row[]
  /** Key of the selected category. */
  readonly selected: string | undefined
  readonly isReadOnly: boolean
  /** While a search is shown, all rows are open and stay so. */
  readonly isSearching: boolean
  /** Whether texts are written from right to left, which turns the arrows to the side. */
  readonly isFromTheRight: boolean
}

/** A key that the tree takes, and what it does, if anything. */
export interface Taken {
  readonly command: Command | undefined
}

/** The keys of a tree (ARIA practices), and those that edit it; undefined for a key that is not one of them. */
export function readKey(press: Press, context: KeyContext): Taken | undefined {
  const arrow = logicalArrow(press.key, context.isFromTheRight)
  if (press.altKey) return readMove(arrow, context)
  const { rows, selected } = context
  const at = rows.findIndex(({ node }) => node.key === selected)
  const goTo = (row: Row | undefined): Taken => ({ command: row && { do: 'select', key: row.node.key } })
  if (arrow === 'up') return goTo(rows[at - 1] ?? rows[0])
  if (arrow === 'down') return goTo(rows[at + 1] ?? rows.at(-1))
  if (arrow === 'in' || arrow === 'out') return readSideways(arrow, rows[at], context)
  if (press.key === 'Home') return goTo(rows[0])
  if (press.key === 'End') return goTo(rows.at(-1))
  return readEdit(press, rows[at], context)
}

/** Inwards opens, or leads to the first category inside; outwards closes, or leads to the one above. */
function readSideways(arrow: 'in' | 'out', row: Row | undefined, { rows, isSearching }: KeyContext): Taken {
  if (!row) return { command: undefined }
  const { key } = row.node
  if (arrow === 'in' && row.isOpen === false) return { command: { do: 'open', key } }
  if (arrow === 'out' && row.isOpen && !isSearching) return { command: { do: 'close', key } }
  const to = rows.find((other) => (arrow === 'in' ? other.parent === key : other.node.key === row.parent))
  return { command: to && { do: 'select', key: to.node.key } }
}

function readMove(arrow: Arrow | undefined, { selected, isReadOnly }: KeyContext): Taken | undefined {
  if (arrow === undefined || selected === undefined || isReadOnly) return undefined
  return { command: { do: 'step', key: selected, step: arrow } }
}

function readEdit({ key, shiftKey }: Press, row: Row | undefined, { isReadOnly }: KeyContext): Taken | undefined {
  if (key === 'Enter' && isReadOnly) return { command: { do: 'edit' } }
  if (isReadOnly) return undefined
  if (key === 'Enter') return { command: { do: 'add', where: shiftKey ? 'inside' : 'after' } }
  if (!row) return undefined
  if (key === 'F2') return { command: { do: 'rename', key: row.node.key } }
  if (key === 'Delete' || key === 'Backspace') return { command: { do: 'remove', key: row.node.key } }
  return undefined
}

type Arrow = 'up' | 'down' | 'in' | 'out'

/** Inwards is where the text leads to. */
function logicalArrow(key: string, isFromTheRight: boolean): Arrow | undefined {
  if (key === 'ArrowUp') return 'up'
  if (key === 'ArrowDown') return 'down'
  if (key === 'ArrowRight') return isFromTheRight ? 'out' : 'in'
  if (key === 'ArrowLeft') return isFromTheRight ? 'in' : 'out'
  return undefined
}
