import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { reasonOf } from '../errors.ts'
import { UsageError } from './terminal.ts'

/** The options and the other words of a command line, or UsageWrong. */
export function parseArguments<const Options extends ParseArgsOptionsConfig>(
  words: readonly string[],
  options: Options,
) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true })
  } catch (error) {
    throw new UsageError(reasonOf(error))
  }
}

/** The only word that a command takes besides its options. */
export function requireOneArgument(positionals: readonly string[], complaint: string): string {
  const [word] = positionals
  if (!word || positionals.length > 1) throw new UsageError(complaint)
  return word
}
