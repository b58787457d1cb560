import { countLevels } from '../../json-text.ts'
import { maxFileBytes } from '../decode.ts'
import type { SkosSyntax } from './syntaxes.ts'

/** Levels of JSON: each costs the parser some of its stack. */
const maxLevels = 64

/** A declaration whose value is plain text. One that refers to others could expand tenfold with each of them. */
const plainEntity = /<!ENTITY\s+[\w.:-]+\s+(?:"[^"&%<]*"|'[^'&%<]*')\s*>/g
const entity = /<!ENTITY/g

/** Why a text is not given to the parser. */
export function findHazard(text: string, syntax: SkosSyntax): string | undefined {
  if (Buffer.byteLength(text) > maxFileBytes) return `The file has more than ${maxFileBytes} bytes.`
  if (syntax === 'jsonld' && countLevels(text) > maxLevels) return `The JSON nests more than ${maxLevels} levels deep.`
  if (syntax === 'rdfxml' && count(text, entity) > count(text, plainEntity)) {
    return 'The file declares an XML entity whose value is not plain text: entities may not refer to others, or to files.'
  }
  return undefined
}

/** A declaration whose value stands between apostrophes. */
const apostrophes = /(<!ENTITY\s+[\w.:-]+\s+)'([^"'&%<]*)'(?=\s*>)/g

/** Returns the XML with its entities declared as the parser takes them: between quotes. Places in the text stay as they are. */
export function quoteEntities(text: string): string {
  const end = text.indexOf(']>')
  return text.slice(0, Math.max(end, 0)).replace(apostrophes, '$1"$2"') + text.slice(Math.max(end, 0))
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
