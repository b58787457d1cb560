import type { Shell } from '../shell.ts'

/** Text of others on one line: what ends it, steers a terminal or turns the direction of writing becomes one blank. */
export function clean(text: string): string {
  return text.replace(/(?:\u001b\[[0-?]*[ -/]*[@-~]|[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}])+/gu, ' ')
}

/** Time as ISO 8601, without milliseconds. */
export function formatTime(epoch: number): string {
  const time = new Date(epoch)
  return Number.isNaN(time.getTime()) ? 'an unknown time' : time.toISOString().replace(/\.\d+Z$/, 'Z')
}

/** Fewest columns that a table is laid out for. */
const minColumns = 40

/** Rows below a heading: without empty columns and cut to the width of a terminal; for a program, separated by tabs and whole. */
export function formatTable(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  { isTerminal, columns = 80 }: Pick<Shell, 'isTerminal' | 'columns'>,
): string {
  const cleaned = [heading, ...rows].map((cells) => cells.map(clean))
  if (!isTerminal) return cleaned.map((cells) => cells.join('\t')).join('\n')
  const width = Math.max(columns, minColumns)
  const widths = heading.map((_, at) => Math.max(...cleaned.map((cells) => cells[at]?.length ?? 0)))
  const isFilled = (at: number) => rows.length === 0 || rows.some((cells) => cells[at] !== '')
  const lines = cleaned.map((cells) => {
    const line = cells.flatMap((cell, at) => (isFilled(at) ? cell.padEnd(widths[at]!) : [])).join('  ')
    const characters = [...line.trimEnd()]
    return characters.length > width ? `${characters.slice(0, width - 1).join('')}…` : line.trimEnd()
  })
  return lines.join('\n')
}

const colours = { '+': 32, '-': 31, '~': 33, '>': 36, '^': 34 } as const

type Colouring = Readonly<{ shell: Pick<Shell, 'isTerminal' | 'environment'>; has(option: string): boolean }>

/** The lines of a difference, coloured by their first character at a terminal that shows colours. */
export function colourDiff(text: string, { shell, has }: Colouring): string {
  const { NO_COLOR: noColour, TERM: term } = shell.environment
  if (!shell.isTerminal || has('no-color') || noColour || term === 'dumb') return text
  const paint = (line: string, sign: keyof typeof colours) => `\u001b[${colours[sign]}m${line}\u001b[0m`
  return text.replace(/^([-+~>^]) .*$/gm, paint)
}
