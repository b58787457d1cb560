import { type ParseArgsOptionsConfig, parseArgs } from 'node:util'
import { findNearest, withHint } from '../../spelling.ts'
import { untried } from '../failure.ts'
import type { Shell } from '../shell.ts'
import type { Call } from './run.ts'
import type { Command, Option, Options } from './table.ts'
import { aliases, clientWords, commands, commonOptions, findMeant } from './table.ts'

/** Sentences about words that other programs have as commands. */
const elsewhere: Readonly<Record<string, string>> = {
  export: 'There is no command export: cartulary schema get writes a schema into a file.',
  import: 'There is no command import: cartulary schema plan and cartulary schema apply take a file.',
}

/** The command that the first words name, and the words behind them. */
export function findCommand(words: readonly string[]): { readonly command: Command; readonly rest: readonly string[] } {
  const [first = '', ...others] = words
  if (Object.hasOwn(elsewhere, first)) throw untried(elsewhere[first]!)
  const [noun, verb, ...rest] = aliases.includes(first) ? ['schema', first, ...others] : [first, ...others]
  const single = commands.find(({ name }) => name === noun)
  if (single) return { command: single, rest: others }
  const verbs = commands.flatMap(({ name }) => (name.startsWith(`${noun} `) ? [name.slice(noun!.length + 1)] : []))
  if (verbs.length === 0) {
    throw untried(withHint(`Unknown command ${noun}`, findMeant(noun!, [...clientWords, 'help'])))
  }
  const list = verbs.join(', ')
  if (verb === undefined || verb.startsWith('-')) throw untried(`cartulary ${noun} needs one of ${list}.`)
  const command = commands.find(({ name }) => name === `${noun} ${verb}`)
  if (!command) throw untried(withHint(`Unknown command ${noun} ${verb} (${list})`, findNearest(verb, verbs)))
  return { command, rest }
}

/** The command with its options and arguments; usage errors are thrown with exit code 2. */
export function parseCall(command: Command, words: readonly string[], shell: Shell): Call {
  const options = { ...commonOptions, ...command.options }
  const config: ParseArgsOptionsConfig = {}
  for (const [name, { value, short }] of Object.entries(options)) {
    const type = value === undefined ? 'boolean' : 'string'
    config[name] = { type, multiple: true, ...(short !== undefined && { short }) }
  }
  const parsed = parseArgs({ args: [...words], options: config, allowPositionals: true, strict: false, tokens: true })
  const values = new Map<string, string[]>()
  for (const token of parsed.tokens) {
    if (token.kind !== 'option') continue
    const option = Object.hasOwn(options, token.name) ? options[token.name] : undefined
    if (!option) throw untried(unknownOption(token.rawName, options))
    const given = values.get(token.name) ?? []
    values.set(token.name, [...given, requireValue(token.rawName, option, token)])
  }
  const { positionals } = parsed
  const [min, max] = command.arguments
  const { name } = command
  if (positionals.length < min) throw untried(`cartulary ${name} needs ${command.usage}.`)
  if (positionals.length > max) throw untried(`Unexpected argument ${positionals[max]}.`)
  return {
    shell,
    name,
    positionals,
    text: (option) => values.get(option)?.at(-1),
    list: (option) => values.get(option) ?? [],
    has: (option) => values.has(option),
    say: (sentence) => shell.printError(sentence),
  }
}

/** Without the value: it may be a secret. */
function unknownOption(rawName: string, options: Options): string {
  const known = Object.keys(options).map((name) => `--${name}`)
  return withHint(`Unknown option ${rawName}`, findNearest(rawName, known))
}

type GivenValue = Readonly<{ value: string | undefined; inlineValue: boolean | undefined }>

function requireValue(rawName: string, { value, choices }: Option, given: GivenValue): string {
  if (value === undefined) {
    if (given.value !== undefined) throw untried(`The option ${rawName} takes no value.`)
    return ''
  }
  // A value that begins with a hyphen is the next option, unless it is bound by an equals sign; one hyphen is standard input.
  const isNext = given.value?.startsWith('-') && given.value !== '-' && !given.inlineValue
  if (given.value === undefined || given.value === '' || isNext) throw untried(`The option ${rawName} needs a value.`)
  if (choices && !choices.includes(given.value)) {
    throw untried(withHint(`${rawName} has to be one of ${choices.join(', ')}`, findNearest(given.value, choices)))
  }
  return given.value
}
