import { mapParsed, type Parsed } from '../../../call/parsed.ts'
import { maxListed } from '../../../items/categories/completeness-operations.ts'
import { coverageDays, overfull } from '../../../items/categories/coverage.ts'
import { itemLimits } from '../../../items/item.ts'
import { searchWindow } from '../../../items/search/search-operations.ts'
import { completenessShape, completenessToWire, coverageShape, coverageToWire } from '../../shapes/items/coverage.ts'
import { type Endpoint, endpointsOf } from '../endpoint.ts'
import { pageParameters } from '../page-parameters.ts'
import { guard, optionalText } from '../parameter-types.ts'

const endpoint = endpointsOf('items')

const forOrganization = 'for the organization'
const group = guard(optionalText('Id of a group: only its items.', { maxLength: 128 }), forOrganization)
const listed = `At most ${maxListed} owners and ${maxListed} types are listed.`
const ofVisible = 'All counts are of items that the caller sees.'

/** How completely items are sorted into categories. */
export const completenessRows: readonly Endpoint[] = [
  endpoint({
    id: 'readCompleteness',
    title: 'Completeness of categories',
    goals: ['Sort content into categories'],
    path: '/content/categories/completeness',
    parameters: {
      owner: optionalText('Username: only items of this owner.', { maxLength: 128 }),
      type: optionalText('Type: only items of this type.', { maxLength: itemLimits.type }),
      group,
      ...pageParameters,
    },
    who: 'Members of the organization; with group, who sees the group',
    summary: 'Items of the organization that need a category by its policy and have none.',
    source: 'chosen',
    extension: 'completeness',
    chosen: [
      'The policy is `categoryPolicy` of the organization, which updatePortal sets. It is applied here whatever it requires, so that it can be tried before.',
      `${ofVisible} ${listed}`,
      `The last modified come first, and only the first ${searchWindow.toLocaleString('en')} are paged.`,
    ],
    answers: { json: completenessShape },
    example: {
      answer: {
        policy: { require: 'off', below: [], types: [], when: 'public' },
        items: 0,
        missing: 0,
        byOwner: [],
        byType: [],
        total: 0,
        start: 1,
        num: 10,
        nextStart: -1,
        results: [],
      },
    },
    async answer({ input, run }) {
      return { json: completenessToWire(await run({ groupId: groupOf(input), wish: input })) }
    },
  }),
  endpoint({
    id: 'readCoverage',
    title: 'Coverage of categories',
    goals: ['Sort content into categories'],
    path: '/content/categories/coverage',
    parameters: {
      group: guard(
        optionalText('Id of a group: its items by its own categories.', { maxLength: 128 }),
        forOrganization,
      ),
    },
    who: 'Members of the organization; with group, who sees the group. The history: portal:admin:viewItems, or owner and managers of the group',
    summary: 'How items of the organization, or of a group, are spread over its categories.',
    source: 'chosen',
    extension: 'coverage',
    chosen: [
      `${ofVisible} ${listed} The history counts all items, and so is empty for callers who do not see them.`,
      `A category is overfull if more than ${overfull.part * 100} percent of the items carry it itself, and at least ${overfull.items} do.`,
      `The history has an entry for each day on which a server ran; entries are kept for ${coverageDays} days.`,
    ],
    answers: { json: coverageShape },
    example: {
      answer: {
        items: 2,
        uncategorized: 1,
        categories: [
          { path: '/Region', title: 'Region', depth: 1, items: 0, itemsBelow: 1, state: 'filled' },
          { path: '/Region/World', title: 'World', depth: 2, items: 0, itemsBelow: 0, state: 'empty' },
          { path: '/Region/Europe', title: 'Europe', depth: 2, items: 0, itemsBelow: 1, state: 'filled' },
          { path: '/Region/Europe/Alps', title: 'Alps', depth: 3, items: 1, itemsBelow: 1, state: 'filled' },
        ],
        unrecognized: [],
        uncategorizedByOwner: [{ value: 'admin', count: 1 }],
        uncategorizedByType: [{ value: 'Application', count: 1 }],
        history: [],
      },
    },
    async answer({ input, run }) {
      return { json: coverageToWire(await run({ groupId: groupOf(input), asked: input })) }
    },
  }),
]

/** The group that is asked for; undefined for none, and where the input is refused later. */
function groupOf(input: Parsed<{ readonly group: string | undefined }>): string | undefined {
  const given = mapParsed(input, (values) => values.group?.trim() || undefined)
  return 'value' in given ? given.value : undefined
}
