import { describe, expect, test } from 'vitest'
import type { Endpoint } from '../../../../src/http/endpoints/endpoint.ts'
import { endpointTable } from '../../../../src/http/endpoints/table.ts'
import { callers, targets } from '../../../support/portal/actors.ts'
import { withReasons } from '../../../support/portal/envelopes.ts'
import { adminPassword, type Body, Client, isReplicated, type Parameters } from '../../../support/portal/portal.ts'
import { useBothOrganizations } from './both-organizations.ts'
import { fillPath, idNames } from './call.ts'
import { CallerCase } from './caller-case.ts'
import type { Case } from './expectations/case.ts'
import {
  forbidden,
  groupNotFound,
  itemNotFound,
  notFound,
  type Outcome,
  ok,
  tokenInvalid,
  unable,
  userNotFound,
} from './expectations/outcomes.ts'
import { expectations } from './expectations/table.ts'

/** The permission check of a call agrees with the outcome of the call itself. */

const organizations = useBothOrganizations()

const { choices } = endpointTable.find(({ id }) => id === 'checkPermission')!.parameters['operation']!
/** On PostgreSQL a quarter of the operations: what is said is the row's and the rooms', as in check-callers.ts. */
const known = endpointTable.filter(({ id }) => choices!.includes(id)).filter((_, at) => !isReplicated || at % 4 === 0)

/** Callers who are no user of the organization, or have no valid token. */
const strangers = ['anonymous', 'unknownToken', 'expiredToken', 'revokedToken', 'outsider', 'app', 'mightyApp']
/** Users of the organization, of whom may be asked. */
const users = callers.filter((caller) => !strangers.includes(caller))

const verdicts = new Map<Outcome, string>([
  [ok, 'permitted'],
  [forbidden, 'forbidden'],
  [tokenInvalid, 'disabled'],
  ...[notFound, groupNotFound, userNotFound, itemNotFound].map((refusal) => [refusal, 'notFound'] as const),
])

/** Permission is judged before input and state: those who may call are refused for these alone. */
function verdictOf(expected: Outcome): string {
  return verdicts.get(expected) ?? 'refusedNow'
}

function clientOf(of: CallerCase): Client {
  return new Client(of.actors.portal, of.token, of.username)
}

/** The ids of the path; the organization is that of the question. */
function targetOf({ row, ids }: CallerCase): Parameters {
  const named = idNames(row.path).filter((name) => name !== 'portalId')
  return named.length === 0
    ? {}
    : { target: JSON.stringify(Object.fromEntries(named.map((name) => [name, ids[name]]))) }
}

/** Parameters passed with the call, where all of them may be. */
function parametersOf({ row, parameters }: CallerCase): Parameters {
  const isSecret = Object.keys(parameters).some((name) => row.parameters[name]?.isSecret)
  return row.effect === 'none' || isSecret ? {} : { parameters: JSON.stringify(parameters) }
}

function ask(asker: Client, of: CallerCase, more: Parameters): Promise<Body> {
  const asked = { user: of.username, operation: of.row.id, ...targetOf(of), ...more }
  return asker.get('/portals/self/permissionCheck', asked)
}

/** Questions are about the asker's organization alone. */
function isOfOwnOrganization(on: Case): boolean {
  const { fixture } = organizations()[on.access ?? 'private']
  const { portalId = fixture.portalId } = on.ids?.(fixture, targets.user) ?? {}
  return portalId === fixture.portalId || portalId === 'self'
}

function takesParameters({ parameters }: Endpoint): boolean {
  return Object.keys(parameters).length > 0
}

/** Who may register an app depends on the item, which is a parameter. */
function dependsOnParameters({ id }: Endpoint): boolean {
  return id === 'registerApp'
}

/** Operations that succeed whatever becomes of each target. */
const answersEach = new Set([
  'deleteItems',
  'shareItems',
  'unshareItems',
  'updateItems',
  'updateGroupItems',
  'revertHistoryEntry',
])

