import type { Parsed } from '../../../call/parsed.ts'
import type { Extent } from '../../../items/item.ts'
import { type ItemQuery, parseItemQuery } from '../../../items/search/item-query.ts'
import { type FacetField, facetFields, type ItemSortField } from '../../../items/search/item-search.ts'
import type { CategoryHolder } from '../../../search/condition.ts'
import { numMeaning, startOf } from '../page-parameters.ts'
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
import { withoutEffect } from '../unused-parameters.ts'
import { optionalLists } from './category-lists.ts'

const maxPageSize = 100
const maxExcluded = 20
const maxCounted = 3

/** Sort field that is 0 for every item, so that it does not change the order. */
const constant = undefined

/** Names of sort fields without hyphens: clients write some of them with one (observed). */
const sortFields: Readonly<Record<string, ItemSortField | undefined>> = {
  relevance: 'relevance',
  title: 'title',
  name: 'title',
  created: 'created',
  uploaded: 'created',
  modified: 'modified',
  type: 'type',
  owner: 'owner',
  numviews: constant,
  avgrating: constant,
  numratings: constant,
  numcomments: constant,
  scorecompleteness: constant,
}

/** Fields of sortField, each once; undefined where none is given. */
function optionalSortFields(meaning: string): Parameter<readonly ItemSortField[] | undefined> {
  return {
    type: 'list',
    isRequired: false,
    meaning,
    read(given) {
      const names = namesOf(given)
      if (names.length === 0) return undefined
      const keys = names.map((name) => name.replaceAll('-', ''))
      if (!keys.every((key) => Object.hasOwn(sortFields, key))) {
        return new Wrong(`has to be one of ${Object.keys(sortFields).join(', ')}, or several.`)
      }
      return [...new Set(keys.map((key) => sortFields[key]).filter((field) => field !== undefined))]
    },
  }
}

/** Names in lower case, without empty ones. */
function namesOf(given: string | undefined): readonly string[] {
  const names = (given ?? '').toLowerCase().split(',', 100)
  return names.map((name) => name.trim()).filter((name) => name !== '')
}

const countedFields = [...facetFields, 'contentstatus'] as const
export type CountedField = FacetField | 'contentstatus'

function optionalCountFields(meaning: string): Parameter<readonly CountedField[]> {
  return {
    type: 'list',
    isRequired: false,
    meaning,
    read(given) {
      const names = [...new Set(namesOf(given))]
      const fields = countedFields.filter((field) => names.includes(field))
      if (fields.length < names.length) return new Wrong(`has to be some of ${countedFields.join(', ')}.`)
      if (names.length > maxCounted) return new Wrong(`has ${names.length} fields; at most ${maxCounted} are allowed.`)
      return names as readonly CountedField[]
    },
  }
}

/** `west,south,east,north`; empty is none (observed). */
function optionalExtent(meaning: string): Parameter<Extent | undefined> {
  return {
    type: 'string',
    isRequired: false,
    meaning,
    read(given) {
      if (given === undefined || given.trim() === '') return undefined
      const texts = given.split(',', 5).map((text) => text.trim())
      const numbers = texts.map(Number)
      if (texts.length !== 4 || texts.includes('') || !numbers.every(Number.isFinite)) {
        return new Wrong('has to be four numbers: west,south,east,north.')
      }
      const extent = numbers as unknown as Extent
      const [west, south, east, north] = extent
      return west <= east && south <= north ? extent : new Wrong('has to have west before east and south before north.')
    },
  }
}

/** Parameters that say which items are meant. */
export const conditionParameters = {
  q: optionalText(
    'What is searched: words, "phrases", field:value, field:[least TO most], AND, OR, NOT, brackets, and * at the end of words.',
  ),
  filter: optionalText('The same with whole values: field:"value", and operators in any case.'),
  bbox: optionalExtent('west,south,east,north in degrees: items whose extent overlaps.'),
  categories: optionalLists(
    'Paths or titles of categories, separated by commas or as JSON: items with one of them, or with one below. ' +
      'Repeated, or as a JSON array of arrays, all lists have to hold. Up to 8 lists of 8.',
    { lists: 8, entries: 8 },
  ),
  categoryFilters: optionalLists(
    'Words in titles of categories, in the forms of categories: up to 2 lists of 3. Not together with categories.',
    { lists: 2, entries: 3 },
  ),
  uncategorized: optionalBoolean('Whether only items without any category are found.'),
}

/** The query that these parameters mean, of whatever order. */
export function conditionOf(
  input: Parsed<Values<typeof conditionParameters>>,
  holder: CategoryHolder,
): Parsed<ItemQuery> {
  if ('problems' in input) return input
  const { q, filter, bbox, categories, categoryFilters, uncategorized = false } = input.value
  const given = { q, filter, bbox, categories, categoryFilters, uncategorized }
  const order = { sortFields: undefined, sortOrder: 'asc', countFields: [], countSize: 0 } as const
  return parseItemQuery({ ...given, ...order }, holder)
}

/** Parameters of the two searches for items. */
export const searchParameters = {
  ...conditionParameters,
  start: startOf(Number.MIN_SAFE_INTEGER),
  num: withDefault(optionalInteger(numMeaning(10, maxPageSize), { minimum: 0, cap: maxPageSize }), 10),
  sortField: optionalSortFields(
    `Fields to sort by, separated by commas: ${Object.keys(sortFields).join(', ')}. Default relevance if q has words without a field, else modified, latest first.`,
  ),
  sortOrder: optionalChoice('Sort order of all fields; default asc.', ['asc', 'desc']),
  countFields: optionalCountFields(
    `Fields whose values are counted over the whole result, separated by commas: ${countedFields.join(', ')}; up to ${maxCounted}.`,
  ),
  countSize: withDefault(
    optionalInteger('Values of each counted field; default 10. A value above 200 is reduced to it.', {
      minimum: 0,
      cap: 200,
    }),
    10,
  ),
  exclude: optionalList('Members that are left off the results, separated by commas.', {
    max: maxExcluded,
    maxLength: 128,
  }),
  ...withoutEffect(
    'enriched',
    'displaySublayers',
    'displayServiceProperties',
    'MeanPixelSize',
    'BandCount',
    'searchUserAccess',
    'searchUserName',
  ),
}
