import { isOwnerOrManager } from '../../../directory/membership.ts'
import { groupAnswer, landCover } from '../../examples/examples.ts'
import { itemAnswer, itemId } from '../../examples/items.ts'
import { groupShape, groupToWire } from '../../shapes/directory/group.ts'
import { itemShape, itemToWire } from '../../shapes/items/item.ts'
import { any, list, object } from '../../shapes/shape.ts'
import { type Endpoint, endpointsOf } from '../endpoint.ts'

const endpoint = endpointsOf('items')

const who =
  'Anyone who sees the item: its owner; members of groups that it is shared with; the organization or anyone, depending on access; administrators'

/** Items as they are read. */
export const itemRows: readonly Endpoint[] = [
  endpoint({
    id: 'readItem',
    title: 'Item',
    path: '/content/items/:itemId',
    can: { id: 'itemId', idsOf: ({ owner }) => ({ username: String(owner) }) },
    token: 'optional',
    who,
    summary: 'An item.',
    chosen: [
      'Reading counts no view: numViews is always 0.',
      'There are no folders, thumbnails, comments and ratings: their members are empty.',
    ],
    answers: { json: itemShape },
    example: { ids: { itemId }, answer: itemAnswer },
    async answer({ ids, run }) {
      return { json: itemToWire(await run({ itemId: ids.itemId })) }
    },
  }),
  endpoint({
    id: 'listItemGroups',
    title: 'Groups of the item',
    task: 'list groups',
    path: '/content/items/:itemId/groups',
    token: 'optional',
    who,
    summary: 'The groups that the item is shared with, as far as the caller sees them.',
    answers: {
      json: object({
        admin: list(groupShape, 'Groups that the caller owns or manages.'),
        member: list(groupShape, 'Other groups that the caller is a member of.'),
        other: list(groupShape, 'Groups that the caller only sees.'),
      }),
    },
    example: {
      ids: { itemId },
      answer: { admin: [groupAnswer(landCover, 'admin', 'owner')], member: [], other: [] },
    },
    async answer({ ids, run }) {
      const { groups, username } = await run({ itemId: ids.itemId })
      const those = (isWanted: (memberType: (typeof groups)[number]['memberType']) => boolean) =>
        groups
          .filter(({ memberType }) => isWanted(memberType))
          .map(({ group, memberType }) => groupToWire(group, username, memberType))
      return {
        json: {
          admin: those(isOwnerOrManager),
          member: those((type) => type === 'member'),
          other: those((type) => type === undefined),
        },
      }
    },
  }),
  endpoint({
    id: 'readItemData',
    title: 'Data of the item',
    path: '/content/items/:itemId/data',
    token: 'optional',
    who,
    summary: 'The data of the item as it was given; nothing if there is none.',
    chosen: [
      'The format f has no effect. JSON is application/json, anything else text/plain, so that no browser runs it.',
    ],
    answers: { text: any('The data as it was given.') },
    example: { ids: { itemId }, answer: { baseMap: { title: 'Topography' } } },
    async answer({ ids, run }) {
      return { text: (await run({ itemId: ids.itemId })) ?? '' }
    },
  }),
]
