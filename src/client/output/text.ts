/** Text of others on one line: what ends it, steers a terminal or turns the direction of writing becomes one blank. */
export function clean(text: string): string {
  return text.replace(/^( *)/, '$1').replace(/(?:\u001b\[[0-?]*[ -/]*[@-~]|[\p{Cc}\p{Cf}\p{Cs}\p{Zl}\p{Zp}])+/gu, ' ')
}

/** Time as ISO 8601, without milliseconds. */
export function formatTime(epoch: number): string {
  return new Date(epoch).toISOString().replace(/\.\d+Z$/, 'Z')
}

/** Fewest columns that a table is laid out for. */
const minColumns = 40

interface Screen {
  readonly isTerminal?: boolean
  readonly columns?: number
}

/** Rows below a heading: cut to the width of a terminal; for a program, separated by tabs and whole. */
export function formatTable(rows: readonly (readonly string[])[], { isTerminal, columns = 80 }: Screen): string {
  const cleaned = rows.map((cells) => cells.map(clean))
  if (!isTerminal) return cleaned.map((cells) => cells.join('\t')).join('\n')
  const width = Math.max(columns, minColumns)
  const [heading = []] = cleaned
  const widths = heading.map((_, at) => Math.max(...cleaned.map((cells) => cells[at]?.length ?? 0)))
  const lines = cleaned.map((cells) =>
    cells
      .map((cell, at) => cell.padEnd(widths[at]!))
      .join('  ')
      .trimEnd(),
  )
  return lines.map((line) => cutTo(line, width)).join('\n')
}

/** The line within this many columns. */
export function cutTo(line: string, width: number): string {
  const characters = [...line]
  return characters.length <= width ? line : `${characters.slice(0, width - 1).join('')}…`
}

const colours = { '+': 32, '-': 31, '~': 33, '>': 36, '^': 34 } as const

interface ColourSettings extends Screen {
  readonly environment: Readonly<Record<string, string | undefined>>
}

/** The lines of a difference, coloured by their first character at a terminal that shows colours. */
export function colourDiff(text: string, shell: ColourSettings, isPlain: boolean): string {
  const { NO_COLOR: noColour, TERM: term } = shell.environment
  if (!shell.isTerminal || isPlain || noColour || term === 'dumb') return text
  return text.replace(
    /^([-+~>^]) .*$/gm,
    (line, sign: keyof typeof colours) => `\u001b[${colours[sign]}m${line}\u001b[0m`,
  )
}
