import type { Privilege } from '../../../../../src/call/privilege.ts'
import type { Caller, Fixture } from '../../../../support/portal/actors.ts'
import type { Case, Expectations } from './case.ts'
import { onEachGroup, readOnEachGroup } from './groups.ts'
import {
  forbidden,
  governors,
  insiders,
  itemNotFound,
  notFound,
  type Outcome,
  ok,
  openToAnonymous,
  signedOut,
  unable,
  userNotFound,
} from './outcomes.ts'

type Access = keyof Fixture['items']

/** An item of the owner, and who does not see it. */
interface View {
  readonly access: Access
  /** Privileges that show the item to a custom role. */
  readonly sight: readonly Privilege[]
  readonly blind: readonly Caller[]
}

const others = ['outsider', 'viewer', 'user', 'publisher'] as const

const views: readonly View[] = [
  { access: 'private', sight: ['portal:admin:viewItems'], blind: [...others, 'manager', 'member'] },
  { access: 'shared', sight: ['portal:admin:viewItems'], blind: others },
  { access: 'org', sight: ['portal:user:viewOrgItems'], blind: ['outsider'] },
  { access: 'public', sight: [], blind: [] },
]

const everySight: readonly Privilege[] = ['portal:admin:viewItems', 'portal:user:viewOrgItems']

/** `username` stands only in paths that have it. */
const idsOf = (access: Access) => (fixture: Fixture) => ({ username: 'owner', itemId: fixture.items[access] })

function blindness(blind: readonly Caller[], isInOwnersPath: boolean): Partial<Record<Caller, Outcome>> {
  // The outsider does not see the owner either.
  const outcomeOf = (caller: Caller) => (isInOwnersPath && caller === 'outsider' ? userNotFound : itemNotFound)
  return Object.fromEntries(blind.map((caller) => [caller, outcomeOf(caller)]))
}

/** Reads for every caller who sees the item. */
const readOnEachItem: readonly Case[] = views.map(({ access, sight, blind }) => ({
  on: `an item of access ${access}`,
  ids: idsOf(access),
  privileges: sight,
  lacking: everySight,
  expected: {
    ...(access === 'public' ? openToAnonymous : signedOut),
    outsider: ok,
    ...insiders(ok),
    lacking: access === 'public' ? ok : itemNotFound,
    ...blindness(blind, false),
  },
}))

interface ItemRow {
  readonly privilege: Privilege
  readonly lacking?: readonly Privilege[]
  readonly parameters?: NonNullable<Case['parameters']>
  /** Outcome for the item's owner; success by default. */
  readonly owner?: Outcome
  /** Whether the path has the owner of the item. */
  readonly isInOwnersPath?: boolean
}

/** Operations for the item's owner, and for holders of a privilege over all items. */
function onEachItem({
  privilege,
  lacking = [privilege],
  parameters,
  owner = ok,
  isInOwnersPath = true,
}: ItemRow): readonly Case[] {
  return views.map(({ access, sight, blind }) => ({
    on: `an item of access ${access}`,
    ids: idsOf(access),
    ...(parameters ? { parameters } : {}),
    privileges: [...sight, privilege],
    lacking,
    expected: {
      ...signedOut,
      outsider: forbidden,
      ...insiders(forbidden),
      ...governors,
      owner,
      ...blindness(blind, isInOwnersPath),
    },
  }))
}

/** Reading an item as its owner does needs the privilege that shows it. */
const readAsOwner: readonly Case[] = views.map(({ access, blind }) => ({
  on: `an item of access ${access}`,
  ids: idsOf(access),
  privileges: ['portal:admin:viewItems'],
  expected: {
    ...signedOut,
    outsider: forbidden,
    ...insiders(forbidden),
    holder: ok,
    lacking: access === 'org' || access === 'public' ? forbidden : itemNotFound,
    everything: ok,
    administrator: ok,
    owner: ok,
    ...blindness(blind, true),
  },
}))

/** Operations that every signed-in user who sees the user may call; each item is decided for itself. */
function forEachItem(parameters: NonNullable<Case['parameters']>): readonly Case[] {
  return [
    {
      on: 'items of the owner',
      ids: () => ({ username: 'owner' }),
      parameters,
      privileges: ['portal:user:viewOrgUsers'],
      lacking: ['portal:user:viewOrgUsers', 'portal:admin:viewUsers'],
      expected: { ...signedOut, outsider: userNotFound, ...insiders(ok), lacking: userNotFound },
    },
  ]
}

