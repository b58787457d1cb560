import type { FormState } from './form-state.ts'
import { type Html, html } from './html.ts'

/** What an operation answers that was only tried. */
interface DryRun {
  /** The version that it was tried on. */
  readonly version: number
  /** Moves that were perhaps meant, as JSON. */
  readonly moves: string | undefined
}

export function findDryRun(value: unknown): DryRun | undefined {
  const { dryRun, version, suggestions } = (value ?? {}) as Readonly<Record<string, unknown>>
  if (dryRun !== true || typeof version !== 'number') return undefined
  return { version, moves: Array.isArray(suggestions) && suggestions.length > 0 ? movesOf(suggestions) : undefined }
}

/** One in each line. What would turn the direction of the text round is written as JSON escapes it. */
function movesOf(suggestions: readonly { readonly from: unknown; readonly to: unknown }[]): string {
  const moves = suggestions.map(({ from, to }) => JSON.stringify({ from, to }))
  return `[${moves.join(',\n ')}]`.replace(
    directionMarks,
    (mark) => `\\u${mark.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
}

const directionMarks = /[\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/g

export function formatAdvice({ version }: DryRun): Html {
  return html`<p>The form below keeps what was tried. With dryRun false it makes the change, unless there is another version
than ${version} by then. A file has to be chosen again where scripts are off.</p>`
}

/** The form of the change itself: for the version that it was tried on. Suggestions are offered, never filled in. */
export function afterDryRun(
  { version, moves }: DryRun,
  given: FormState['given'],
): Pick<FormState, 'given' | 'suggested'> {
  return {
    given: (name) => (name === 'ifVersion' ? String(version) : given(name)),
    suggested: (name) => (name === 'moves' ? moves : undefined),
  }
}
