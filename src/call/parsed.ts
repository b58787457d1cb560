import { operationRefused } from '../errors.ts'

/**
 * Validated input, or one sentence for each error. An operation unwraps it after its permission check: a caller without
 * permission must not learn the errors of the input (contract §1).
 */
export type Parsed<Value> = { readonly value: Value } | { readonly problems: readonly string[] }

/** The value; refused with every problem. Call it after the permission check. */
export function unwrapParsed<Value>(parsed: Parsed<Value>): Value {
  if ('problems' in parsed) throw operationRefused(...parsed.problems)
  return parsed.value
}

/** Maps the value; problems pass through. */
export function mapParsed<Value, Refined>(parsed: Parsed<Value>, to: (value: Value) => Refined): Parsed<Refined> {
  return 'problems' in parsed ? parsed : { value: to(parsed.value) }
}