/** Operations that every signed-in user may call, wherever they are; each item is decided for itself. */
function forAnyMember(parameters: NonNullable<Case['parameters']>): readonly Case[] {
  return [{ on: 'items', parameters, privileges: [], expected: { ...signedOut, outsider: ok, ...insiders(ok) } }]
}

const ofOrgItem = ({ items }: Fixture) => ({ items: items.org })
/** A group without a manager here: managers of groups are in the tests of sharing. */
const intoGroup = () => ({ groups: '0'.repeat(32) })
const categories = ({ items }: Fixture) => ({ items: JSON.stringify([{ [items.shared]: ['/Region'] }]) })

const shares: ItemRow = {
  privilege: 'portal:admin:shareToGroup',
  lacking: ['portal:admin:shareToGroup', 'portal:admin:shareToOrg', 'portal:admin:shareToPublic'],
  parameters: intoGroup,
}

/** A file that never exists: every caller who may look for it gets the refusal. */
const noInfo: Outcome = {
  code: 400,
  messageCode: 'CONT_0036',
  message: 'Item info file does not exist or is inaccessible.',
  details: [],
}
const noInfoOfAnyItem: readonly Case[] = readOnEachItem.map((one) => ({
  ...one,
  ids: (fixture, username) => ({ ...one.ids?.(fixture, username), infoName: 'thumbnail', fileName: 'map.png' }),
  expected: refusing(noInfo, one.expected),
}))

const noFolder = (task: string): readonly Case[] => [
  {
    on: 'items of the owner',
    ids: () => ({ username: 'owner', folderId: '0'.repeat(32), folderOperation: 'addItem' }),
    privileges: ['portal:user:viewOrgUsers', 'portal:admin:viewItems'],
    parameters: () => ({ title: 'Maps' }),
    expected: refusing(unable(task, 'There are no folders here.'), {
      ...signedOut,
      outsider: userNotFound,
      ...insiders(forbidden),
      ...governors,
      owner: ok,
    }),
  },
]

function refusing(refusal: Outcome, expected: Case['expected']): Case['expected'] {
  const outcomes = Object.entries(expected).map(([caller, outcome]) => [caller, outcome === ok ? refusal : outcome])
  return Object.fromEntries(outcomes) as Case['expected']
}

/** Groups that a parameter names are in the tests of coverage. */
const ofOwnOrganization: readonly Case[] = [
  { on: 'the organization of the caller', privileges: [], expected: { ...signedOut, outsider: ok, ...insiders(ok) } },
]

const transferring = ['portal:admin:reassignItems', 'portal:admin:deleteItems'] as const

