import type { Note } from '../schema-file.ts'

/** Rows that a note lists, beside the first. */
const maxRows = 20

/** Notes on rows; what is to be said of many rows is said once. */
export class RowNotes {
  readonly #rows = new Map<string, number[]>()

  add(message: string, row: number): void {
    const rows = this.#rows.get(message)
    if (!rows) this.#rows.set(message, [row])
    else if (rows.at(-1) !== row) rows.push(row)
  }

  /** Order of their first rows. */
  list(): readonly Note[] {
    const notes = [...this.#rows].map(([message, [row = 0, ...others]]) => ({ row, message: message + listed(others) }))
    return notes.sort((one, other) => one.row - other.row)
  }
}

function listed(rows: readonly number[]): string {
  if (rows.length === 0) return ''
  const rest = rows.length > maxRows ? ` and ${rows.length - maxRows} more` : ''
  return ` Also row${rows.length === 1 ? '' : 's'} ${rows.slice(0, maxRows).join(', ')}${rest}.`
}
