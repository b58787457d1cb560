import { appendFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname } from 'node:path'
import type { Move } from '../../../categories/moves.ts'
import { untried } from '../../failure.ts'

/** A change whose items move. */
export interface MoveHead {
  /** Hash of the schema that they move to. */
  readonly hash: string
  readonly moves: readonly Move[]
  /** Paths that are moved and that the new schema does not have. */
  readonly gone: readonly string[]
  /** Epoch milliseconds. */
  readonly begun: number
}

/** An item, and the categories that it gets. */
export interface MovedItem {
  readonly id: string
  readonly title: string
  readonly to: readonly string[]
}

/**
 * Items that still have to move, in a file that survives the command: its first line has the change; each further line is an item, or
 * the ids of items that are written.
 */
export class MoveJournal {
  readonly head: MoveHead
  readonly items: Map<string, MovedItem>
  readonly written: Set<string>
  readonly #path: string

  private constructor(path: string, head: MoveHead, items: readonly MovedItem[], written: readonly string[]) {
    this.#path = path
    this.head = head
    this.items = new Map(items.map((item) => [item.id, item]))
    this.written = new Set(written)
  }

  static begin(path: string, head: MoveHead, items: readonly MovedItem[]): MoveJournal {
    try {
      mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
      writeFileSync(path, [head, ...items].map((line) => `${JSON.stringify(line)}\n`).join(''), { mode: 0o600 })
    } catch {
      throw untried(`${path} cannot be written.`)
    }
    return new MoveJournal(path, head, items, [])
  }

  /** Undefined where no change is unfinished. A line that a kill cut is left out: what it said is found out again. */
  static open(path: string): MoveJournal | undefined {
    let text: string
    try {
      text = readFileSync(path, 'utf8')
    } catch {
      return undefined
    }
    const lines = text.split('\n').flatMap((line) => {
      try {
        return [JSON.parse(line)]
      } catch {
        return []
      }
    })
    const [head, ...others] = lines
    if (!Array.isArray(head?.moves)) return undefined
    const items = others.filter((line) => !Array.isArray(line))
    return new MoveJournal(path, head, items, others.filter((line) => Array.isArray(line)).flat())
  }

  get left(): readonly MovedItem[] {
    return [...this.items.values()].filter(({ id }) => !this.written.has(id))
  }

  add(items: readonly MovedItem[]): void {
    for (const item of items) {
      this.items.set(item.id, item)
      this.written.delete(item.id)
    }
    this.#append(...items)
  }

  note(written: readonly string[]): void {
    for (const id of written) this.written.add(id)
    this.#append(written)
  }

  remove(): void {
    rmSync(this.#path, { force: true })
  }

  #append(...lines: readonly object[]): void {
    appendFileSync(this.#path, lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
  }
}
