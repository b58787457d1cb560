import { mapParsed } from '../../../call/parsed.ts'
import { groupIdRules } from '../../../items/item.ts'
import { say } from '../../../sentences/say.ts'
import { exampleIds, generatedIds } from '../../examples/examples.ts'
import { itemId, secondItemId } from '../../examples/items.ts'
import {
  outcomesToWire,
  sharedResultsShape,
  sharedShape,
  sharedToWire,
  unsharedResultsShape,
  unsharedShape,
  unsharedToWire,
} from '../../shapes/items/item-results.ts'
import { type Endpoint, endpointsOf } from '../endpoint.ts'
import { optionalBoolean } from '../parameter-types.ts'
import { optionalEntries, requiredEntries } from './entries.ts'
import { itemIds } from './owned-items.ts'

const endpoint = endpointsOf('items')

const { groupId } = exampleIds
const item = { username: 'admin', itemId: secondItemId } as const

export const confirmItemControl = optionalBoolean(
  'Whether members of a group that gives control of its items may update the item; has to be true for such a group.',
)

const wish = {
  everyone: optionalBoolean('Whether everyone sees the item.'),
  org: optionalBoolean('Whether the organization sees the item.'),
  account: optionalBoolean('An older name of org.'),
  groups: optionalEntries(
    'Ids of groups: a comma-separated list. They are added to those that have the item.',
    groupIdRules,
  ),
  confirmItemControl,
}
const groups = requiredEntries('Ids of groups: a comma-separated list.', groupIdRules)

const levels =
  'Of everyone, org and account, an absent one counts as false if another one is given; if none is given, the level stays.'
const refusedGroups =
  'Groups that the item is not shared with are listed with reasons: unknown ones; those that neither the owner of the item nor the caller is a member of; those whose members only view, for anyone but owner and managers; those that give control of items, without confirmItemControl; and, for some seconds, those that the owner of many items has left and joined again.'
const managers =
  'Managers of a group share public items with it, and those of the organization if only its users can join. A lower level ends such links where the owner of the item is no member of the group.'
const policy =
  'Where the policy of the organization (`categoryPolicy`) enforces categories, an item without one is refused more access, with the reason.'
const ofOthers =
  'An item of another user that the caller may share as an administrator is taken as in the path of its owner.'
const whoShares =
  'Owner, with portal:user:shareToGroup, portal:user:shareToOrg or portal:user:shareToPublic; owners and managers of each group; administrators, and custom roles with portal:admin:shareToGroup, portal:admin:shareToOrg or portal:admin:shareToPublic'
const whoUnshares =
  'Owner; owners and managers of each group; administrators, and custom roles with portal:admin:shareToGroup'

