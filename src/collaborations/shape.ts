/**
 * Members of a signed document: text, an id (32 lower-case hex characters), a portal's id (16 letters and digits), a time
 * in epoch milliseconds, or a list of documents of one shape. Ids become parts of paths, so their form is checked.
 */
export type Shape = { readonly [Member in string]: 'text' | 'id' | 'portalId' | 'time' | readonly [Shape] }

/** A document of this shape. */
export type Shaped<Described extends Shape> = {
  readonly [Member in keyof Described]: Described[Member] extends 'text' | 'id' | 'portalId'
    ? string
    : Described[Member] extends 'time'
      ? number
      : Described[Member] extends readonly [infer Inner extends Shape]
        ? readonly Shaped<Inner>[]
        : never
}

/** Whether the value has exactly these members, in this order. */
export function hasShape<const Described extends Shape>(value: unknown, shape: Described): value is Shaped<Described> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) return false
  const members = Object.entries(value)
  const described = Object.entries(shape)
  return (
    members.length === described.length &&
    described.every(([name, kind], at) => members[at]![0] === name && hasKind(members[at]![1], kind))
  )
}

/** UTF-16 code units: room for the longest URL. */
const maxTextLength = 2_048
/** Except tab and line ends, as in parameters of the API. */
const controlCharacter = /[\u0000-\u0008\u000b\u000c\u000e-\u001f\u007f]/

function isPlainText(text: string): boolean {
  return text.length <= maxTextLength && text.isWellFormed() && !controlCharacter.test(text)
}

function hasKind(value: unknown, kind: Shape[string]): boolean {
  if (kind === 'text') return typeof value === 'string' && isPlainText(value)
  if (kind === 'id') return typeof value === 'string' && /^[0-9a-f]{32}$/.test(value)
  if (kind === 'portalId') return typeof value === 'string' && /^[0-9A-Za-z]{16}$/.test(value)
  if (kind === 'time') return Number.isSafeInteger(value)
  return Array.isArray(value) && value.every((entry) => hasShape(entry, kind[0]))
}
