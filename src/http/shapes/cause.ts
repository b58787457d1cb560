import { explain } from '../../sentences/explain.ts'
import { any, component, list, mapOf, object, text, type ValueOf } from './shape.ts'

const causeMembers = {
  code: text('Which sentence it is. Codes are part of the API; the words of sentences are not.'),
  parameters: mapOf(any('A text, a number, or another cause.'), 'The values in the sentence.'),
}

const causeShape = component(
  'Cause',
  'What a sentence says, without its words. Absent for sentences without a code.',
  object(causeMembers, { of: text('What it is about, if that stands before it: a parameter, a row, or a username.') }),
)

/** Beside a sentence. */
export const causeMember = { cause: causeShape }

export function causeToWire(sentence: string): { readonly cause?: ValueOf<typeof causeShape> } {
  const cause = explain(sentence)
  return cause === undefined ? {} : { cause }
}

/** Beside several sentences, each with the one that it is of. */
export const causesMember = {
  causes: list(
    object({ sentence: text('As it stands in message, details or reasons.'), cause: causeShape }),
    'Only with the header Prefer: causes. What these sentences say, without their words; those without a code are left out.',
  ),
}

export function causesToWire(sentences: readonly string[]): { readonly causes?: ValueOf<typeof causesMember.causes> } {
  const causes = [...new Set(sentences)].flatMap((sentence) => {
    const cause = explain(sentence)
    return cause === undefined ? [] : [{ sentence, cause }]
  })
  return causes.length === 0 ? {} : { causes }
}
