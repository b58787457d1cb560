import { mapParsed } from '../../../call/parsed.ts'
import { itemLimits } from '../../../items/item.ts'
import { say } from '../../../sentences/say.ts'
import { generatedIds } from '../../examples/examples.ts'
import { itemId, secondItemId } from '../../examples/items.ts'
import { namedItemShape } from '../../shapes/items/item.ts'
import { outcomesToWire, resultsShape } from '../../shapes/items/item-results.ts'
import { begunJobShape } from '../../shapes/jobs.ts'
import { boolean, constant, id, integer, list, object, text } from '../../shapes/shape.ts'
import { successWith } from '../../shapes/success.ts'
import { type Endpoint, endpointsOf, runByIds } from '../endpoint.ts'
import { optionalBoolean, optionalText, requiredText } from '../parameter-types.ts'
import { sentByClients } from '../unused-parameters.ts'
import { requiredEntries } from './entries.ts'

const endpoint = endpointsOf('items')

const admin = { username: 'admin' } as const
const item = { ...admin, itemId } as const

export const ownerOr = (privilege: string) => `Owner; administrators, and custom roles with portal:admin:${privilege}`

/** Names of the items of a call. */
export const itemIds = requiredEntries('Ids of the items: a comma-separated list.', {
  max: itemLimits.itemsInOneCall,
  maxLength: 64,
})

/** Operations of owners and administrators on items, other than updates: delete, reassign, transfer. */
export const ownedItemRows: readonly Endpoint[] = [
  endpoint({
    id: 'deleteItem',
    title: 'Delete item',
    goals: ['Delete content, or protect it'],
    path: '/content/users/:username/items/:itemId/delete',
    parameters: sentByClients('permanentDelete', 'force'),
    who: ownerOr('deleteItems'),
    summary: 'Deletes the item, for good.',
    answers: { json: namedItemShape },
    example: { ids: item, answer: { success: true, itemId } },
    async answer({ ids, run }) {
      await run(ids)
      return successWith({ itemId: ids.itemId })
    },
  }),
  endpoint({
    id: 'deleteItems',
    title: 'Delete items',
    goals: ['Delete content, or protect it'],
    path: '/content/users/:username/deleteItems',
    parameters: { items: itemIds, ...sentByClients('permanentDelete', 'force') },
    judgesEach: true,
    who: `Any signed-in user; each item: ${ownerOr('deleteItems')}`,
    summary: 'Deletes items of the user, for good: each one that the caller may delete.',
    answers: { json: resultsShape },
    example: {
      ids: admin,
      parameters: { items: `${secondItemId},${generatedIds.id}` },
      answer: {
        results: [
          { itemId: secondItemId, success: true },
          {
            itemId: generatedIds.id,
            success: false,
            error: { code: 400, message: say('itemNotAccessible') },
          },
        ],
      },
    },
    async answer({ ids, input, run }) {
      const { outcomes } = await run({ username: ids.username, items: mapParsed(input, ({ items }) => items) })
      return { json: { results: outcomesToWire(outcomes, () => ({})) } }
    },
  }),
  endpoint({
    id: 'canDeleteItem',
    title: 'Can the item be deleted?',
    task: 'ask whether the item can be deleted',
    goals: ['Delete content, or protect it'],
    path: '/content/users/:username/items/:itemId/canDelete',
    who: ownerOr('deleteItems'),
    summary: 'Whether the item could be deleted now.',
    answers: {
      json: object(
        { itemId: id(), success: boolean('Whether it could be deleted.') },
        {
          error: object({
            code: integer('Error code, comparable to an HTTP status.'),
            messageCode: constant('CONT_0048'),
            message: text(),
            offendingItems: list(text(), 'Items that depend on it: none are recorded; always empty.'),
          }),
        },
      ),
    },
    example: { ids: item, answer: { itemId, success: true } },
    async answer({ ids, run }) {
      const refusal = await run(ids)
      if (!refusal) return { json: { itemId: ids.itemId, success: true } }
      const { code, message } = refusal
      const error = { code, messageCode: 'CONT_0048' as const, message, offendingItems: [] }
      return { json: { itemId: ids.itemId, success: false, error } }
    },
  }),
  ...(['protect', 'unprotect'] as const).map((verb) =>
    endpoint({
      id: `${verb}Item`,
      title: `${verb === 'protect' ? 'Protect' : 'Unprotect'} item`,
      task: `${verb} item`,
      goals: ['Delete content, or protect it'],
      path: `/content/users/:username/items/:itemId/${verb}`,
      who: ownerOr('updateItems'),
      summary: verb === 'protect' ? 'Protects the item from deletion.' : 'Ends the protection from deletion.',
      example: { ids: item, answer: { success: true } },
      answer: runByIds,
    }),
  ),
  endpoint({
    id: 'reassignItem',
    title: 'Reassign item',
    path: '/content/users/:username/items/:itemId/reassign',
    parameters: {
      targetUsername: requiredText('Username of the new owner: an enabled user of the organization.'),
      targetFolderName: optionalText('There are no folders: only / or nothing.'),
    },
    who: 'Administrators, and custom roles with portal:admin:reassignItems',
    summary: 'Gives the item to another user.',
    chosen: [
      'Links to groups of which the new owner is no member end. An app of the item loses its secret, tokens and sign-ins; the new owner renews the secret.',
    ],
    answers: { json: namedItemShape },
    example: {
      ids: item,
      parameters: { targetUsername: 'anna', targetFolderName: '/' },
      answer: { success: true, itemId },
    },
    async answer({ ids, input, run }) {
      await run({ ...ids, target: input })
      return successWith({ itemId: ids.itemId })
    },
  }),
  endpoint({
    id: 'transferItems',
    title: 'Transfer items',
    goals: ['Clear up after someone who leaves'],
    path: '/community/users/:username/transferItems',
    parameters: {
      targetUsername: optionalText('Username of the new owner: another enabled user of the organization.'),
      delete: optionalBoolean('true, without targetUsername: the items are deleted, for good.'),
    },
    who: 'Administrators, and custom roles with portal:admin:reassignItems or, with delete=true, portal:admin:deleteItems',
    summary: 'Begins a job that gives all items of the user to another one, or deletes them, however many there are.',
    source: 'chosen',
    extension: 'transferItems',
    chosen: [
      'Each item is given by the rules of reassign, or deleted by those of delete: protected items stay. What cannot be done is in the failures of the job.',
      'Items that the user adds while the job runs may be left.',
    ],
    answers: { json: begunJobShape },
    example: {
      ids: { username: 'anna' },
      parameters: { targetUsername: 'admin' },
      answer: { jobId: generatedIds.id },
    },
    async answer({ ids, input, dependencies, run }) {
      return { json: await run({ ...ids, jobId: dependencies.random.id(), to: input }) }
    },
  }),
]
