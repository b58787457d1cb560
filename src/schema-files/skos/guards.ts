import { countLevels } from '../../json-text.ts'
import type { SkosSyntax } from './syntaxes.ts'

/** Bytes of UTF-8 (contract §6.3). */
const mostBytes = 1024 * 1024
/** Levels of JSON: each costs the parser some of its stack. */
const mostLevels = 64

/** A declaration whose value is plain text. One that refers to others could expand tenfold with each of them. */
const plainEntity = /<!ENTITY\s+[\w.:-]+\s+(?:"[^"&%<]*"|'[^'&%<]*')\s*>/g
const entity = /<!ENTITY/g

/** Why a text is not given to the parser. */
export function findHazard(text: string, syntax: SkosSyntax): string | undefined {
  if (Buffer.byteLength(text) > mostBytes) return `The file has more than ${mostBytes} bytes.`
  if (syntax === 'jsonld' && countLevels(text) > mostLevels)
    return `The JSON nests more than ${mostLevels} levels deep.`
  if (syntax === 'rdfxml' && count(text, entity) > count(text, plainEntity)) {
    return 'The file declares an XML entity whose value is not plain text: entities may not refer to others, or to files.'
  }
  return undefined
}

function count(text: string, pattern: RegExp): number {
  return text.match(pattern)?.length ?? 0
}
