import { constant, integer, list, nullable, object, text, type ValueOf } from '../shape.ts'

const noRule = () => nullable(integer('No such rule: always null.'))

export const securityPolicyShape = object({
  passwordPolicy: object({
    type: constant('custom'),
    minLength: integer('In UTF-16 code units.'),
    maxLength: integer('In UTF-16 code units.'),
    minUpper: noRule(),
    minLower: noRule(),
    minLetter: noRule(),
    minDigit: noRule(),
    minOther: noRule(),
    expirationInDays: noRule(),
    historySize: noRule(),
    refused: list(text(), 'What else is refused, in words.'),
  }),
})

const refused = [
  'Common passwords.',
  'Little more than the username, the name of the organization, or the name of this program.',
] as const

export function securityPolicyToWire({
  passwordLength: { min, max },
}: {
  readonly passwordLength: { readonly min: number; readonly max: number }
}): ValueOf<typeof securityPolicyShape> {
  return {
    passwordPolicy: {
      type: 'custom',
      minLength: min,
      maxLength: max,
      minUpper: null,
      minLower: null,
      minLetter: null,
      minDigit: null,
      minOther: null,
      expirationInDays: null,
      historySize: null,
      refused,
    },
  }
}
