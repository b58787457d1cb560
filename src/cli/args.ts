import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { findNearest, withHint } from '../spelling.ts'
import { UsageError } from './output/terminal.ts'

/** The options and the positional arguments of a command, or UsageError. */
export function parseArguments<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
) {
  const config = { args: [...args], options, allowPositionals: true } as const
  for (const token of parseArgs({ ...config, strict: false, tokens: true }).tokens) {
    if (token.kind === 'option') requireOption(token, options)
  }
  return parseArgs(config)
}

interface GivenOption {
  readonly name: string
  readonly rawName: string
  readonly value: string | undefined
  readonly inlineValue: boolean | undefined
}

/** Refuses an option that there is not, and one with a value too many or too few. */
function requireOption({ name, rawName, value, inlineValue }: GivenOption, options: ParseArgsOptionsConfig): void {
  const type = Object.hasOwn(options, name) ? options[name]!.type : undefined
  if (type === undefined)
    throw new UsageError(
      formatUnknown(
        'option',
        rawName,
        Object.keys(options).map((option) => `--${option}`),
      ),
    )
  if (type === 'boolean' && value !== undefined) throw new UsageError(`The option ${rawName} takes no value.`)
  // A value that begins with a hyphen is the next option, unless it is bound by an equals sign.
  if (type === 'string' && (value === undefined || (value.startsWith('-') && !inlineValue))) {
    throw new UsageError(`The option ${rawName} needs a value.`)
  }
}

/** The sentence about a word that is none of these. */
function formatUnknown(what: string, word: string, known: readonly string[]): string {
  const nearest = findNearest(word, known)
  const all = nearest === undefined && known.length > 0 ? ` (${known.join(', ')})` : ''
  return withHint(`Unknown ${what} ${word}${all}`, nearest)
}

/** The only positional argument that a command takes; `missing` is the sentence where there is none. */
export function requireOneArgument(positionals: readonly string[], missing: string): string {
  const [argument, ...others] = positionals
  if (!argument) throw new UsageError(missing)
  requireNoArguments(others)
  return argument
}

export function requireNoArguments(args: readonly string[]): void {
  if (args.length > 0) throw new UsageError(`Unexpected argument ${args[0]}.`)
}

/** Subcommands by name. */
export type Subcommands = Readonly<Record<string, (args: readonly string[]) => Promise<void>>>

export async function runSubcommand(subcommands: Subcommands, [name, ...args]: readonly string[]): Promise<void> {
  const names = Object.keys(subcommands)
  if (name === undefined) throw new UsageError(`Missing subcommand (${names.join(', ')}).`)
  if (!Object.hasOwn(subcommands, name)) throw new UsageError(formatUnknown('subcommand', name, names))
  await subcommands[name]!(args)
}
