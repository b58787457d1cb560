import { findNearest, withHint } from '../../spelling.ts'
import type { Given, RequestParameters } from '../decoding/request-parameters.ts'
import type { Shape } from '../shapes/shape.ts'
import type { Endpoint } from './endpoint.ts'
import type { Parameters } from './parameter-types.ts'

/** Sentences about what a request carries that has no effect: they follow from the request and the row alone (chosen). */

/** Numbers that were reduced to the largest that is allowed, a sentence for each. */
export function findReduced({ parameters }: Endpoint, given: Pick<RequestParameters, 'find'>): readonly string[] {
  return Object.entries(parameters).flatMap(([name, { cap }]) => {
    const found = cap === undefined ? undefined : given.find(name)
    const isReduced = found !== undefined && 'text' in found && Number(found.text) > cap!
    return isReduced ? [`${name}: ${Number(found.text)} was reduced to ${cap}, the maximum.`] : []
  })
}

/** Maximum length of a parameter name that is repeated to the client, in UTF-16 code units. */
const maxNameLength = 60

/** Maximum number of sentences in one answer. */
const maxWarnings = 10

/** Parameters of every request: the last four keep caches from answering (observed). */
const ofEveryRequest: ReadonlySet<string> = new Set(['f', 'token', '_', '_ts', 'ts', 'dojo.preventcache'])

/** Paths whose answers have no warnings: sign-in programs and probes compare them (chosen). */
const withoutWarnings = /^\/(generateToken$|oauth2\/(?!apps|registerApp)|info$)/

type Named = Pick<RequestParameters, 'names' | 'areAll'>
type GivenParameters = Named & Pick<RequestParameters, 'find' | 'findFile'>

/** Warnings about parameters that the row does not have or does not use, one sentence each. */
export function findIneffective(row: Endpoint, given: GivenParameters): readonly string[] {
  if (!warnsOf(row) || areAllUsed(row, given)) return []
  const unknown = findUnknown(row, given).map(({ sentence }) => sentence)
  return [...findUnused(row, given), ...unknown].slice(0, maxWarnings)
}

/** Warnings about unknown parameters whose names are near to one of the row's own, and so are probably misspelt. */
export function findMisspelt(row: Endpoint, given: Named): readonly string[] {
  if (areAllUsed(row, given)) return []
  return findUnknown(row, given).flatMap(({ sentence, meant }) => (meant === undefined ? [] : [sentence]))
}

/** Whether its answer has room for warnings: a value that has members, of a row that is not for sign-in. */
export function warnsOf({ path, answers }: Pick<Endpoint, 'path' | 'answers'>): boolean {
  return 'json' in answers && answers.json.properties !== undefined && !withoutWarnings.test(path)
}

/** Whether all given parameters are known and used, in exact spelling: the usual case, checked first. */
function areAllUsed({ parameters }: Endpoint, given: Named): boolean {
  return given.areAll((name) => ofEveryRequest.has(name) || isUsed(parameters, name))
}

function isUsed(parameters: Parameters, name: string): boolean {
  return Object.hasOwn(parameters, name) && parameters[name]!.unused === undefined
}

function findUnknown({ parameters, takesBack }: Endpoint, given: Named) {
  const names = given.names()
  const described = Object.keys(parameters)
  const known = new Set(['', ...ofEveryRequest, ...[...described, ...membersOf(takesBack)].map(toKey)])
  const present = new Set(names.map(toKey))
  const absent = described.filter((name) => isUsed(parameters, name) && !present.has(toKey(name)))
  const unknown = names.filter((name) => !known.has(toKey(name))).slice(0, maxWarnings)
  return unknown.map((name) => {
    const meant = findNearest(name, absent)
    return { meant, sentence: withHint(`${shorten(name)} is unknown`, meant) }
  })
}

/** Warnings about given parameters without effect. An empty value or a flag that is not set requests nothing: no warning. */
function findUnused({ parameters, takesBack }: Endpoint, given: GivenParameters): readonly string[] {
  const members = membersOf(takesBack).filter((name) => !namesIt.has(name) && !Object.hasOwn(parameters, name))
  const unused = Object.keys(parameters).filter((name) => parameters[name]!.unused === 'named')
  const isWhole = takesBack !== undefined && given.find(memberOfWhole) !== undefined
  const vain = isWhole ? unused.filter((name) => !membersOf(takesBack).includes(name)) : [...unused, ...members]
  return vain.filter((name) => asks(given, name)).map((name) => `${name} has no effect here.`)
}

/** A resource that is sent back whole has this member, which no client gives by itself. */
const memberOfWhole = 'created'
/** Members by which clients name a resource that they change (observed). */
const namesIt: ReadonlySet<string> = new Set(['id', 'username', 'owner'])

function membersOf(shape: Shape | undefined): readonly string[] {
  return Object.keys(shape?.properties ?? {})
}

function toKey(name: string): string {
  return name.toLowerCase()
}

/** Values that request nothing. */
const nothing: ReadonlySet<string> = new Set(['', 'false', 'null'])

function asks(given: GivenParameters, name: string): boolean {
  const hasValue = textsOf(given.find(name)).some((text) => !nothing.has(text.trim().toLowerCase()))
  return hasValue || (given.findFile(name)?.length ?? 0) > 0
}

function textsOf(given: Given | undefined): readonly string[] {
  if (given === undefined || 'malformed' in given) return []
  return 'text' in given ? [given.text] : given.texts
}

/** Name for use in a sentence: without blanks and control signs it cannot inject text or reverse its direction. */
export function shorten(name: string): string {
  const start = name.slice(0, maxNameLength).toWellFormed()
  return `${start.replace(/[^\p{L}\p{N}_.$-]+/gu, '…')}${name.length > maxNameLength ? '…' : ''}`
}
