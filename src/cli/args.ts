import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { reasonOf } from '../errors.ts'
import { UsageError } from './terminal.ts'

/** The options and the positional arguments of a command, or UsageError. */
export function parseArguments<const Options extends ParseArgsOptionsConfig>(
  args: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...args], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(reasonOf(error))
  }
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

/** What a subcommand does, by its name. */
export type Subcommands = Readonly<Record<string, (args: readonly string[]) => Promise<void>>>

export async function runSubcommand(subcommands: Subcommands, [name, ...args]: readonly string[]): Promise<void> {
  const names = Object.keys(subcommands).join(', ')
  if (name === undefined) throw new UsageError(`Missing subcommand (${names}).`)
  if (!Object.hasOwn(subcommands, name)) throw new UsageError(`Unknown subcommand ${name} (${names}).`)
  await subcommands[name]!(args)
}
