import { mapParsed } from '../../../call/parsed.ts'
import { itemId } from '../../examples/items.ts'
import { pageMembers } from '../../shapes/page.ts'
import { emptyObject, id, integer, list, nullable, object, text } from '../../shapes/shape.ts'
import { successShapeWith, successWith } from '../../shapes/success.ts'
import { type Endpoint, endpointsOf } from '../endpoint.ts'
import { requiredText } from '../parameter-types.ts'
import { sentByClients } from '../unused-parameters.ts'

const endpoint = endpointsOf('items')

export const whoSeesItem =
  'Anyone who sees the item: its owner; members of groups that it is shared with; if access is org, users of the organization with portal:user:viewOrgItems; if it is public, anyone; administrators, and custom roles with portal:admin:viewItems'

/** Rows beside those of items: resources, related items, tags, moves. There are no files, relations or folders. */
export const itemSideRows: readonly Endpoint[] = [
  endpoint({
    id: 'listItemResources',
    title: 'Resources of the item',
    task: 'list resources',
    path: '/content/items/:itemId/resources',
    parameters: sentByClients('start', 'num'),
    token: 'optional',
    who: whoSeesItem,
    summary: 'Files beside the item: none are kept here.',
    answers: { json: object({ ...pageMembers, resources: list(emptyObject(), 'Always empty.') }) },
    example: { ids: { itemId }, answer: { total: 0, start: 1, num: 0, nextStart: -1, resources: [] } },
    async answer({ ids, run }) {
      await run(ids)
      return { json: { total: 0, start: 1, num: 0, nextStart: -1, resources: [] } }
    },
  }),
  endpoint({
    id: 'listRelatedItems',
    title: 'Related items',
    path: '/content/items/:itemId/relatedItems',
    parameters: sentByClients('relationshipType', 'relationshipTypes', 'direction'),
    token: 'optional',
    who: whoSeesItem,
    summary: 'Items that are related to the item: no relations are kept here.',
    answers: { json: object({ total: integer('Always 0.', 0), relatedItems: list(emptyObject(), 'Always empty.') }) },
    example: { ids: { itemId }, answer: { total: 0, relatedItems: [] } },
    async answer({ ids, run }) {
      await run(ids)
      return { json: { total: 0, relatedItems: [] } }
    },
  }),
  endpoint({
    id: 'listUserTags',
    title: 'Tags of the user',
    task: 'list tags',
    path: '/community/users/:username/tags',
    token: 'optional',
    who: 'Anyone who sees the user',
    summary: 'The tags of the items that the user owns.',
    chosen: ['Only items that the caller sees count. The commonest come first; at most 1,000 are listed.'],
    answers: {
      json: object({ tags: list(object({ tag: text(), count: integer('Items that have it.', 1) })) }),
    },
    example: {
      ids: { username: 'admin' },
      answer: {
        tags: [
          { tag: 'lakes', count: 1 },
          { tag: 'water', count: 1 },
        ],
      },
    },
    async answer({ ids, run }) {
      const tags = await run(ids)
      return { json: { tags: tags.map(({ value, count }) => ({ tag: value, count })) } }
    },
  }),
  endpoint({
    id: 'moveItem',
    title: 'Move item',
    path: '/content/users/:username/items/:itemId/move',
    parameters: { folder: requiredText('There are no folders: only /.') },
    who: 'Owner; administrators, and custom roles with portal:admin:updateItems',
    summary: 'Leaves the item where it is: there are no folders here, and any but / is refused.',
    answers: {
      json: successShapeWith({ itemId: id(), owner: text(), folder: nullable(text('Always null.')) }),
    },
    example: {
      ids: { username: 'admin', itemId },
      parameters: { folder: '/' },
      answer: { success: true, itemId, owner: 'admin', folder: null },
    },
    async answer({ ids, input, run }) {
      const { owner } = await run({ ...ids, folder: mapParsed(input, ({ folder }) => folder) })
      return successWith({ itemId: ids.itemId, owner, folder: null })
    },
  }),
]
