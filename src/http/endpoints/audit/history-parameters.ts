import { type TargetType, targetTypes } from '../../../audit/actions.ts'
import type { Meaning } from '../../../audit/filter.ts'
import type { HistoryQuery } from '../../../audit/operations.ts'
import { sortOrders } from '../../../directory/group.ts'
import { fold } from '../../../search/folding.ts'
import { outcomes } from '../../shapes/audit/history-entry.ts'
import {
  optionalBoolean,
  optionalChoice,
  optionalInteger,
  optionalList,
  optionalText,
  type Parameter,
  type Values,
  Wrong,
  withDefault,
} from '../parameter-types.ts'

/** Maximum number of entries of a page, and of a file (documented). */
const maxPageSize = 100
const maxFileEntries = 10_000
const usualPage = 25

const names = { max: 100, maxLength: 128 }
const types = Object.keys(targetTypes) as TargetType[]

/** Maximum number of words of `q` (chosen). */
const maxWords = 10

/** Maximum number of pairs of `meanings` (chosen): two words for each operation. */
const maxMeanings = 500

export const historyParameters = {
  q: optionalWords(),
  meanings: optionalMeanings(),
  types: optionalTypes(),
  id: optionalText('Id of the target, or username.', { maxLength: 256 }),
  actors: optionalList('Usernames of callers; case counts.', names),
  owners: optionalList('Usernames of owners of the target; case counts.', names),
  actions: optionalList('Actions, or names of operations.', names),
  without: optionalList(
    'Actions, or names of operations, whose entries are left out where they were done; refusals stay.',
    names,
  ),
  outcome: optionalChoice('Whether it was done or refused; default both.', outcomes),
  fromDate: optionalTime('Earliest time: ISO 8601, of UTC without an offset, or epoch milliseconds.', startOfDay),
  toDate: optionalTime('Latest time, in the same form; of a date alone, the end of that day.', endOfDay),
  ips: optionalList('Network addresses of callers.', names),
  all: optionalBoolean(
    'true: whatever the target is. By default only what was done to the organization itself, unless types is given; on the pages of the directory, everything.',
  ),
  sortOrder: withDefault(optionalChoice('Sort order of time; default desc.', sortOrders), 'desc'),
  start: optionalText('The nextKey of the answer before; by default, or with 0 or 1, from the beginning.', {
    maxLength: 1_000,
  }),
  num: withDefault(
    optionalInteger(
      `Most entries; default ${usualPage}. A value above ${maxPageSize}, of csv and ndjson above ${maxFileEntries.toLocaleString('en')}, is reduced to it.`,
      { minimum: 1, cap: maxFileEntries },
    ),
    usualPage,
  ),
}

/** The query that the parameters describe, without the place where it starts. */
export function queryOf(given: Values<typeof historyParameters>, format: string): Omit<HistoryQuery, 'after'> {
  const {
    q,
    meanings,
    types,
    id,
    actors,
    owners,
    actions,
    without,
    outcome,
    fromDate,
    toDate,
    ips,
    all,
    sortOrder,
    num,
  } = given
  const isFile = format === 'csv' || format === 'ndjson'
  const organizationOnly = types === undefined && !(all ?? format === 'html')
  const filter = {
    types: organizationOnly ? (['a'] as const) : types,
    id: id?.trim() || undefined,
    actors: ifAny(actors),
    actions: ifAny(actions),
    without: ifAny(without),
    addresses: ifAny(ips),
    from: fromDate,
    to: toDate,
    succeeded: outcome && outcome === 'success',
    words: q,
    meanings: q && meanings,
  }
  return {
    filter: Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined)),
    owners: ifAny(owners),
    order: sortOrder,
    num: Math.min(num, isFile ? maxFileEntries : maxPageSize),
  }
}

/** The list; undefined if it is empty (chosen). */
function ifAny(words: readonly string[] | undefined): readonly string[] | undefined {
  return words?.length ? words : undefined
}

/** Whether `start` is the first position: clients send 0 or 1 for it, as in other lists (observed). */
export function isBeginning(start: string | undefined): boolean {
  return start === undefined || ['', '0', '1'].includes(start.trim())
}

