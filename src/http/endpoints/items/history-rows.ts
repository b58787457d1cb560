import { mapParsed } from '../../../call/parsed.ts'
import { exampleIds, exampleTime, singlePage } from '../../examples/examples.ts'
import { itemId } from '../../examples/items.ts'
import { itemChangeShape, itemChangeToWire } from '../../shapes/items/item-history.ts'
import { outcomesToWire, revertedShape } from '../../shapes/items/item-results.ts'
import { plannedUndoShape, plannedUndoToWire } from '../../shapes/items/item-runs.ts'
import { pageOf, pageToWire } from '../../shapes/page.ts'
import { either } from '../../shapes/shape.ts'
import { type Endpoint, endpointsOf } from '../endpoint.ts'
import { pageParameters } from '../page-parameters.ts'
import { guard, optionalBoolean, optionalText } from '../parameter-types.ts'

const endpoint = endpointsOf('items')

const { portalId, groupId, entryId } = exampleIds

/** Rows of the history of an item, and of undoing a change. */
export const itemHistoryRows: readonly Endpoint[] = [
  endpoint({
    id: 'listItemHistory',
    title: 'History of the item',
    task: 'list history',
    goals: ['Undo a change of content'],
    path: '/content/items/:itemId/history',
    parameters: pageParameters,
    who: 'Users who may update the item, by portal:admin:updateItems if it is not theirs',
    summary: 'Changes of its categories, its sharing, its tags and its owner; the last one first.',
    source: 'chosen',
    extension: 'itemHistory',
    chosen: [
      'A change is kept as long as its entry of the log, from the version of the server that first did so.',
      'What moves and removals of categories did to items is in the history of the schema.',
      'Links that end because a member leaves, or a group is deleted, are changes of the items; of many, the later ones have no actor.',
      'Groups that the caller does not see are left out. Of a change of more than 4,096 characters, `change` is empty, and it cannot be undone.',
    ],
    answers: { json: pageOf('history', itemChangeShape) },
    example: {
      ids: { itemId },
      answer: singlePage('history', [
        {
          id: entryId,
          itemId,
          created: exampleTime,
          actor: 'admin',
          action: 'shareUserItem',
          runId: null,
          isRevertible: true,
          revertedAt: null,
          change: {
            access: { from: 'private' as const, to: 'org' as const },
            groups: { added: [groupId], removed: [] },
          },
        },
      ]),
      varies: true,
    },
    async answer({ ids, input, run }) {
      return { json: pageToWire('history', await run({ itemId: ids.itemId, page: input }), itemChangeToWire) }
    },
  }),
  endpoint({
    id: 'revertHistoryEntry',
    title: 'Undo a change of items',
    task: 'undo change',
    goals: ['Undo a change of content'],
    path: '/portals/:portalId/history/:entryId/revert',
    parameters: {
      itemId: optionalText('The only item of the entry whose change is undone.', { maxLength: 64 }),
      dryRun: guard(optionalBoolean('true: nothing is undone; the answer is what would be.'), 'to make the change'),
    },
    judgesEach: true,
    who: 'Members of the organization; each item: who may make the change that undoes it',
    summary: 'Undoes what an entry of the log did to items: their categories, sharing, tags and owners.',
    source: 'chosen',
    chosen: [
      'An item is refused if what the entry added is gone, or what it removed is there again; what else has changed since stays. Each item is refused for itself; the others are undone.',
      'A link comes back with the categories that the group gave, and gives members no more control than it did. Left out are groups that the caller does not see and, where a level comes back, those to which neither the caller nor the owner belongs. A category that the schema has lost or renamed since is refused.',
      'Undoing is a change with an entry of its own, and can be undone. A deletion cannot.',
      'Of an item that gets its former owner back, links to groups with which that user may not share it any more are left out.',
    ],
    answers: { json: either([plannedUndoShape, revertedShape], 'What it would do, or what it did to each item.') },
    example: {
      ids: { portalId, entryId },
      answer: { results: [{ itemId, success: true }] },
      varies: true,
    },
    async answer({ ids, input, search, run }) {
      const asked = {
        portalId: ids.portalId,
        entry: /^\d{1,15}$/.test(ids.entryId) ? Number(ids.entryId) : undefined,
        itemId: mapParsed(input, (given) => given.itemId),
      }
      if ('value' in input && input.value.dryRun) {
        const { total, failures } = await search('planHistoryEntryRevert', asked)
        return { json: plannedUndoToWire(total, failures) }
      }
      const { outcomes } = await run(asked)
      return { json: { results: outcomesToWire(outcomes, () => ({})) } }
    },
  }),
]
