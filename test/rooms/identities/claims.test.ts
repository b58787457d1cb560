import { describe, expect, test } from 'vitest'
import { judgeIdentity, valuesAt } from '../../../src/identities/claims.ts'
import { type AccountRules, parsePointer } from '../../../src/identities/rules.ts'

const rules: AccountRules = {
  organization: undefined,
  usernameClaim: 'preferred_username',
  linkClaim: 'sub',
  emailDomains: [],
  createsUsers: false,
  roles: { pointer: ['groups'], entries: [['admins', 'org_admin']], unmatched: undefined, isForNewUsersOnly: false },
  gate: undefined,
}

function roleBy(claims: Readonly<Record<string, unknown>>) {
  const judged = judgeIdentity({ issuer: 'https://a.example', subject: 's', claims }, rules)
  return 'refused' in judged ? judged.refused : judged.role.kind
}

describe('groups', () => {
  test.each([
    ['as a list', ['x', 'admins'], 'mapped'],
    ['as a text', 'admins', 'mapped'],
    ['as a text that has the value within', 'xadmins,admins', 'refused'],
    ['as a number', 7, 'refused'],
    ['as an object', { admins: true }, 'refused'],
    ['as a list in a list', [['admins']], 'refused'],
    ['as nothing', null, 'refused'],
    ['with 10,000 entries', [...Array.from({ length: 9_999 }, (_, at) => `g${at}`), 'admins'], 'mapped'],
  ])('%s', (_what, groups, kind) => {
    expect(roleBy({ groups })).toBe(kind)
  })

  test('that the provider keeps elsewhere are refused with advice', () => {
    const sentence = expect.stringContaining('use app roles')
    expect(roleBy({ _claim_names: { groups: 'src1' }, groups: ['admins'] })).toEqual(sentence)
    expect(roleBy({ hasgroups: true })).toEqual(sentence)
  })
})

describe('a pointer', () => {
  test.each([
    ['/__proto__/constructor/name'],
    ['/constructor/name'],
    ['/list/length'],
    ['/text/0'],
    ['/missing/deeper'],
  ])('%s finds nothing that is not a member', (text) => {
    const claims = { list: ['a'], text: 'admins' }
    expect([...valuesAt(claims, parsePointer(text)!)]).toEqual([])
  })

  test('finds members with slashes and tildes, and one of the name __proto__', () => {
    const claims = JSON.parse('{"a/b":{"c~d":["x"]},"__proto__":"y"}')
    expect([...valuesAt(claims, parsePointer('/a~1b/c~0d')!)]).toEqual(['x'])
    expect([...valuesAt(claims, parsePointer('/__proto__')!)]).toEqual(['y'])
  })

  test.each(['', 'roles', '/a~2', '/a~'])('is not %j', (text) => {
    expect(parsePointer(text)).toBeUndefined()
  })
})

test.each([[''], ['x'.repeat(256)]])('a subject of another length is refused', (subject) => {
  expect(judgeIdentity({ issuer: 'https://a.example', subject, claims: {} }, rules)).toHaveProperty('refused')
})

test.each([
  ['BERT@Maps.example', 'bert@maps.example'],
  ['bert\u212a@maps.example', undefined],
  ['bert@\u212aarten.example', undefined],
])('of the verified address %s, %s links', (email, expected) => {
  const trusting = { ...rules, roles: undefined, emailDomains: ['maps.example', 'karten.example'] }
  const claims = { email, email_verified: true }
  const judged = judgeIdentity({ issuer: 'https://a.example', subject: 's', claims }, trusting)
  expect('verifiedEmail' in judged && judged.verifiedEmail).toBe(expected)
})
