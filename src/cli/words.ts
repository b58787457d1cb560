import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { UsageWrong } from './terminal.ts'

/** The options and the other words of a command line, or UsageWrong. */
export function parseWords<const Options extends ParseArgsOptionsConfig>(words: readonly string[], options: Options) {
  try {
    return parseArgs({ args: [...words], options, allowPositionals: true })
  } catch (error) {
    throw new UsageWrong(error instanceof Error ? error.message : String(error))
  }
}

/** The only word that a command takes besides its options. */
export function requireOneWord(positionals: readonly string[], complaint: string): string {
  const [word] = positionals
  if (!word || positionals.length > 1) throw new UsageWrong(complaint)
  return word
}
