import { expect, test } from 'vitest'
import type { Token } from '../../../src/tokens/token.ts'
import type { WorkStorage } from '../work-storage.ts'
import { addPeople, anId, aRole, aUser, endOfTime, noon, type OpenStorage } from './records.ts'

function aToken(given: Partial<Token> = {}): Token {
  return { tokenHash: 'a'.repeat(64), userId: anId(1), createdAt: noon, expiresAt: noon + 60_000, ...given }
}

function find(storage: WorkStorage, hash = 'a'.repeat(64)) {
  return storage.read(({ tokens }) => tokens.findTokenUser(hash))
}

/** Tokens and failed sign-ins. */
export function tokensContract(open: OpenStorage): void {
  test('an unknown token has no user', async () => {
    expect(await find(await open())).toBeUndefined()
  })

  test('a token gives its user and what the user may do', async () => {
    const storage = await open()
    await addPeople(storage)
    await storage.write(({ tokens }) => tokens.addToken(aToken({ expiresAt: endOfTime })))
    expect(await find(storage)).toStrictEqual({
      expiresAt: endOfTime,
      userId: anId(1),
      username: 'anna',
      portalId: 'PortalOfMaps0001',
      role: 'org_user',
      disabled: false,
      customPrivileges: undefined,
    })
  })

  test('a token tells what is true of its user now', async () => {
    const storage = await open()
    await addPeople(storage)
    await storage.write(async ({ tokens, directory }) => {
      await tokens.addToken(aToken())
      await directory.addRole(aRole())
      await directory.updateUser(aUser({ role: aRole().roleId, disabled: true }))
    })
    expect(await find(storage)).toMatchObject({
      role: aRole().roleId,
      disabled: true,
      customPrivileges: ['portal:admin:updateItemCategorySchema'],
    })
    await storage.write(({ directory }) => directory.removeRole(aRole().roleId))
    expect((await find(storage))?.customPrivileges).toBeUndefined()
  })

  test('one removal of a token is true, the next is false', async () => {
    const storage = await open()
    await addPeople(storage)
    await storage.write(({ tokens }) => tokens.addToken(aToken()))
    expect(await storage.write(({ tokens }) => tokens.removeToken('a'.repeat(64)))).toBe(true)
    expect(await storage.write(({ tokens }) => tokens.removeToken('a'.repeat(64)))).toBe(false)
    expect(await find(storage)).toBeUndefined()
  })

  test('all tokens of one user go, and nobody else loses one', async () => {
    const storage = await open()
    await addPeople(storage)
    await storage.write(async ({ tokens, directory }) => {
      await directory.addUser(aUser({ userId: anId(2), username: 'bert' }), 'hash')
      await tokens.addToken(aToken({ tokenHash: 'first' }))
      await tokens.addToken(aToken({ tokenHash: 'second' }))
      await tokens.addToken(aToken({ tokenHash: 'of bert', userId: anId(2) }))
      await tokens.removeTokensOf(anId(1))
    })
    expect(await find(storage, 'first')).toBeUndefined()
    expect(await find(storage, 'second')).toBeUndefined()
    expect(await find(storage, 'of bert')).toMatchObject({ username: 'bert' })
  })

  test('a removed user has no tokens', async () => {
    const storage = await open()
    await addPeople(storage)
    await storage.write(({ tokens }) => tokens.addToken(aToken()))
    await storage.write(({ directory }) => directory.removeUser(anId(1)))
    expect(await find(storage)).toBeUndefined()
    expect(await storage.write(({ tokens }) => tokens.removeToken('a'.repeat(64)))).toBe(false)
  })

  test('expired tokens go, up to and with the moment that is named', async () => {
    const storage = await open()
    await addPeople(storage)
    await storage.write(async ({ tokens }) => {
      await tokens.addToken(aToken({ tokenHash: 'before', expiresAt: noon - 1 }))
      await tokens.addToken(aToken({ tokenHash: 'at', expiresAt: noon }))
      await tokens.addToken(aToken({ tokenHash: 'after', expiresAt: noon + 1 }))
      await tokens.removeExpired(noon)
    })
    expect(await find(storage, 'before')).toBeUndefined()
    expect(await find(storage, 'at')).toBeUndefined()
    expect(await find(storage, 'after')).toBeDefined()
  })

  test('failures are told for one account from one address since a moment, oldest first', async () => {
    const storage = await open()
    await storage.write(async ({ tokens }) => {
      for (const at of [noon + 3, noon, noon + 1]) await tokens.addFailure('anna', '192.0.2.7', at)
      await tokens.addFailure('anna', '192.0.2.8', noon + 1)
      await tokens.addFailure('bert', '192.0.2.7', noon + 1)
    })
    const list = (since: number) => storage.read(({ tokens }) => tokens.listFailures('anna', '192.0.2.7', since))
    expect(await list(noon - 1)).toEqual([noon, noon + 1, noon + 3])
    expect(await list(noon)).toEqual([noon + 1, noon + 3])
    expect(await list(noon + 3)).toEqual([])
  })

  test('two failures of one millisecond are two', async () => {
    const storage = await open()
    await storage.write(async ({ tokens }) => {
      await tokens.addFailure('anna', '192.0.2.7', noon)
      await tokens.addFailure('anna', '192.0.2.7', noon)
    })
    const failures = await storage.read(({ tokens }) => tokens.listFailures('anna', '192.0.2.7', 0))
    expect(failures).toEqual([noon, noon])
  })

  test('old failures go, up to and with the moment that is named', async () => {
    const storage = await open()
    await storage.write(async ({ tokens }) => {
      for (const at of [noon - 1, noon, noon + 1]) await tokens.addFailure('anna', '192.0.2.7', at)
      await tokens.removeFailures(noon)
    })
    expect(await storage.read(({ tokens }) => tokens.listFailures('anna', '192.0.2.7', 0))).toEqual([noon + 1])
  })
}
