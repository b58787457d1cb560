import { expect, test } from 'vitest'
import { accessesFor, changeOf, choicesFor } from '../../../pages/src/groups/settings/group-fields.ts'
import { groupAnswer, landCover } from '../../../src/http/examples/examples.ts'

const group = groupAnswer(landCover, 'admin', 'owner')

test('a setting that takes a privilege is offered to those who have it, and where it is chosen already', () => {
  const closed = { ...group, access: 'private', membershipAccess: 'org' } as const
  expect(choicesFor(closed, [])).toEqual({
    accesses: ['private'],
    membershipAccesses: ['org'],
    mayForbidLeaving: false,
    mayLetUpdate: false,
  })
  expect(accessesFor(['portal:user:shareGroupToOrg'])).toEqual(['private', 'org'])
  expect(choicesFor({ ...closed, access: 'public', leavingDisallowed: true }, [])).toMatchObject({
    accesses: ['private', 'public'],
    mayForbidLeaving: true,
  })
  const privileges = [
    'portal:user:shareGroupToOrg',
    'portal:user:shareGroupToPublic',
    'portal:user:addExternalMembersToGroup',
    'portal:admin:createUpdateCapableGroup',
  ]
  expect(choicesFor(closed, privileges)).toEqual({
    accesses: ['private', 'org', 'public'],
    membershipAccesses: ['org', 'collaboration', 'none'],
    mayForbidLeaving: false,
    mayLetUpdate: true,
  })
})

test('a box without its tick is turned off, and one that is not offered stays', () => {
  const choices = choicesFor(group, [])
  expect(changeOf({ title: 'Coasts', isViewOnly: 'true' }, choices)).toEqual({
    title: 'Coasts',
    isViewOnly: true,
    hiddenMembers: false,
    clearEmptyFields: true,
  })
  const all = { ...choices, mayForbidLeaving: true, mayLetUpdate: true }
  expect(changeOf({ givesItemControl: 'true' }, all)).toMatchObject({
    leavingDisallowed: false,
    capabilities: 'updateitemcontrol',
  })
  expect(changeOf({}, all)).toMatchObject({ capabilities: '' })
})