/** Outcome of the call itself for its only target. */
async function outcomeOfTarget(of: CallerCase): Promise<Outcome> {
  if (of.expected !== ok) return of.expected
  const { results } = await clientOf(of).post(fillPath(of.row.path, of.ids), of.parameters)
  await of.actors.database.rewind()
  const [{ error }] = results as readonly [{ readonly error?: { readonly message: string } }]
  return error === undefined
    ? ok
    : ([...verdicts.keys()].find((one) => one !== ok && one.message === error.message) ?? unable(of.row.task))
}

test('operations that need a token are known, but for those that look at many rows or are always refused', () => {
  const unknown = endpointTable
    .filter(({ id, token }) => token !== 'none' && !choices!.includes(id))
    .map(({ id }) => id)
  expect(unknown.toSorted()).toEqual([
    'checkPermission',
    'createFolder',
    'listGroupUsers',
    'listItemGroups',
    'listUserTags',
    'readFolder',
    'readItemInfo',
    'readItemInfoFile',
    'readUserItem',
    'useFolder',
    'validateAppAccess',
  ])
})

/** Without the parameters that a call needs, only who may call is judged. */
function expectedVerdict(expected: Outcome, isJudged: boolean): string {
  const verdict = verdictOf(expected)
  return verdict === 'refusedNow' && !isJudged ? 'permitted' : verdict
}

/** Asked by the administrator without the parameters of the call. */
function askAboutOther(of: CallerCase, administrator: Client) {
  const more = dependsOnParameters(of.row) ? parametersOf(of) : {}
  return { of, asked: ask(administrator, of, more), isJudged: !takesParameters(of.row) }
}

/** Asked by the user with the parameters of the call. */
function askAboutOneself(of: CallerCase) {
  const more = parametersOf(of)
  return { of, asked: ask(clientOf(of), of, more), isJudged: 'parameters' in more || !takesParameters(of.row) }
}

/** Users take turns: on PostgreSQL, those ask about themselves who do not on SQLite. */
function askAbout(row: Endpoint, on: Case, position: number) {
  const administrator = clientOf(new CallerCase(organizations(), row, on, 'administrator'))
  return users.map((caller, at) => {
    const of = new CallerCase(organizations(), row, on, caller)
    const isAsker = (position + at + Number(isReplicated)) % 2 === 0 && caller !== 'disabledUser'
    return isAsker ? askAboutOneself(of) : askAboutOther(of, administrator)
  })
}

describe.each(known.map((row) => ({ row, id: row.id })))('$id', ({ row }) => {
  test('is judged as the call itself is, for an administrator and for those who ask about themselves', async () => {
    const own = expectations[row.id]!.filter(isOfOwnOrganization)
    const judged: Record<string, unknown> = {}
    const expected: Record<string, unknown> = {}
    for (const [position, on] of own.entries()) {
      const { database } = organizations()[on.access ?? 'private']
      const questions = askAbout(row, on, position)
      const answers = await Promise.all(questions.map(({ asked }) => asked))
      expect(await database.changes()).toEqual({})
      for (const [at, { of, isJudged }] of questions.entries()) {
        const outcome = isJudged && answersEach.has(row.id) ? await outcomeOfTarget(of) : of.expected
        judged[`${of.caller} on ${on.on}`] = answers[at].verdict
        expected[`${of.caller} on ${on.on}`] = expectedVerdict(outcome, isJudged)
      }
    }
    expect(judged).toEqual(expected)
    expect(own).not.toHaveLength(0)
  })
})

describe('who may ask', () => {
  const path = '/portals/self/permissionCheck'
  const create = { operation: 'createGroup' }

  test('users about themselves: by name, by id, or without', async () => {
    const user = await organizations().private.portal.signIn('user', adminPassword)
    const { id } = await user.get('/community/self')
    for (const given of [{ user: 'user' }, { user: 'USER' }, { user: id }, {}]) {
      expect(await user.get(path, { ...create, ...given })).toEqual({
        user: 'user',
        operation: 'createGroup',
        allowed: true,
        verdict: 'permitted',
        reason: expect.stringMatching(/^user may create group\. Who may call: Users with portal:user:createGroup/),
        who: expect.stringMatching(/^Users with portal:user:createGroup/),
      })
    }
  })

  test('about others only administrators: a custom role with every privilege is refused', async () => {
    const { portal } = organizations().private
    for (const username of ['user', 'owner', 'everything']) {
      const client = await portal.signIn(username, adminPassword)
      for (const user of [
        targets.user,
        'administrator',
        'nobody-of-this-name',
        organizations().private.fixture.otherPortalId,
      ]) {
        expect(await client.get(path, { ...create, user })).toEqual(withReasons(forbidden))
      }
    }
  })

  test('no caller about users of another organization', async () => {
    const admin = await organizations().private.portal.admin()
    const { username } = organizations().private.find('outsider', { holder: [], lacking: [] })
    for (const user of [username, 'nobody-of-this-name']) {
      expect(await admin.get(path, { ...create, user })).toEqual({ error: userNotFound })
    }
  })
})

