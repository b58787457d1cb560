import type { Parsed } from '../../../call/parsed.ts'
import { type ItemWish, parseItemQuery } from '../../../items/search/item-query.ts'
import { facetFields } from '../../../items/search/item-search.ts'
import { searchWindow } from '../../../items/search/search-operations.ts'
import type { CategoryHolder } from '../../../search/condition.ts'
import { exampleIds, singlePage } from '../../examples/examples.ts'
import { itemAnswer } from '../../examples/items.ts'
import { foundItemsShape, foundItemsToWire, groupItemShape, groupItemToWire } from '../../shapes/items/found-items.ts'
import { pageOf, pageToWire } from '../../shapes/page.ts'
import { type Endpoint, endpointsOf } from '../endpoint.ts'
import { pageParameters } from '../page-parameters.ts'
import type { Values } from '../parameter-types.ts'
import { searchParameters } from './search-parameters.ts'

const endpoint = endpointsOf('items')

type SearchInput = Values<typeof searchParameters>

const { groupId } = exampleIds

const chosen = [
  'Without q, bbox and categories, everything that the caller sees is found. Totals and counts are of what the caller sees.',
  'Case and marks do not count: texts are compared in compatibility decomposition without marks, in lower case. Words are runs of letters and digits, and are not stemmed; * at the end stands for the rest of a word. The first 128 characters of a word and the first 10,000 words of a text are compared.',
  'A term of several words is a phrase. Commas separate as blanks do. An OR of negatives only means that none of them may match.',
  'Words without a field are searched in title, tags, snippet, description, type and typekeywords, and 32 hexadecimal digits among the ids too. With quotation marks type is compared as a whole, without them word by word; typekeywords, owner and the like as a whole. field:* has any value, field:"" has none.',
  'Unknown fields, wildcards inside the words of texts, and anything that is not understood are refused with the place. contentstatus, classification, meanpixelsize, bandcount and extent are known and match nothing; numviews, numratings, numcomments and avgrating are 0.',
  'At most 10,240 bytes, 1,024 terms and 32 brackets inside one another; and 1,024 words and values to look up, of which each different word counts once for each field that it is searched in, and one with a wildcard or a range of texts eight times.',
  `A negative start, or one after the last entry, answers an empty page, and only the first ${searchWindow.toLocaleString('en')} entries are paged; the total counts all.`,
  'By relevance, items whose title alone has the words come first, and then the last modified, whatever sortOrder. Items that are equal in the sort fields are in the order of their ids.',
  'Categories match in any case, with everything below them. Counts of categories have the categories above too, those of tags and types the commonest spelling.',
]

/** Rows that search the items visible to the caller. */
export const itemSearchRows: readonly Endpoint[] = [
  endpoint({
    id: 'searchItems',
    title: 'Search',
    goals: ['Find content by words and categories'],
    path: '/search',
    parameters: searchParameters,
    token: 'optional',
    who: 'Anyone; only items that the caller can see are found',
    summary: 'Searches for items, and counts them by category, tag, type or access.',
    chosen,
    answers: { json: foundItemsShape },
    example: {
      parameters: { q: 'lakes', categories: '/Region/Europe', countFields: 'categories' },
      answer: {
        query: 'lakes',
        ...singlePage('results', [itemAnswer]),
        aggregations: {
          counts: [
            {
              fieldName: 'categories',
              fieldValues: [
                { value: '/Region', count: 1 },
                { value: '/Region/Europe', count: 1 },
                { value: '/Region/Europe/Alps', count: 1 },
              ],
            },
          ],
        },
      },
    },
    async answer({ input, run }) {
      const found = await run({ query: queryOf(input, 'portal'), page: input })
      return { json: foundItemsToWire(found, asked(input)) }
    },
  }),
  endpoint({
    id: 'searchGroupItems',
    title: 'Search in a group',
    task: 'search items',
    goals: ['Find content by words and categories'],
    path: '/content/groups/:groupId/search',
    parameters: searchParameters,
    token: 'optional',
    who: 'Who sees the group; only items that the caller can see are found',
    summary: 'Searches for items of a group, by the categories that the group gave them.',
    chosen: [
      'categories, categoryFilters, uncategorized and the counts of categories are those of the group; categories in q are those of the organization.',
      'Otherwise as in /search.',
    ],
    answers: { json: foundItemsShape },
    example: {
      ids: { groupId },
      parameters: { q: 'lakes', exclude: 'description,url' },
      answer: {
        query: 'lakes',
        ...singlePage('results', [withoutMembers({ ...itemAnswer, groupCategories: [] }, 'description', 'url')]),
      },
    },
    async answer({ ids, input, run }) {
      const found = await run({ groupId: ids.groupId, query: queryOf(input, ids), page: input })
      return { json: foundItemsToWire(found, asked(input)) }
    },
  }),
  endpoint({
    id: 'listGroupItems',
    title: 'Items of the group',
    task: 'list items',
    path: '/content/groups/:groupId',
    parameters: { sortField: searchParameters.sortField, sortOrder: searchParameters.sortOrder, ...pageParameters },
    token: 'optional',
    who: 'Who sees the group; only items that the caller can see are listed',
    summary: 'Items that are shared with a group.',
    chosen: ['By default the last modified come first.'],
    answers: { json: pageOf('items', groupItemShape) },
    example: { ids: { groupId }, answer: singlePage('items', [{ ...itemAnswer, groupCategories: [] }]) },
    async answer({ ids, input, run }) {
      const query = 'problems' in input ? input : parseItemQuery({ ...nothingAsked, ...orderOf(input.value) }, 'portal')
      const found = await run({ groupId: ids.groupId, query, page: input })
      return { json: pageToWire('items', found, groupItemToWire) }
    },
  }),
]

const nothingAsked: ItemWish = {
  q: undefined,
  filter: undefined,
  bbox: undefined,
  categories: [],
  categoryFilters: [],
  uncategorized: false,
  sortFields: undefined,
  sortOrder: 'asc',
  countFields: [],
  countSize: 0,
}

function queryOf(input: Parsed<SearchInput>, holder: CategoryHolder): ReturnType<typeof parseItemQuery> {
  if ('problems' in input) return input
  const { value } = input
  return parseItemQuery(
    {
      ...value,
      ...orderOf(value),
      uncategorized: value.uncategorized ?? false,
      countFields: facetFields.filter((field) => value.countFields.includes(field)),
    },
    holder,
  )
}

function orderOf({ sortField, sortOrder = 'asc' }: Pick<SearchInput, 'sortField' | 'sortOrder'>) {
  return { sortFields: sortField, sortOrder }
}

/** Parameters that the answer repeats. Invalid ones get placeholders, as no answer is made then. */
function asked(input: Parsed<SearchInput>): Pick<SearchInput, 'q' | 'countFields' | 'exclude'> {
  return 'value' in input ? input.value : { q: undefined, countFields: [], exclude: undefined }
}

function withoutMembers<Item extends object>(item: Item, ...names: readonly (keyof Item & string)[]): Partial<Item> {
  const kept = Object.entries(item).filter(([name]) => !(names as readonly string[]).includes(name))
  return Object.fromEntries(kept) as Partial<Item>
}
