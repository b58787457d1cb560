import { expect, test } from 'vitest'
import { accessesFor, changeOf, choicesFor } from '../../../pages/src/groups/settings/group-fields.ts'
import { readLeftOut } from '../../../pages/src/people/left-out.ts'
import texts from '../../../pages/src/texts/en.json' with { type: 'json' }
import { leavingOut } from '../../../src/directory/membership.ts'
import { groupAnswer, landCover } from '../../../src/http/examples/examples.ts'

const group = groupAnswer(landCover, 'admin', 'owner')

test('each reason of the server for leaving a person out has words of its own; another one is shown as it is', () => {
  const names = Object.keys(leavingOut) as (keyof typeof leavingOut)[]
  const sentences = names.map((name, at) => `user${at} ${leavingOut[name]}`)
  const found = readLeftOut([...names.map((_, at) => `user${at}`), 'bert'], [...sentences, 'bert is asleep.'])
  expect(found.map(({ hindrance }) => hindrance)).toEqual([...names, undefined])
  expect(found.at(-1)).toEqual({ username: 'bert', hindrance: undefined, sentence: 'bert is asleep.' })
  expect(names.filter((name) => !(`hindrance_${name}` in texts['groups/members']))).toEqual([])
})

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
