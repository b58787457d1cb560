import { unguardFormula } from '../../csv-text.ts'
import { say } from '../../sentences/say.ts'
import { describeCleaning, titleFromLabel } from '../title.ts'
import type { RowNotes } from './row-notes.ts'
import type { Row } from './table.ts'

/** Rows with categories, and how their cells are read. */
export class Sheet {
  readonly rows: readonly Row[]
  readonly notes: RowNotes
  /** Whether blanks around texts are removed. */
  readonly trim: boolean
  /** Whether an apostrophe keeps texts from being formulas, as in CSV. */
  readonly isGuarded: boolean

  constructor(rows: readonly Row[], notes: RowNotes, { trim, isGuarded }: Pick<Sheet, 'trim' | 'isGuarded'>) {
    this.rows = rows
    this.notes = notes
    this.trim = trim
    this.isGuarded = isGuarded
  }

  /** A cell without blanks around it; '' where there is none. */
  cell(row: Row, column: number | undefined): string {
    return column === undefined ? '' : this.trimmed(row.cells[column] ?? '', row)
  }

  /** The text in a cell, as it was before the prefix of formulas. */
  text(row: Row, column: number | undefined): string {
    return this.unguarded(this.cell(row, column), row)
  }

  /** A title, without the characters that a title may not have. */
  title(row: Row, column: number | undefined): string {
    return this.cleaned(this.text(row, column), row)
  }

  /** A text as a title. */
  cleaned(given: string, { row }: Row): string {
    const title = titleFromLabel(given)
    if (title !== given && title !== '') this.notes.add(describeCleaning(given, title), row)
    return title === '' ? given : title
  }

  trimmed(given: string, { row }: Row): string {
    if (!this.trim) return given
    const text = given.trim()
    if (text.length !== given.length) this.notes.add(say('blanksRemoved'), row)
    return text
  }

  unguarded(given: string, { row }: Row): string {
    if (!this.isGuarded) return given
    const text = unguardFormula(given)
    if (text !== given) this.notes.add(say('apostropheRemoved'), row)
    return text
  }
}
