import { expect } from 'vitest'
import type { SignInFailure } from '../../../src/tokens/sign-in-limit.ts'
import type { Token } from '../../../src/tokens/token.ts'
import type { WorkStorage } from '../work-storage.ts'
import {
  addPeople,
  aFailure,
  anId,
  aRole,
  aUser,
  builder,
  endOfTime,
  noon,
  type OpenStorage,
  testOn,
} from './records.ts'

const aToken = builder<Token>({ tokenHash: 'a'.repeat(64), userId: anId(1), createdAt: noon, expiresAt: noon + 60_000 })

function find(storage: WorkStorage, hash = 'a'.repeat(64)) {
  return storage.tokens.findTokenUser(hash)
}

/** Tokens and failed sign-ins. */
export function tokensContract(open: OpenStorage): void {
  const test = testOn(open, addPeople)

  test('a token gives its user and what the user may do', async ({ tokens, storage }) => {
    await tokens.addToken(aToken({ expiresAt: endOfTime }))
    expect(await find(storage)).toStrictEqual({
      createdAt: noon,
      expiresAt: endOfTime,
      userId: anId(1),
      username: 'anna',
      portalId: 'PortalOfMaps0001',
      role: 'org_user',
      disabled: false,
      customPrivileges: undefined,
      hookRevision: undefined,
    })
  })

  test('a token answers what is true of its user now', async ({ directory, tokens, storage }) => {
    await tokens.addToken(aToken())
    await directory.addRole(aRole())
    await directory.updateUser(aUser({ role: aRole().roleId, disabled: true }))
    expect(await find(storage)).toMatchObject({
      role: aRole().roleId,
      disabled: true,
      customPrivileges: ['portal:admin:updateItemCategorySchema'],
    })
    await directory.removeRole(aRole().roleId)
    expect((await find(storage))?.customPrivileges).toBeUndefined()
  })

  test('one removal of a token is true, the next is false', async ({ tokens, storage }) => {
    await tokens.addToken(aToken())
    expect(await tokens.removeToken('a'.repeat(64))).toBe(true)
    expect(await tokens.removeToken('a'.repeat(64))).toBe(false)
    expect(await find(storage)).toBeUndefined()
  })

  test('all tokens of one user go, and no others', async ({ directory, tokens, storage }) => {
    await directory.addUser(aUser({ userId: anId(2), username: 'bert' }), 'hash')
    await tokens.addToken(aToken({ tokenHash: 'first' }))
    await tokens.addToken(aToken({ tokenHash: 'second' }))
    await tokens.addToken(aToken({ tokenHash: 'of bert', userId: anId(2) }))
    await tokens.removeTokensOf(anId(1))
    expect(await find(storage, 'first')).toBeUndefined()
    expect(await find(storage, 'second')).toBeUndefined()
    expect(await find(storage, 'of bert')).toMatchObject({ username: 'bert' })
  })

  test('a removed user has no tokens', async ({ directory, tokens, storage }) => {
    await tokens.addToken(aToken())
    await directory.removeUser(anId(1))
    expect(await find(storage)).toBeUndefined()
    expect(await tokens.removeToken('a'.repeat(64))).toBe(false)
  })

  test('expired tokens go, up to and with the moment that is named', async ({ tokens, storage }) => {
    await tokens.addToken(aToken({ tokenHash: 'before', expiresAt: noon - 1 }))
    await tokens.addToken(aToken({ tokenHash: 'at', expiresAt: noon }))
    await tokens.addToken(aToken({ tokenHash: 'after', expiresAt: noon + 1 }))
    await tokens.removeExpired(noon)
    expect(await find(storage, 'before')).toBeUndefined()
    expect(await find(storage, 'at')).toBeUndefined()
    expect(await find(storage, 'after')).toBeDefined()
  })

  test('failures are listed by account and by address since a moment, oldest first', async ({ tokens }) => {
    const first = aFailure({ failedAt: noon + 1 })
    const last = aFailure({ failedAt: noon + 3 })
    const elsewhere = aFailure({ address: '192.0.2.8', failedAt: noon + 2 })
    const ofBert = aFailure({ accountKey: 'bert', failedAt: noon + 2 })
    for (const failure of [last, aFailure(), first, elsewhere, ofBert]) await tokens.addFailure(failure)
    await tokens.addFailure(aFailure({ accountKey: 'carl', address: '192.0.2.9', failedAt: noon + 2 }))
    const list = (since: number) => tokens.listFailures(aFailure(), since)
    expect(await list(noon)).toEqual({ ofAccount: [first, elsewhere, last], ofAddress: [first, ofBert, last] })
    expect(await list(noon + 2)).toEqual({ ofAccount: [last], ofAddress: [last] })
    expect(await list(noon + 3)).toEqual({ ofAccount: [], ofAddress: [] })
  })

  test('cross-site failures are listed for cross-site sign-ins only, and the others for the others', async ({
    tokens,
  }) => {
    const crossSite = aFailure({ crossSiteOrigin: 'https://a.example' })
    await tokens.addFailure(aFailure())
    await tokens.addFailure(crossSite)
    const list = (source: SignInFailure) => tokens.listFailures(source, 0)
    expect(await list(aFailure())).toEqual({ ofAccount: [aFailure()], ofAddress: [aFailure()] })
    const ofOther = aFailure({ crossSiteOrigin: 'https://b.example' })
    expect(await list(ofOther)).toEqual({ ofAccount: [crossSite], ofAddress: [crossSite] })
  })

  test('two failures of one millisecond are two', async ({ tokens }) => {
    await tokens.addFailure(aFailure())
    await tokens.addFailure(aFailure())
    const { ofAccount } = await tokens.listFailures(aFailure(), 0)
    expect(ofAccount).toEqual([aFailure(), aFailure()])
  })

  test('old failures go, up to and with the moment that is named', async ({ tokens }) => {
    for (const failedAt of [noon - 1, noon, noon + 1]) await tokens.addFailure(aFailure({ failedAt }))
    await tokens.removeFailures(noon)
    const { ofAccount } = await tokens.listFailures(aFailure(), 0)
    expect(ofAccount).toEqual([aFailure({ failedAt: noon + 1 })])
  })

  test('the failures of one account go, and no others', async ({ tokens }) => {
    const ofBert = aFailure({ accountKey: 'bert' })
    for (const failure of [aFailure(), aFailure({ crossSiteOrigin: 'null' }), ofBert]) await tokens.addFailure(failure)
    await tokens.removeFailuresOf('anna')
    const left = await tokens.listFailures(aFailure(), 0)
    expect(left).toEqual({ ofAccount: [], ofAddress: [ofBert] })
  })

  test('an address is known to a user who signed in from it since a moment', async ({ tokens }) => {
    const isKnown = (address: string, since: number) => tokens.hasSignedIn(anId(1), address, since)
    expect(await isKnown('192.0.2.7', 0)).toBe(false)
    await tokens.putSignIn(anId(1), '192.0.2.7', noon, 5)
    expect(await isKnown('192.0.2.7', noon - 1)).toBe(true)
    expect(await isKnown('192.0.2.7', noon)).toBe(false)
    expect(await isKnown('192.0.2.8', 0)).toBe(false)
    await tokens.putSignIn(anId(1), '192.0.2.7', noon + 1, 5)
    expect(await isKnown('192.0.2.7', noon)).toBe(true)
    expect(await tokens.hasSignedIn(anId(2), '192.0.2.7', 0)).toBe(false)
  })

  test('of the addresses of a user as many are known as may be, the latest', async ({ directory, tokens }) => {
    await directory.addUser(aUser({ userId: anId(2), username: 'bert' }), 'hash')
    await tokens.putSignIn(anId(2), 'of bert', noon, 2)
    for (const [at, address] of ['a', 'b', 'a', 'c'].entries()) await tokens.putSignIn(anId(1), address, noon + at, 2)
    const known = (userId: string, address: string) => tokens.hasSignedIn(userId, address, 0)
    expect(await known(anId(1), 'a')).toBe(true)
    expect(await known(anId(1), 'b')).toBe(false)
    expect(await known(anId(1), 'c')).toBe(true)
    expect(await known(anId(2), 'of bert')).toBe(true)
  })
}
