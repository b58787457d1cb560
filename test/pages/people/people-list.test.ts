import { readUserFilter, userSearchOf } from '../../../pages/src/people/list/user-search.ts'
import { formatCreatedPeople, invitationsOf, sortOutcome } from '../../../pages/src/people/new/people-list.ts'
import { makeTemporaryPassword } from '../../../pages/src/people/temporary-password.ts'
import { findPasswordProblem } from '../../../src/directory/passwords/password.ts'
import { describe, expect, test } from '../../support/portal/test.ts'

const search = (query: string) => userSearchOf(readUserFilter(new URLSearchParams(query)))
const anna = { username: 'anna', fullName: 'Anna', email: '', role: 'org_user', password: 'x' }
const bert = { ...anna, username: 'bert' }

describe('the search for users', () => {
  test.each([
    ['', { sortField: 'username', sortOrder: 'asc' }],
    ['q=ann+ams', { q: 'ann* ams*', sortField: 'username', sortOrder: 'asc' }],
    ['q=a%3Ab+%22x%22+OR', { q: '"a:b" "x" "OR"', sortField: 'username', sortOrder: 'asc' }],
    [
      'role=org_user&state=disabled&sort=created',
      { filter: 'role:"org_user" AND disabled:"true"', sortField: 'created', sortOrder: 'desc' },
    ],
    ['state=enabled&sort=nothing', { filter: 'disabled:"false"', sortField: 'username', sortOrder: 'asc' }],
  ])('%s', (query, parameters) => {
    expect(search(query)).toEqual(parameters)
  })

  test('is understood by the server, whatever is typed', async ({ portal, admin }) => {
    await portal.user('anna.amsel')
    const find = async (query: string) => (await admin.get('/portals/self/users/search', search(query)))['results']
    const usernames = async (query: string) =>
      ((await find(query)) as { readonly username: string }[]).map(({ username }) => username)
    expect(await usernames('q=anna.a')).toEqual(['anna.amsel'])
    expect(await usernames('role=org_admin&state=enabled')).toEqual(['admin'])
    for (const q of ['(', '"', 'a:b', 'AND', '*', '[1 TO', '-x', 'ä̈', '\\']) {
      expect(await find(`q=${encodeURIComponent(q)}`)).toBeInstanceOf(Array)
    }
  })
})

describe('the outcome of an invitation', () => {
  test('names who was created and who was not, and why', () => {
    const outcome = sortOutcome([anna, bert], { notInvited: ['anna'], reasons: ['anna is taken.'] })
    expect(outcome).toEqual({ created: [bert], refused: [{ person: anna, reason: 'anna is taken.' }] })
  })

  test('of a username that is given twice, the later one is refused', () => {
    const later = { ...anna, fullName: 'Another' }
    const outcome = sortOutcome([anna, later], { notInvited: ['anna'], reasons: ['no'] })
    expect(outcome).toEqual({ created: [anna], refused: [{ person: later, reason: 'no' }] })
  })

  test('sends no empty fields, and saves no formula', () => {
    expect(JSON.parse(invitationsOf([anna]))).toEqual({
      invitations: [{ username: 'anna', password: 'x', role: 'org_user', fullname: 'Anna' }],
    })
    expect(JSON.parse(invitationsOf([{ ...anna, email: 'a@x.org', password: undefined }]))).toEqual({
      invitations: [{ username: 'anna', role: 'org_user', fullname: 'Anna', email: 'a@x.org' }],
    })
    expect(formatCreatedPeople([{ ...anna, fullName: '=1+1' }])).toContain("'=1+1")
  })
})

test('a temporary password is one that the server takes, and never the same', () => {
  const made = Array.from({ length: 200 }, makeTemporaryPassword)
  expect(new Set(made).size).toBe(200)
  for (const password of made) {
    expect(findPasswordProblem({ text: password, isCommon: false }, { username: 'anna' })).toBeUndefined()
    expect(password).toMatch(/^(?:[a-zA-Z2-9]{5}-){3}[a-zA-Z2-9]{5}$/)
  }
})
