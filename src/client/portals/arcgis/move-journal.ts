import { appendFileSync, renameSync, rmSync } from 'node:fs'
import type { Move } from '../../../categories/moves.ts'
import { parseJson, readText, writePrivately } from '../../files/file.ts'

export interface MoveHead {
  /** Hash of the schema that they move to. */
  readonly hash: string
  readonly moves: readonly Move[]
  /** Paths that are moved and that the new schema does not have. */
  readonly gone: readonly string[]
  /** Epoch milliseconds. */
  readonly begun: number
}

export type MovedItem = Readonly<{ id: string; title: string; to: readonly string[] }>

/** An item that has to move, or the ids of items that are written. */
type Line = MovedItem | readonly string[]

/** Items that still have to move, in a file that survives the command; its first line has the change. */
export class MoveJournal {
  readonly head: MoveHead
  readonly items = new Map<string, MovedItem>()
  readonly written = new Set<string>()
  readonly #path: string

  private constructor(path: string, head: MoveHead, lines: readonly Line[]) {
    this.#path = path
    this.head = head
    this.#take(lines)
  }

  static begin(path: string, head: MoveHead, items: readonly MovedItem[]): MoveJournal {
    writePrivately(path, formatLines([head, ...items]))
    return new MoveJournal(path, head, items)
  }

  /** Undefined where no change is unfinished. A line that a kill cut is left out: what it said is found out again. */
  static open(path: string): MoveJournal | undefined {
    const lines = (readText(path) ?? '').split('\n').map(parseJson)
    const [head, ...others] = lines.filter((line) => line !== undefined) as [MoveHead?, ...Line[]]
    return Array.isArray(head?.moves) ? new MoveJournal(path, head, others) : undefined
  }

  get left(): readonly MovedItem[] {
    return [...this.items.values()].filter(({ id }) => !this.written.has(id))
  }

  note(lines: readonly Line[]): void {
    this.#take(lines)
    appendFileSync(this.#path, formatLines(lines))
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

  #take(lines: readonly Line[]): void {
    for (const line of lines) {
      if ('id' in line) {
        this.items.set(line.id, line)
        this.written.delete(line.id)
      } else for (const id of line) this.written.add(id)
    }
  }
}

function formatLines(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}
