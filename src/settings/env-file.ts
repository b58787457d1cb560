import { parseEnv } from 'node:util'

/** Settings of a file `.env`, and mistakes in its lines. */
interface EnvFile {
  readonly values: Readonly<Record<string, string>>
  readonly refusals: readonly string[]
}

/**
 * Reads a file `.env`. Unlike the environment, it is only for settings: a line that is none is refused, with its number and
 * never with its value, which may be a secret (chosen). `findNameProblem` says what is wrong with a name.
 */
export function parseEnvFile(bytes: Uint8Array, findNameProblem: (name: string) => string | undefined): EnvFile {
  const read = decode(bytes)
  if (read === undefined) return { values: {}, refusals: ['.env is not text in UTF-8: save it as that.'] }
  const { text, hasMark } = read
  const refusals = hasMark ? ['.env line 1 begins with a byte order mark: save the file as UTF-8 without it.'] : []
  const lineOf = new Map<string, number>()
  const wrong = new Set<string>()
  for (const [index, line] of text.split('\n').entries()) {
    const { name, problem } = judgeLine(line.trim(), findNameProblem)
    if (problem) refusals.push(`.env line ${index + 1}: ${problem}`)
    if (name === undefined) continue
    const first = lineOf.get(name)
    if (problem) wrong.add(name)
    if (first === undefined) lineOf.set(name, index + 1)
    else refusals.push(`.env line ${index + 1}: ${name} is set in line ${first} already; keep one of them.`)
  }
  const entries = Object.entries(parseEnv(text)) as [string, string][]
  return { values: Object.fromEntries(entries.filter(([name]) => lineOf.has(name) && !wrong.has(name))), refusals }
}

function decode(bytes: Uint8Array): { readonly text: string; readonly hasMark: boolean } | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    if (text.includes('\0')) return undefined
    return { text: text.replace(/^\ufeff/, ''), hasMark: text.startsWith('\ufeff') }
  } catch {
    return undefined
  }
}

interface JudgedLine {
  /** Name of a setting; undefined if the line sets none. */
  readonly name?: string
  readonly problem?: string | undefined
}

function judgeLine(line: string, findNameProblem: (name: string) => string | undefined): JudgedLine {
  if (line === '' || line.startsWith('#')) return {}
  const [, name, sign, rest = ''] = /^(?:export\s+)?([\w.-]+)\s*([=:])(.*)$/.exec(line) ?? []
  if (name === undefined) return { problem: 'it is no setting, NAME=value, and no comment, which begins with #.' }
  const problem = findNameProblem(name)
  if (sign === ':') return { problem: problem ?? `${name} is followed by a colon; write ${name}=value.` }
  return problem ? { problem } : { name, problem: findValueProblem(name, rest.trim()) }
}

function findValueProblem(name: string, value: string): string | undefined {
  if (/^[“”„‘’‚«»]/.test(value)) return `the value of ${name} has typographic quotes; write " or '.`
  const quote = /^["'`]/.exec(value)?.[0]
  if (quote === undefined) {
    return /\S#/.test(value)
      ? `the value of ${name} has a #, which begins a comment; put the value in quotes.`
      : undefined
  }
  const end = value.indexOf(quote, 1)
  if (end < 0) return `the value of ${name} has no closing quote.`
  return /^\s*(#|$)/.test(value.slice(end + 1)) ? undefined : `the value of ${name} goes on after its closing quote.`
}