describe('what is asked', () => {
  const path = '/portals/self/permissionCheck'

  async function refusalOf(asked: Parameters): Promise<readonly string[]> {
    const { error } = await (await organizations().private.portal.admin()).get(path, asked)
    expect(error.code).toBe(400)
    return error.details
  }

  test('has no misspelt parameter, as the answer would be about the caller', async () => {
    expect(await refusalOf({ operation: 'createGroup', usr: 'anna' })).toEqual(['usr is unknown; did you mean user?'])
    const parameters = { titel: 'Maps', x: 'y' }
    expect(await refusalOf({ operation: 'createGroup', parameters })).toEqual([
      'parameters: titel is unknown; did you mean title?',
    ])
  })

  test('names an operation that is known, and the ids of its path', async () => {
    expect(await refusalOf({})).toEqual(['operation: give a value.'])
    expect(await refusalOf({ operation: 'deleteGrup' })).toEqual([
      'operation: is not an operation that is known here; did you mean deleteGroup?',
    ])
    expect(await refusalOf({ operation: 'deleteGroup', target: '{"itemId":"1"}' })).toEqual([
      'target: give groupId for deleteGroup.',
      'target: deleteGroup has no itemId in its path.',
    ])
    expect(await refusalOf({ operation: 'deleteGroup', target: '[]' })).toEqual(['target: is not a JSON object.'])
  })

  test('has parameters only where they are part of a change, and never a secret', async () => {
    expect(await refusalOf({ operation: 'searchItems', parameters: '{"q":"lakes"}' })).toEqual([
      'parameters: searchItems changes nothing; leave them out.',
    ])
    const change = { operation: 'changePassword', target: '{"username":"user"}' }
    for (const name of ['newPassword', 'NewPassword', 'NEWPASSWORD']) {
      expect(await refusalOf({ ...change, parameters: JSON.stringify({ [name]: 'a' }) })).toEqual([
        'parameters: newPassword is a secret; leave it out.',
      ])
    }
  })

  test('is answered with the privilege that is missing, or with what it would be refused for', async () => {
    const { portal, fixture } = organizations().private
    const admin = await portal.admin()
    expect(await admin.get(path, { user: 'user', operation: 'updatePortal' })).toMatchObject({
      allowed: false,
      verdict: 'forbidden',
      privilege: 'portal:admin:manageWebsite',
      reason:
        'user may not update organization: the role of the user does not have the privilege portal:admin:manageWebsite.',
    })
    const target = JSON.stringify({ groupId: fixture.groups.public })
    const parameters = JSON.stringify({ targetUsername: 'nobody-of-this-name' })
    expect(await admin.get(path, { user: 'owner', operation: 'reassignGroup', target, parameters })).toMatchObject({
      allowed: true,
      verdict: 'refusedNow',
      details: ['targetUsername: nobody-of-this-name is not an enabled member of the group.'],
    })
  })

  test('looks at each item that is given', async () => {
    const { portal, fixture } = organizations().private
    const admin = await portal.admin()
    const { items } = fixture
    const asked = (itemId: string) => ({
      user: 'user',
      operation: 'updateItems',
      parameters: JSON.stringify({ items: [{ [itemId]: { categories: ['/Region'] } }] }),
    })
    expect(await admin.get(path, asked(items.private))).toMatchObject({ allowed: false, verdict: 'notFound' })
    expect(await admin.get(path, asked(items.org))).toMatchObject({ allowed: false, verdict: 'forbidden' })
    expect(await admin.get(path, { ...asked(items.org), user: 'owner' })).toMatchObject({ verdict: 'permitted' })
  })
})