export const itemExpectations: Expectations = {
  createFolder: noFolder('create folder'),
  readFolder: noFolder('read folder'),
  useFolder: noFolder('use folder'),
  readItemInfo: noInfoOfAnyItem,
  readItemInfoFile: noInfoOfAnyItem,
  searchItems: [{ on: 'every item', privileges: [], expected: { ...openToAnonymous, outsider: ok, ...insiders(ok) } }],
  // The group; each item that is found is seen for itself.
  searchGroupItems: readOnEachGroup(),
  listGroupItems: readOnEachGroup(),
  readCompleteness: ofOwnOrganization,
  readCoverage: ofOwnOrganization,
  readItem: readOnEachItem,
  listItemGroups: readOnEachItem,
  readItemData: readOnEachItem,
  listItemResources: readOnEachItem,
  listRelatedItems: readOnEachItem,
  readUserItem: readAsOwner,
  listUserItems: [
    {
      on: 'items of the owner',
      ids: () => ({ username: 'owner' }),
      privileges: ['portal:user:viewOrgUsers', 'portal:admin:viewItems'],
      expected: {
        ...signedOut,
        outsider: userNotFound,
        ...insiders(forbidden),
        ...governors,
        owner: ok,
      },
    },
  ],
  addItem: [
    {
      on: 'their own items',
      ids: (_, username) => ({ username }),
      parameters: () => ({ title: 'Lakes', type: 'Web Map' }),
      privileges: ['portal:user:createItem'],
      expected: { ...signedOut, outsider: ok, ...insiders(ok), viewer: forbidden, lacking: forbidden },
    },
    {
      on: 'the items of another user',
      ids: () => ({ username: 'owner' }),
      parameters: () => ({ title: 'Lakes', type: 'Web Map' }),
      privileges: ['portal:user:viewOrgUsers'],
      lacking: ['portal:user:viewOrgUsers', 'portal:admin:viewUsers'],
      expected: {
        ...signedOut,
        outsider: userNotFound,
        ...insiders(forbidden),
        owner: ok,
        lacking: userNotFound,
      },
    },
  ],
  updateItem: onEachItem({ privilege: 'portal:admin:updateItems', parameters: () => ({ snippet: 'Deep' }) }),
  deleteItem: onEachItem({ privilege: 'portal:admin:deleteItems' }),
  canDeleteItem: onEachItem({ privilege: 'portal:admin:deleteItems' }),
  moveItem: onEachItem({ privilege: 'portal:admin:updateItems', parameters: () => ({ folder: '/' }) }),
  protectItem: onEachItem({ privilege: 'portal:admin:updateItems' }),
  unprotectItem: onEachItem({ privilege: 'portal:admin:updateItems' }),
  reassignItem: onEachItem({
    privilege: 'portal:admin:reassignItems',
    parameters: () => ({ targetUsername: 'member' }),
    owner: forbidden,
  }),
  transferItems: [
    {
      on: 'the items of a user',
      privileges: ['portal:user:viewOrgUsers', 'portal:admin:reassignItems'],
      lacking: transferring,
      parameters: () => ({ targetUsername: 'owner' }),
      expected: { ...signedOut, outsider: userNotFound, ...insiders(forbidden), ...governors },
    },
    {
      on: 'the items of a user, to delete them',
      privileges: ['portal:user:viewOrgUsers', 'portal:admin:deleteItems'],
      lacking: transferring,
      parameters: () => ({ delete: 'true' }),
      expected: { ...signedOut, outsider: userNotFound, ...insiders(forbidden), ...governors },
    },
  ],
  deleteItems: forEachItem(ofOrgItem),
  shareItems: forEachItem((fixture) => ({ ...ofOrgItem(fixture), ...intoGroup() })),
  unshareItems: forEachItem((fixture) => ({ ...ofOrgItem(fixture), ...intoGroup() })),
  shareUserItem: onEachItem(shares),
  unshareUserItem: onEachItem(shares),
  shareItem: onEachItem({ ...shares, isInOwnersPath: false }),
  unshareItem: onEachItem({ ...shares, isInOwnersPath: false }),
  updateItems: [
    {
      on: 'an item that is shared with a group',
      parameters: categories,
      privileges: [],
      expected: { ...signedOut, outsider: ok, ...insiders(ok) },
    },
  ],
  listItemHistory: onEachItem({ privilege: 'portal:admin:updateItems', isInOwnersPath: false }),
  revertHistoryEntry: [
    {
      on: 'a change of a public item',
      ids: ({ portalId, entryId }) => ({ portalId, entryId }),
      privileges: [],
      expected: { ...signedOut, outsider: notFound, ...insiders(ok) },
    },
  ],
  changeItems: forAnyMember(({ items }) => ({ items: items.org, change: '{"tags":{"add":["lake"]}}' })),
  listItemRuns: forAnyMember(() => ({})),
  revertItemRun: [
    {
      on: 'a run of the owner',
      ids: ({ runId }) => ({ runId }),
      privileges: [],
      expected: { ...signedOut, outsider: notFound, ...insiders(notFound), owner: ok, administrator: ok },
    },
  ],
  exportItemCategories: forAnyMember(() => ({})),
  readTable: forAnyMember(() => ({ text: 'a,b' })),
  importItemCategories: forAnyMember(({ items }) => ({ text: `id,categories\n${items.org},/Region`, dryRun: 'false' })),
  updateGroupItems: onEachGroup({
    privilege: 'portal:admin:updateGroups',
    parameters: categories,
    onlookers: forbidden,
    governors: forbidden,
    owner: ok,
    manager: ok,
    member: forbidden,
  }),
}
