import type { Operation, Verdict } from './checker.ts'

const shown = 12

/** A verdict for people: what fitted last, and what did not. */
export function explain<State, Input, Output>(verdict: Verdict<State, Input, Output>): string {
  if (verdict.outcome === 'legal') return 'The history is linearizable.'
  const { outcome, key, prefix, state, stuck } = verdict
  const headline =
    outcome === 'illegal'
      ? `The history of "${key}" is not linearizable.`
      : `The search gave up at "${key}": this is no verdict.`
  if (!prefix || !stuck) return headline
  const omitted = Math.max(0, prefix.length - shown)
  return [
    `${headline} The order that holds longest:`,
    ...(omitted === 0 ? [] : [`  (${omitted} before)`]),
    ...prefix.slice(omitted).map(formatOperation),
    `It leaves ${JSON.stringify(state)}, and there was no place for`,
    formatOperation(stuck),
  ].join('\n')
}

function formatOperation({ client, input, calledAt, answer }: Operation<unknown, unknown>): string {
  const times = `${calledAt.toFixed(3)} to ${answer?.returnedAt.toFixed(3) ?? 'never'}`
  return `  ${client} (${times}): ${JSON.stringify(input)} → ${answer ? JSON.stringify(answer.output) : 'no answer'}`
}
