import type { AuditEntry } from '../call/audit-entry.ts'
import { fold } from '../search/folding.ts'
import { type AuditedOperation, auditedOperations, type TargetType } from './actions.ts'
import { describeEntry } from './described-entry.ts'

/** Filter for the entries of an organization; an entry has to match each member that is given. */
export interface AuditFilter {
  readonly types?: readonly TargetType[]
  /** Id of a target, or username. */
  readonly id?: string
  /** Usernames, exactly. */
  readonly actors?: readonly string[]
  /** Ids of users. */
  readonly ownerIds?: readonly string[]
  /** Actions, or names of operations. */
  readonly actions?: readonly string[]
  /** Actions, or names of operations: their successful calls are left out, their refusals are not. */
  readonly without?: readonly string[]
  /** Epoch milliseconds, inclusive. */
  readonly from?: number
  /** Epoch milliseconds, inclusive. */
  readonly to?: number
  readonly addresses?: readonly string[]
  readonly succeeded?: boolean
  /** Words that all have to match: user, target, type, action, operation, address, or a word of the data. */
  readonly words?: readonly string[]
  /** Operations and outcomes that words mean in the language of a reader: their entries have these words too. */
  readonly meanings?: readonly Meaning[]
  /** Users, and targets, whose names have words of the search: their entries have these words too. */
  readonly named?: readonly Named[]
}

/** A word, and the usernames and ids that it names. */
export interface Named {
  readonly word: string
  readonly ids: readonly string[]
}

/** An operation, or `success` or `refused`, that a word means. */
export interface Meaning {
  readonly word: string
  readonly operation: string
}

/** Whether an entry matches. The index only finds candidates; this function decides. */
export function matches(entry: AuditEntry, filter: AuditFilter): boolean {
  const { at, username, address, ownerId } = entry
  if (at < (filter.from ?? at) || at > (filter.to ?? at)) return false
  if (!isAmong(username, filter.actors) || !isAmong(ownerId, filter.ownerIds)) return false
  if (!isAmong(address, filter.addresses)) return false
  const { type, action, succeeded, ids } = describeEntry(entry)
  if (filter.succeeded !== undefined && filter.succeeded !== succeeded) return false
  if (!isAmong(type, filter.types)) return false
  const names = [fold(action), fold(entry.operation)]
  const isNamed = (given: string) => names.includes(fold(given))
  if (filter.actions && !filter.actions.some(isNamed)) return false
  if (succeeded && filter.without?.some(isNamed)) return false
  const { id, words } = filter
  if (id !== undefined && !ids.some((known) => fold(known) === fold(id))) return false
  if (!words) return true
  const known = listWords(entry)
  const outcome = succeeded ? 'success' : 'refused'
  for (const { word, operation } of filter.meanings ?? [])
    if (isNamed(operation) || operation === outcome) known.add(fold(word))
  const whom = [username ?? '', ...ids].map(fold)
  for (const named of filter.named ?? [])
    if (named.ids.some((one) => whom.includes(fold(one)))) known.add(fold(named.word))
  return words.every((word) => known.has(fold(word)))
}

function isAmong<Value>(value: Value, among: readonly Value[] | undefined): boolean {
  return among?.includes(value) ?? true
}

/** Maximum characters of a term in the index; longer values are compared with the entries themselves. */
const maxTermLength = 64

function term(kind: string, text: string): string {
  return kind + fold(text).slice(0, maxTermLength).toWellFormed()
}

const [doneTerm, refusedTerm] = [term('o', 'success'), term('o', 'refused')]
/** Term of entries whose operation this version does not know. */
const unknownTerm = term('t', '')

/** Terms of the index under which an entry is found. */
export function termsOf(entry: AuditEntry): ReadonlySet<string> {
  const { type, action, succeeded, ids } = describeEntry(entry)
  const { username, ownerId, address, operation } = entry
  return new Set([
    succeeded ? doneTerm : refusedTerm,
    type === undefined ? unknownTerm : term('t', type),
    term('a', action),
    term('a', operation),
    term('n', address),
    ...(username === undefined ? [] : [term('u', username)]),
    ...(ownerId === undefined ? [] : [term('w', ownerId)]),
    ...ids.map((id) => term('i', id)),
    ...dataWords(entry).map((word) => term('d', word)),
  ])
}

/** Lists of terms, at least one list: each matching entry has at least one term of every list. */
export function conditionsOf(filter: AuditFilter): readonly (readonly string[])[] {
  const { types, id, actors, ownerIds, actions, addresses, succeeded, words = [], meanings = [], named = [] } = filter
  const given = [
    types?.map((type) => term('t', type)),
    id === undefined ? undefined : [term('i', id)],
    actors?.map((actor) => term('u', actor)),
    ownerIds?.map((ownerId) => term('w', ownerId)),
    actions?.map((action) => term('a', action)),
    addresses?.map((address) => term('n', address)),
    ...words.map((word) => [
      ...['t', 'i', 'u', 'a', 'n', 'd'].map((kind) => term(kind, word)),
      ...meanings
        .filter((one) => fold(one.word) === fold(word))
        .flatMap(({ operation }) => [term('a', operation), term('o', operation)]),
      ...named
        .filter((one) => fold(one.word) === fold(word))
        .flatMap(({ ids }) => ids.flatMap((one) => [term('u', one), term('i', one)])),
    ]),
    keptTerms(filter),
  ].filter((terms) => terms !== undefined)
  if (succeeded !== undefined) return [...given, [succeeded ? doneTerm : refusedTerm]]
  return given.length > 0 ? given : [[doneTerm, refusedTerm]]
}

/** Terms of the entries that `without` keeps: its type's where no operation of the type is left out, otherwise its operation's. */
function keptTerms({ without, succeeded, types }: AuditFilter): readonly string[] | undefined {
  if (!without || succeeded === false) return undefined
  const named = without.map(fold)
  const operations: readonly (readonly [string, AuditedOperation])[] = Object.entries(auditedOperations)
  const isKept = ([name, { action }]: (typeof operations)[number]) =>
    !named.some((one) => one === fold(name) || one === fold(action))
  const terms = [...Map.groupBy(operations, ([, { type }]) => type)].flatMap(([type, some]) => {
    if (types && !types.includes(type)) return []
    return some.every(isKept) ? [term('t', type)] : some.filter(isKept).map(([name]) => term('a', name))
  })
  return [...(succeeded ? [] : [refusedTerm]), ...(types ? [] : [unknownTerm]), ...terms]
}

/** Words that an entry is found by, folded. */
function listWords(entry: AuditEntry): Set<string> {
  const { type = '', action, ids } = describeEntry(entry)
  const texts = [type, action, entry.operation, entry.address, entry.username ?? '', ...ids]
  return new Set([...texts.map(fold), ...dataWords(entry)].filter((word) => word !== ''))
}

/** Maximum words of the data of one entry that are indexed and searched (chosen). */
const maxWords = 64

/** Words of all texts in the data, folded: a comment, a title. Targets are left out: they have terms of their own. */
function dataWords({ data }: AuditEntry): readonly string[] {
  if (!data) return []
  const words = new Set<string>()
  const collect = (value: unknown): void => {
    if (typeof value === 'string')
      for (const word of fold(value).split(wordSeparators)) if (word !== '') words.add(word)
    if (typeof value === 'object' && value !== null) for (const part of Object.values(value)) collect(part)
  }
  const { targets: _, ...rest } = data
  collect(rest)
  return [...words].slice(0, maxWords)
}

const wordSeparators = /[^\p{L}\p{N}_.@-]+/u
