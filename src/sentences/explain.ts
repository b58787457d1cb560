import { type Code, sentences } from './sentences.ts'

/** Meaning of a sentence, without its words. */
export interface Explained {
  readonly code: Code
  /** Values in the sentence; one of them may be a sentence too. */
  readonly parameters: Readonly<Record<string, string | number | Explained>>
  /** Subject of a sentence that begins with it: a parameter, a row, or a username. */
  readonly of?: string
}

/** A sentence as it is recognized: texts, and between them its parameters. */
interface Pattern {
  readonly code: Code
  readonly texts: readonly string[]
  readonly names: readonly string[]
}

/** The sentences with most letters of their own are recognized first. */
const patterns = (Object.entries(sentences) as [Code, string][])
  .map(([code, sentence]): Pattern => {
    const parts = sentence.split(/\{(\w+#?)\}/)
    return { code, texts: parts.filter((_, at) => at % 2 === 0), names: parts.filter((_, at) => at % 2 === 1) }
  })
  .sort((one, other) => lettersOf(other) - lettersOf(one))

function lettersOf({ texts }: Pattern): number {
  return texts.join('').length
}

/** Beginnings of a sentence that say what it is about: with a colon, and a username without one. */
const topic = /^(?:Row (\d+)|([^\s:]{1,128})): /
const subject = /^()([^\s:]{1,128}) /

/** Further rows behind a note, which is about each of them. */
const furtherRows = / Also rows? \d[\d, ]*(?: and \d+ more)?\.$/

/**
 * Recognizes a sentence that `say` made: sentences are kept, and pass from thread to thread, as texts, and have their codes again
 * where they leave the server. Undefined for any other text. Each pattern takes time that grows with the length of the text alone.
 */
export function explain(sentence: string): Explained | undefined {
  const text = sentence.replace(furtherRows, '')
  return recognizeBehind(topic, text) ?? recognize(text) ?? recognizeBehind(subject, text)
}

function recognizeBehind(start: RegExp, text: string): Explained | undefined {
  const [found, row, word] = start.exec(text) ?? []
  const rest = found === undefined ? undefined : recognize(text.slice(found.length))
  return rest && { ...rest, of: row || word! }
}

function recognize(sentence: string): Explained | undefined {
  for (const pattern of patterns) {
    const values = match(sentence, pattern)
    if (values) return { code: pattern.code, parameters: values }
  }
  return undefined
}

/**
 * Values of the parameters; undefined if the sentence is another one. A parameter ends where the next text first stands, and one before
 * a number at the end, where it last stands.
 */
function match(sentence: string, { texts, names }: Pattern): Explained['parameters'] | undefined {
  const [first = '', ...others] = texts
  if (!sentence.startsWith(first)) return undefined
  if (others.length === 0) return sentence === first ? {} : undefined
  const values: Record<string, string | number | Explained> = {}
  let at = first.length
  for (const [index, text] of others.entries()) {
    const isLast = index === others.length - 1
    const isBeforeNumber = index === others.length - 2 && names[index + 1]!.endsWith('#')
    const end = isLast
      ? sentence.length - text.length
      : isBeforeNumber
        ? sentence.lastIndexOf(text, sentence.length - others.at(-1)!.length - text.length - 1)
        : sentence.indexOf(text, at + 1)
    if (end < at || (isLast && !sentence.endsWith(text))) return undefined
    const value = parameterOf(names[index]!, sentence.slice(at, end))
    if (value === undefined) return undefined
    values[names[index]!.replace('#', '')] = value
    at = end + text.length
  }
  return values
}

function parameterOf(name: string, text: string): string | number | Explained | undefined {
  if (name.endsWith('#')) return /^-?\d{1,15}$/.test(text) ? Number(text) : undefined
  return name === 'problem' ? (recognize(text) ?? text) : text
}
