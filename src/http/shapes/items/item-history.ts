import type { ShownChange } from '../../../items/changes/history-operations.ts'
import { itemLevels } from '../../../items/item.ts'
import { differenceOf, type ItemChange } from '../../../items/item-change.ts'
import { boolean, choice, component, id, list, matching, nullable, object, text, time, type ValueOf } from '../shape.ts'

const paths = list(text('Path of a category.'))
const addedAndRemoved = object({ added: paths, removed: paths })
const level = choice(itemLevels)

export const itemChangeShape = component(
  'ItemChange',
  'A change of an item.',
  object({
    id: matching('^[0-9]+$', 'Id of the entry of the log, by which it is undone.'),
    itemId: id(),
    created: time('When it happened.'),
    actor: nullable(text('Username of the caller.')),
    action: text('Name of the operation.'),
    runId: nullable(id('Run that it is a part of.')),
    isRevertible: boolean('Whether it is kept whole, and not undone yet.'),
    revertedAt: nullable(time('When it was undone.')),
    change: object(
      {},
      {
        categories: addedAndRemoved,
        groupCategories: list(
          object({ groupId: id(), added: paths, removed: paths }),
          'By groups that the caller sees.',
        ),
        access: object({ from: level, to: level }),
        groups: object({
          added: list(id(), 'Groups that the item was shared with, as far as the caller sees them.'),
          removed: list(id(), 'Groups that it was taken from.'),
        }),
        tags: object({ added: list(text()), removed: list(text()) }),
        owner: object({
          from: nullable(text('Username; null for a deleted user.')),
          to: nullable(text('Username; null for a deleted user.')),
        }),
      },
    ),
  }),
)

type WireItemChange = ValueOf<typeof itemChangeShape>

export function itemChangeToWire(stored: ShownChange): WireItemChange {
  const { entry, itemId, at, username, operation, runId, change, revertedAt } = stored
  return {
    id: String(entry),
    itemId,
    created: at,
    actor: username ?? null,
    action: operation,
    runId: runId ?? null,
    isRevertible: change !== undefined && revertedAt === undefined,
    revertedAt: revertedAt ?? null,
    change: change ? membersToWire(change) : {},
  }
}

function membersToWire({
  categories,
  groupCategories,
  level,
  groups,
  tags,
  owner,
}: NonNullable<ShownChange['change']>): WireItemChange['change'] {
  return {
    ...(categories && { categories: differenceOf(categories) }),
    ...(groupCategories && { groupCategories: groupCategories.map(groupToWire) }),
    ...(level && { access: level }),
    ...(groups && { groups }),
    ...(tags && { tags: differenceOf(tags) }),
    ...(owner && { owner }),
  }
}

function groupToWire(change: NonNullable<ItemChange['groupCategories']>[number]) {
  return { groupId: change.groupId, ...differenceOf(change) }
}
