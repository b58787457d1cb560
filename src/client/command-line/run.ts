import { untried } from '../failure.ts'
import type { Shell } from '../shell.ts'

export interface Call {
  readonly shell: Shell
  /** `schema plan`, for sentences. */
  readonly name: string
  readonly positionals: readonly string[]
  /** Text of an option; the last one, where it is given several times. */
  text(option: string): string | undefined
  list(option: string): readonly string[]
  has(option: string): boolean
  /** Words to a person, on standard error: not a part of the result. */
  say(sentence: string): void
}

export interface Answered {
  /** Members of the object of `--json`, besides `format`; or parts of its bytes. */
  readonly json: object | Iterable<Uint8Array>
  /** Output without `--json`; bytes go out as they are, and nothing where it is empty. */
  readonly text: string | Uint8Array
  readonly exit?: 0 | 1 | 3
}

/** The whole number of an option within its bounds. */
export function numberOf(call: Call, option: string, [min, max, usual]: readonly [number, number, number]): number {
  const text = call.text(option)
  if (text === undefined) return usual
  const number = Number(text)
  if (/^\d+$/.test(text) && number >= min && number <= max) return number
  throw untried(`--${option} has to be a whole number from ${min} to ${max}.`)
}
