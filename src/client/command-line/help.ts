import { exitCodes, untried } from '../failure.ts'
import { findCommand } from './arguments.ts'
import { type Command, commands, commonOptions, type Options } from './table.ts'

/** Columns of a text for people; a terminal may have fewer. */
const maxWidth = 80
/** Column at which texts begin; in a narrow terminal they stand below. */
const [besideColumn, belowColumn] = [29, 6]

/** A line of help: what is typed, and what it does. */
export type HelpRow = Readonly<{ usage: string; text: string }>

/** Rows in two columns; a long first one has a line of its own. */
export function formatRows(rows: readonly HelpRow[], columns = maxWidth): string {
  return rows.map((row) => formatRow(row, Math.min(columns, maxWidth))).join('\n')
}

function formatRow({ usage, text }: HelpRow, width: number): string {
  const indent = width < maxWidth ? belowColumn : besideColumn
  const left = wrap(usage, width - 2).map((line) => `  ${line}`)
  const right = wrap(text, width - indent)
  const isBeside = left.length === 1 && left[0]!.length < indent - 1
  const first = isBeside ? [left[0]!.padEnd(indent) + right[0]!] : [...left, ' '.repeat(indent) + right[0]!]
  return [...first, ...right.slice(1).map((line) => ' '.repeat(indent) + line)].join('\n').replace(/ +$/gm, '')
}

function wrap(text: string, columns: number): readonly string[] {
  const lines = ['']
  for (const word of text.split(' ')) {
    const last = lines.at(-1)!
    if (last === '') lines[lines.length - 1] = word
    else if (last.length + 1 + word.length <= columns) lines[lines.length - 1] = `${last} ${word}`
    else lines.push(word)
  }
  return lines
}

function rowOf({ name, usage, text }: Command): HelpRow {
  return { usage: `${name} ${usage}`.trim(), text }
}

const ownRows: readonly HelpRow[] = [
  { usage: 'help [command]', text: 'Prints this text, or that about one command; --man prints a man page.' },
  { usage: '--version', text: 'Prints the versions of Cartulary and of Node.' },
]

/** Help on everything; `server` has the rows of the commands of this server, where there are any. */
export function formatAll(server: readonly HelpRow[], columns?: number): string {
  return sections(server)
    .map(({ title, rows }) => `${title}\n${formatRows(rows, columns)}`)
    .join('\n\n')
    .replace(/^/, 'Usage: cartulary [command]\n\n')
}

function sections(server: readonly HelpRow[]) {
  return [
    ...(server.length > 0 ? [{ title: 'This server', rows: server }] : []),
    { title: 'Any portal', rows: commands.map(rowOf) },
    { title: 'Every command', rows: ownRows },
    { title: 'Options of commands for any portal', rows: rowsOf(commonOptions) },
    { title: 'Exit codes', rows: exitCodes.map(([usage, text]) => ({ usage, text })) },
  ]
}

/** Help on a command for any portal, or on the commands of a noun. */
export function formatHelp(words: readonly string[], columns = maxWidth): string {
  const width = Math.min(columns, maxWidth)
  const ofNoun = commands.filter(({ name }) => name.startsWith(`${words[0]} `))
  if (words.length === 1 && ofNoun.length > 0) {
    return `Usage: cartulary ${words[0]} [command]\n\n${formatRows(ofNoun.map(rowOf), width)}`
  }
  const { command, rest } = findCommand(words)
  if (rest.length > command.arguments[1]) throw untried(`Unexpected argument ${rest.at(-1)}.`)
  const options =
    Object.keys(command.options).length > 0 ? `Options\n${formatRows(rowsOf(command.options), width)}\n\n` : ''
  const [first, ...others] = wrap(`Usage: cartulary ${rowOf(command).usage}`, width - 4)
  const usage = [first, ...others.map((line) => `    ${line}`)].join('\n')
  const common = `Options of all commands\n${formatRows(rowsOf(commonOptions), width)}`
  return `${usage}\n\n${wrap(command.text, width).join('\n')}\n\n${options}${common}`
}

function rowsOf(options: Options): readonly HelpRow[] {
  return Object.entries(options).map(([name, { short, value, text }]) => ({
    usage: `${short === undefined ? '' : `-${short}, `}--${name}${value === undefined ? '' : ` <${value}>`}`,
    text,
  }))
}

/** Man page of the same text, in roff. */
export function formatMan(server: readonly HelpRow[]): string {
  const inRoff = (text: string) =>
    text.replaceAll(/[\\-]/g, (sign) => `\\${sign === '-' ? sign : 'e'}`).replace(/^[.']/, '\\&$&')
  const row = ({ usage, text }: HelpRow) => `.TP\n.B ${inRoff(usage)}\n${inRoff(text)}`
  const body = sections(server).map(({ title, rows }) => `.SH ${title.toUpperCase()}\n${rows.map(row).join('\n')}`)
  const ofEach = commands.filter(({ options }) => Object.keys(options).length > 0)
  const options = ofEach.map((one) => `.SS ${inRoff(one.name)}\n${rowsOf(one.options).map(row).join('\n')}`)
  const head = '.TH CARTULARY 1\n.SH NAME\ncartulary \\- category schemas of any portal, and the server of one'
  return [head, ...body, '.SH OPTIONS OF EACH COMMAND', ...options].join('\n')
}
