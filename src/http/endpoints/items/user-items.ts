import { mapParsed } from '../../../call/parsed.ts'
import { sortOrders } from '../../../directory/group.ts'
import { itemLimits } from '../../../items/item.ts'
import { itemSortFields } from '../../../items/store.ts'
import { exampleIds, generatedIds } from '../../examples/examples.ts'
import { itemAnswer, itemId, secondItemAnswer } from '../../examples/items.ts'
import { addedItemShape, changedItemShape, itemShape, itemToWire } from '../../shapes/items/item.ts'
import { pageMembers, pageToWire } from '../../shapes/page.ts'
import { choice, emptyObject, id, list, nullable, object, text } from '../../shapes/shape.ts'
import { successWith } from '../../shapes/success.ts'
import { type Endpoint, endpointsOf } from '../endpoint.ts'
import { pageParameters } from '../page-parameters.ts'
import { optionalChoice, optionalName, requiredName } from '../parameter-types.ts'
import { withoutEffect } from '../unused-parameters.ts'
import {
  itemChangeOf,
  itemFields,
  itemIdToCreate,
  itemType,
  newItemOf,
  updateFields,
  withoutFiles,
} from './item-fields.ts'
import { ownerOr } from './owned-items.ts'

const endpoint = endpointsOf('items')

const admin = { username: 'admin' } as const
const item = { ...admin, itemId } as const
const title = { maxLength: itemLimits.title }
const updaters =
  'Owner; members of a group that gives them control of the item; administrators, and custom roles with portal:admin:updateItems'

const executed =
  'url is kept as given: clients write relative addresses and placeholders. With a scheme, only http, https and mailto are taken, as a browser would execute others; the one that an item has is taken back.'
const noFiles =
  'Files are refused by name (file, thumbnail, largeThumbnail, metadata, screenshot, banner): none are kept here.'
const ignored =
  'Other members of an item, which clients send back, have no effect: access (an item begins private, and is shared by share), id, owner, created, modified, name, ownerFolder, thumbnail as text and the like. Warnings name them, but those of an item that is sent back whole.'

/** Items in the path of their owner, whom a username or an id names. */
export const userItemRows: readonly Endpoint[] = [
  endpoint({
    id: 'listUserItems',
    title: 'Items of the user',
    task: 'list items',
    path: '/content/users/:username',
    parameters: {
      sortField: optionalChoice('Field to sort by; default modified.', itemSortFields),
      sortOrder: optionalChoice('Sort order; default desc.', sortOrders),
      ...pageParameters,
      ...withoutEffect('folders', 'foldersContent', 'inRecycleBin', 'types'),
    },
    who: 'The user; administrators, and custom roles with portal:admin:viewItems',
    summary: 'The items that a user owns.',
    chosen: ['The last changed come first; items that are equal in the sort field are in the order of their ids.'],
    answers: {
      json: object({
        username: text(),
        ...pageMembers,
        currentFolder: nullable(text('There are no folders; always null.')),
        items: list(itemShape),
        folders: list(emptyObject(), 'There are no folders; always empty.'),
      }),
    },
    example: {
      ids: admin,
      parameters: { sortField: 'title', sortOrder: 'asc' },
      answer: {
        username: 'admin',
        total: 2,
        start: 1,
        num: 10,
        nextStart: -1,
        currentFolder: null,
        items: [itemAnswer, secondItemAnswer],
        folders: [],
      },
    },
    async answer({ ids, input, run }) {
      const order = mapParsed(input, ({ sortField = 'modified', sortOrder = 'desc' }) => ({ sortField, sortOrder }))
      const found = await run({ username: ids.username, page: input, order })
      const { items, ...page } = pageToWire('items', found, itemToWire)
      return { json: { username: found.username, ...page, currentFolder: null, items, folders: [] } }
    },
  }),
  endpoint({
    id: 'addItem',
    title: 'Add item',
    goals: ['Register content'],
    path: '/content/users/:username/addItem',
    takesBack: itemShape,
    parameters: {
      title: requiredName('Title.', title),
      type: itemType,
      ...itemFields,
      itemIdToCreate,
      ...withoutEffect('data', 'commentsEnabled', 'overwrite'),
    },
    who: 'The user, with portal:user:createItem; itemIdToCreate only default administrators',
    summary: 'Adds an item that the caller owns. It is private at first.',
    chosen: [
      'Categories that the category schema of the organization does not have are left off and named in unrecognizedCategories: items that are copied from elsewhere carry foreign ones.',
      `At most ${itemLimits.categories} categories, ${itemLimits.tags} tags and ${itemLimits.typeKeywords} keywords of the type.`,
      'A type is kept as it is seen, with one space for blanks and without invisible characters. Items that have another type from before keep it.',
      executed,
      noFiles,
      ignored,
    ],
    answers: { json: addedItemShape },
    example: {
      ids: admin,
      parameters: { title: 'Glaciers', type: 'Web Map', tags: 'ice', categories: '/Region/Europe,/Glaciers' },
      answer: { success: true, id: generatedIds.id, folder: null, unrecognizedCategories: ['/Glaciers'] },
    },
    async answer({ ids, input, requestParameters, dependencies, run }) {
      const given = newItemOf(withoutFiles(input, requestParameters))
      const { itemId: id, unrecognizedCategories } = await run({
        username: ids.username,
        itemId: dependencies.random.id(),
        given,
      })
      const unknown = unrecognizedCategories.length === 0 ? {} : { unrecognizedCategories }
      return successWith({ id, folder: null, ...unknown })
    },
  }),
  endpoint({
    id: 'readUserItem',
    title: 'Item of the user',
    task: 'read item',
    path: '/content/users/:username/items/:itemId',
    who: ownerOr('viewItems'),
    summary: 'An item, and the groups that it is shared with.',
    answers: {
      json: object({
        item: itemShape,
        sharing: object({
          access: choice(['private', 'shared', 'org', 'public'], 'Who sees the item.'),
          groups: list(id(), 'Ids of the groups that the item is shared with.'),
        }),
      }),
    },
    example: {
      ids: item,
      answer: { item: itemAnswer, sharing: { access: 'org', groups: [exampleIds.groupId] } },
    },
    async answer({ ids, run }) {
      const view = await run(ids)
      const groups = view.links.map(({ groupId }) => groupId)
      return { json: { item: itemToWire(view), sharing: { access: view.item.access, groups } } }
    },
  }),
  endpoint({
    id: 'updateItem',
    title: 'Update item',
    goals: ['Register content'],
    path: '/content/users/:username/items/:itemId/update',
    takesBack: itemShape,
    parameters: { title: optionalName('Title; empty has no effect.', title), ...updateFields },
    who: updaters,
    summary: 'Changes the given properties; the others are unchanged.',
    chosen: [
      'categories= always clears the categories, as a client sends it alone. A category that the item carries already may stay, though the schema has lost it; any other that the schema does not have is refused.',
      'The type is never changed; type has no effect.',
      executed,
      noFiles,
      ignored,
    ],
    answers: { json: changedItemShape },
    example: { ids: item, parameters: { snippet: 'Lakes of the Alps' }, answer: { success: true, id: itemId } },
    async answer({ ids, input, requestParameters, run }) {
      await run({ ...ids, given: itemChangeOf(withoutFiles(input, requestParameters)) })
      return successWith({ id: ids.itemId })
    },
  }),
]
