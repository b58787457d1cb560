import { operationRefused } from './errors.ts'

/**
 * What the door made of a client's words: a value, or one sentence for each thing that is wrong.
 * It travels into the operation unopened, because who may call is told before what is wrong (contract §1).
 */
export type Parsed<Value> = { readonly value: Value } | { readonly problems: readonly string[] }

/** The value, or a refusal with every problem. Operations call it right after their permission check. */
export function unwrapParsed<Value>(parsed: Parsed<Value>): Value {
  if ('problems' in parsed) throw operationRefused(...parsed.problems)
  return parsed.value
}

/** What follows from a parsed value; problems pass through. */
export function mapParsed<Value, Refined>(parsed: Parsed<Value>, to: (value: Value) => Refined): Parsed<Refined> {
  return 'problems' in parsed ? parsed : { value: to(parsed.value) }
}