function optionalWords(): Parameter<readonly string[] | undefined> {
  const meaning =
    'Words that all have to be there: usernames of callers, ids of targets, types, actions, operations, addresses, words of what the operation adds, such as a comment, or beginnings of words of present names and titles (of 100 users, groups and items each).'
  const words = optionalText(meaning, { maxLength: 1_000 })
  return {
    type: words.type,
    isRequired: words.isRequired,
    meaning,
    read(given) {
      const text = words.read(given)
      if (text === undefined || text instanceof Wrong) return text
      const read = text.split(/\s+/).filter((word) => fold(word) !== '')
      if (read.length > maxWords) return new Wrong(`has ${read.length} words; at most ${maxWords} are allowed.`)
      return read.length > 0 ? read : undefined
    },
  }
}

function optionalMeanings(): Parameter<readonly Meaning[] | undefined> {
  const meaning =
    'Operations, or success and refused, that words of q mean in the language of a reader, as take:joinGroup,part:joinGroup: their entries have these words too.'
  const words = optionalList(meaning, { max: maxMeanings, maxLength: 256 })
  return {
    type: words.type,
    isRequired: words.isRequired,
    meaning,
    read(given) {
      const read = words.read(given)
      if (read === undefined || read instanceof Wrong) return read
      const pairs = read.map((pair) => {
        const at = pair.lastIndexOf(':')
        return { word: pair.slice(0, Math.max(at, 0)), operation: pair.slice(at + 1) }
      })
      const isWhole = pairs.every(({ word, operation }) => word !== '' && operation !== '')
      return isWhole ? (pairs.length > 0 ? pairs : undefined) : new Wrong('has to be pairs such as take:joinGroup.')
    },
  }
}

function optionalTypes(): Parameter<readonly TargetType[] | undefined> {
  const meaning = `Types of targets: ${types.join(', ')}.`
  const words = optionalList(meaning, { max: types.length, maxLength: 8 })
  return {
    type: words.type,
    isRequired: words.isRequired,
    meaning,
    read(given) {
      const read = words.read(given)
      if (read === undefined || read instanceof Wrong) return read
      const known = types.filter((type) => read.includes(type))
      return known.length === read.length
        ? known.length > 0
          ? known
          : undefined
        : new Wrong(`has to name ${types.join(', ')}.`)
    },
  }
}

const day = 86_400_000

function startOfDay(midnight: number): number {
  return midnight
}

function endOfDay(midnight: number): number {
  return midnight + day - 1
}

/** A point in time. A client sends it as JSON, with quotes round it (observed). */
function optionalTime(meaning: string, ofDate: (midnight: number) => number): Parameter<number | undefined> {
  return {
    type: 'string',
    isRequired: false,
    meaning,
    read(given) {
      const text = (given ?? '')
        .trim()
        .replace(/^(["'])(.*)\1$/, '$2')
        .trim()
      if (text === '') return undefined
      const time = parseTime(text, ofDate)
      return time !== undefined && Math.abs(time) <= latestTime
        ? time
        : new Wrong('is not a time in ISO 8601 or in epoch milliseconds.')
    },
  }
}

/** Latest time of a Date in ECMAScript, in milliseconds. */
const latestTime = 8.64e15

function parseTime(text: string, ofDate: (midnight: number) => number): number | undefined {
  if (/^-?\d{1,16}$/.test(text) && !/^\d{4}$/.test(text)) return Number(text)
  const [, date, rest] = /^(\d{4}-\d{2}-\d{2})(?:[T ](.+))?$/.exec(text) ?? []
  if (date === undefined) return undefined
  const midnight = Date.parse(`${date}T00:00:00Z`)
  if (Number.isNaN(midnight) || new Date(midnight).toISOString().slice(0, 10) !== date) return undefined
  if (rest === undefined) return ofDate(midnight)
  const [, clock, offset = 'Z'] = /^(\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)(Z|[+-]\d{2}:\d{2})?$/i.exec(rest) ?? []
  const time = clock === undefined ? Number.NaN : Date.parse(`${date}T${clock}${offset.toUpperCase()}`)
  return Number.isNaN(time) ? undefined : time
}
