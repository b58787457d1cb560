import { html, nothing } from 'lit'
import { type Explained, explain } from '../../../src/sentences/explain.ts'
import { ofSentences as t } from '../texts/rooms.ts'
import { withoutParameters } from './without-parameters.ts'

/** A sentence of the server as a page says it. */
export interface Said {
  readonly text: string
  /** Whether it is in English, whatever the language of the page: it has no code. */
  readonly isForeign: boolean
}

/** Codes of sentences whose subject is a person. */
const ofPersons = /^(?:leftOut|username|noPassword|role)/

/** Code of a sentence of the server; undefined for one without. */
export function codeOf(sentence: string): string | undefined {
  return explain(sentence)?.code
}

/** A sentence of the server in the words of the page. `row`: the row of a table that it is of, where it does not say so. */
export function inWords(sentence: string, row?: number): Said {
  const explained = explain(sentence)
  const text = explained ? wordsOf(explained) : withoutParameters(sentence)
  const hasRow = explained ? explained.of !== undefined || 'row' in explained.parameters : text.startsWith('Row ')
  return { text: row === undefined || hasRow ? text : t('ofRow', { row, sentence: text }), isForeign: !explained }
}

/** A failure of one or many rows: the sentence of the first one. */
interface Failure {
  readonly message: string
  readonly row: number | undefined
  readonly count: number
}

/** Groups sentences that differ in their row alone: the same failure is one line. */
export function groupSame(all: readonly { readonly message: string; readonly row?: number }[]): readonly Failure[] {
  const kinds = Map.groupBy(all, ({ message }) => kindOf(message).kind)
  return [...kinds.values()].map((same) => {
    const { message, row = kindOf(message).row } = same[0]!
    return { message, row, count: same.length }
  })
}

function kindOf(sentence: string): { readonly kind: string; readonly row: number | undefined } {
  const explained = explain(sentence)
  const { code, parameters = {}, of = '' } = explained ?? {}
  const row = parameters['row'] ?? /^Row (\d+)/.exec(sentence)?.[1]
  const rest = explained ? { ...parameters, row: '' } : sentence.replace(/^Row \d+/, '')
  return {
    kind: JSON.stringify([code, rest, of.replace(/^\d+$/, '')]),
    row: row === undefined ? undefined : Number(row),
  }
}

function wordsOf({ code, parameters, of }: Explained): string {
  const values = Object.entries(parameters).map(([name, value]) => [
    name,
    typeof value === 'object' ? wordsOf(value) : value,
  ])
  const sentence = t(code, Object.fromEntries(values))
  if (of === undefined) return sentence
  if (/^\d+$/.test(of)) return t('ofRow', { row: Number(of), sentence })
  // Fields stand beside their names.
  return ofPersons.test(code) ? t('ofPerson', { person: of, sentence }) : sentence
}

/** Renders a sentence of the server. */
export function said(sentence: string, row?: number) {
  const { text, isForeign } = inWords(sentence, row)
  return html`<bdi lang=${isForeign ? 'en' : nothing}>${text}</bdi>`
}
