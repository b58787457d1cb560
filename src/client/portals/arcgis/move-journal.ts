import type { Move } from '../../../categories/moves.ts'
import { Journal } from '../../files/journal.ts'

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

/** Items that still have to move; the head of the journal has the change. */
export class MoveJournal {
  readonly head: MoveHead
  readonly items = new Map<string, MovedItem>()
  readonly written = new Set<string>()
  readonly #journal: Journal<Line>

  private constructor(journal: Journal<Line>, head: MoveHead, lines: Iterable<Line>) {
    this.#journal = journal
    this.head = head
    this.#take(lines)
  }

  static begin(path: string, head: MoveHead, items: readonly MovedItem[]): MoveJournal {
    return new MoveJournal(Journal.begin<Line>(path, head, items), head, items)
  }

  /** Undefined where no change is unfinished. */
  static open(path: string): MoveJournal | undefined {
    const found = Journal.open<Line>(path)
    return found && new MoveJournal(found.journal, found.head as unknown as MoveHead, found.lines())
  }

  get left(): readonly MovedItem[] {
    return [...this.items.values()].filter(({ id }) => !this.written.has(id))
  }

  note(lines: readonly Line[]): void {
    this.#take(lines)
    this.#journal.append(...lines)
  }

  /** Keeps the journal beside the one that begins now, and returns its path. */
  setAside(): string {
    const aside = this.#journal.path.replace(/\.jsonl$/, `-${this.head.begun}.jsonl`)
    this.#journal.moveTo(aside)
    return aside
  }

  remove(): void {
    this.#journal.remove()
  }

  #take(lines: Iterable<Line>): void {
    for (const line of lines) {
      if ('id' in line) {
        this.items.set(line.id, line)
        this.written.delete(line.id)
      } else for (const id of line) this.written.add(id)
    }
  }
}