/** Rows that share and unshare items. */
export const sharingRows: readonly Endpoint[] = [
  endpoint({
    id: 'shareUserItem',
    title: 'Share item of the user',
    task: 'share item',
    path: '/content/users/:username/items/:itemId/share',
    parameters: wish,
    who: whoShares,
    summary: 'Sets who sees the item, and shares it with groups.',
    chosen: [
      levels,
      'Blank groups together with the lowest level end the sharing with every group.',
      refusedGroups,
      managers,
      policy,
    ],
    answers: { json: sharedShape },
    example: {
      ids: item,
      parameters: { org: 'true', groups: `${groupId},${generatedIds.id}` },
      answer: {
        notSharedWith: [generatedIds.id],
        reasons: { [generatedIds.id]: say('groupNotAccessible') },
        itemId: secondItemId,
      },
    },
    async answer({ ids, input, run }) {
      const sharing = await run({ ...ids, wish: input })
      return { json: { ...sharedToWire(sharing), itemId: ids.itemId } }
    },
  }),
  endpoint({
    id: 'shareItem',
    title: 'Share item',
    goals: ['Share content, or end that'],
    path: '/content/items/:itemId/share',
    parameters: wish,
    who: whoShares,
    summary: 'Shares the item with groups, or with more people.',
    chosen: [
      'A flag that is true raises the level, for the owner and administrators; false has no effect, as a client sends it with every group.',
      refusedGroups,
      managers,
      policy,
    ],
    answers: { json: sharedShape },
    example: {
      ids: { itemId: secondItemId },
      parameters: { groups: groupId },
      answer: { notSharedWith: [], itemId: secondItemId },
    },
    async answer({ ids, input, run }) {
      const sharing = await run({ ...ids, wish: input })
      return { json: { ...sharedToWire(sharing), itemId: ids.itemId } }
    },
  }),
  endpoint({
    id: 'shareItems',
    title: 'Share items of the user',
    goals: ['Share content, or end that'],
    path: '/content/users/:username/shareItems',
    parameters: { items: itemIds, ...wish },
    judgesEach: true,
    who: `Any signed-in user; each item: ${whoShares}`,
    summary: 'Sets who sees items of the user, and shares them with groups.',
    chosen: [levels, 'Blank groups change no group.', ofOthers, refusedGroups, managers],
    answers: { json: sharedResultsShape },
    example: {
      ids: { username: 'admin' },
      parameters: { items: secondItemId, groups: groupId, everyone: 'false', account: 'true' },
      answer: { results: [{ itemId: secondItemId, success: true, notSharedWith: [] }] },
    },
    async answer({ ids, input, run }) {
      const items = mapParsed(input, (values) => values.items)
      const { outcomes } = await run({ username: ids.username, items, wish: input })
      return { json: { results: outcomesToWire(outcomes, sharedToWire) } }
    },
  }),
  endpoint({
    id: 'unshareUserItem',
    title: 'Unshare item of the user',
    task: 'unshare item',
    path: '/content/users/:username/items/:itemId/unshare',
    parameters: { groups },
    who: whoUnshares,
    summary: 'Ends the sharing of the item with groups; its categories of these groups end too.',
    chosen: ['A group that does not have the item is no error.'],
    answers: { json: unsharedShape },
    example: {
      ids: { username: 'admin', itemId },
      parameters: { groups: groupId },
      answer: { notUnsharedFrom: [], itemId },
    },
    async answer({ ids, input, run }) {
      const sharing = await run({ ...ids, groups: mapParsed(input, (values) => values.groups) })
      return { json: { ...unsharedToWire(sharing), itemId: ids.itemId } }
    },
  }),
  endpoint({
    id: 'unshareItem',
    title: 'Unshare item',
    goals: ['Share content, or end that'],
    path: '/content/items/:itemId/unshare',
    parameters: { groups },
    who: whoUnshares,
    summary: 'Ends the sharing of the item with groups; its categories of these groups end too.',
    chosen: ['A group that does not have the item is no error.'],
    answers: { json: unsharedShape },
    example: { ids: { itemId }, parameters: { groups: groupId }, answer: { notUnsharedFrom: [], itemId } },
    async answer({ ids, input, run }) {
      const sharing = await run({ ...ids, groups: mapParsed(input, (values) => values.groups) })
      return { json: { ...unsharedToWire(sharing), itemId: ids.itemId } }
    },
  }),
  endpoint({
    id: 'unshareItems',
    title: 'Unshare items of the user',
    goals: ['Share content, or end that'],
    path: '/content/users/:username/unshareItems',
    parameters: { items: itemIds, groups },
    judgesEach: true,
    who: `Any signed-in user; each item: ${whoUnshares}`,
    summary: 'Ends the sharing of items of the user with groups; their categories of these groups end too.',
    chosen: [ofOthers],
    answers: { json: unsharedResultsShape },
    example: {
      ids: { username: 'admin' },
      parameters: { items: itemId, groups: groupId },
      answer: { results: [{ itemId, success: true, notUnsharedFrom: [] }] },
    },
    async answer({ ids, input, run }) {
      const items = mapParsed(input, (values) => values.items)
      const { outcomes } = await run({
        username: ids.username,
        items,
        groups: mapParsed(input, (values) => values.groups),
      })
      return { json: { results: outcomesToWire(outcomes, unsharedToWire) } }
    },
  }),
]
