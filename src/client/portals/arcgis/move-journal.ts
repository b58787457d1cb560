import { appendFileSync, renameSync, rmSync } from 'node:fs'
import type { Move } from '../../../categories/moves.ts'
import { parseJson, readText, writePrivately } from '../../files/file.ts'

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
    writePrivately(path, formatLines([head, ...items]))
    return new MoveJournal(path, head, items, [])
  }

  /** Undefined where no change is unfinished. A line that a kill cut is left out: what it said is found out again. */
  static open(path: string): MoveJournal | undefined {
    const lines = (readText(path) ?? '').split('\n').map(parseJson)
    const [head, ...others] = lines.filter((line) => line !== undefined) as [MoveHead?, ...(MovedItem | string[])[]]
    if (!Array.isArray(head?.moves)) return undefined
    const items = others.flatMap((line) => (Array.isArray(line) ? [] : line))
    return new MoveJournal(
      path,
      head,
      items,
      others.flatMap((line) => (Array.isArray(line) ? line : [])),
    )
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

  /** Keeps the journal beside the one that begins now, and returns its path. */
  setAside(): string {
    const aside = this.#path.replace(/\.jsonl$/, `-${this.head.begun}.jsonl`)
    renameSync(this.#path, aside)
    return aside
  }

  remove(): void {
    rmSync(this.#path, { force: true })
  }

  #append(...lines: readonly object[]): void {
    appendFileSync(this.#path, formatLines(lines))
  }
}

function formatLines(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}
