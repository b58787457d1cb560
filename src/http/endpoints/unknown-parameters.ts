import { findNearest, withHint } from '../../spelling.ts'
import type { RequestParameters } from '../request/request-parameters.ts'
import type { Endpoint } from './endpoint.ts'

/** Hints at parameters that are not, or not quite, the row's: they follow from the request and the row alone (chosen). */

/** Numbers that were reduced to the largest that is allowed, a sentence for each. */
export function findReduced({ parameters }: Endpoint, given: Pick<RequestParameters, 'find'>): readonly string[] {
  return Object.entries(parameters).flatMap(([name, { cap }]) => {
    const found = cap === undefined ? undefined : given.find(name)
    const isReduced = found !== undefined && 'text' in found && Number(found.text) > cap!
    return isReduced ? [`${name}: ${Number(found.text)} was reduced to ${cap}, the maximum.`] : []
  })
}

/** Longest name of a parameter that is repeated to the client, in characters, and most of them. */
const longestName = 64
const mostNames = 10

/** Parameters of every request. */
const ofEveryRequest = ['f', 'token']

type Named = Pick<RequestParameters, 'names' | 'areAll'>

/** Parameters that the row does not know, a sentence for each. */
export function findIgnored(row: Endpoint, given: Named): readonly string[] {
  return findUnknown(row, given).map(({ sentence }) => sentence)
}

/** Those of them that are near to one of the row's own: clients send what is documented elsewhere, but nothing of the kind. */
export function findMisspelt(row: Endpoint, given: Named): readonly string[] {
  return findUnknown(row, given).flatMap(({ sentence, meant }) => (meant === undefined ? [] : [sentence]))
}

function findUnknown({ parameters }: Endpoint, given: Named) {
  // Nearly always, as they are written.
  if (given.areAll((name) => Object.hasOwn(parameters, name) || ofEveryRequest.includes(name))) return []
  const names = given.names()
  const known = new Set([...Object.keys(parameters), ...ofEveryRequest].map((name) => name.toLowerCase()))
  const unknown = names.filter((name) => name !== '' && !known.has(name.toLowerCase()))
  if (unknown.length === 0) return []
  const present = new Set(names.map((name) => name.toLowerCase()))
  const absent = Object.keys(parameters).filter((name) => !present.has(name.toLowerCase()))
  return unknown.slice(0, mostNames).map((name) => {
    const meant = findNearest(name, absent)
    const shown = name.length > longestName ? `${name.slice(0, longestName).toWellFormed()}…` : name
    return { meant, sentence: withHint(`${shown} is unknown`, meant) }
  })
}
