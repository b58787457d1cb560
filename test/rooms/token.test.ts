import { expect, test } from 'vitest'
import { roleOfApps } from '../../src/call/caller.ts'
import { findCaller } from '../../src/tokens/operations.ts'
import type { TokenStore, TokenUser } from '../../src/tokens/store.ts'
import { tokenMinutes } from '../../src/tokens/token.ts'

test.each([
  [undefined, 21_600, 60],
  [undefined, 60, 60],
  [undefined, 59, 59],
  [1, 21_600, 1],
  [21_599, 21_600, 21_599],
  [21_600, 21_600, 21_600],
  [21_601, 21_600, 21_600],
  [120, 30, 30],
])('%s minutes wished with %s allowed are %s', (wished, max, minutes) => {
  expect(tokenMinutes(wished, max)).toBe(minutes)
})

const found: TokenUser = {
  createdAt: 0,
  expiresAt: 1000,
  userId: 'u',
  username: 'anna',
  portalId: 'p',
  role: 'org_viewer',
  disabled: false,
  customPrivileges: undefined,
}

/** Whom a token of this user stands for at a time. */
function callerOf(user: TokenUser | undefined, now: number) {
  const tokens = { findTokenUser: async () => user } satisfies Pick<TokenStore, 'findTokenUser'>
  return findCaller({ tokens: tokens as unknown as TokenStore }, 'hash', now)
}

test('a token counts until the millisecond before its end', async () => {
  expect(await callerOf(found, 999)).toMatchObject({ username: 'anna', userId: 'u', portalId: 'p', role: 'org_viewer' })
  expect(await callerOf(found, 1000)).toBeUndefined()
  expect(await callerOf(found, 1001)).toBeUndefined()
})

test('a token that begins more than five minutes in the future does not count: a clock was wrong', async () => {
  const future = { ...found, createdAt: 1_000_000, expiresAt: 2_000_000 }
  expect(await callerOf(future, 699_999)).toBeUndefined()
  expect(await callerOf(future, 700_000)).toMatchObject({ username: 'anna' })
})

test('a token that is unknown, or whose user is disabled, stands for no caller', async () => {
  expect(await callerOf(undefined, 0)).toBeUndefined()
  expect(await callerOf({ ...found, disabled: true }, 0)).toBeUndefined()
})

test('a built-in role does not take privileges from a custom one', async () => {
  const caller = await callerOf({ ...found, customPrivileges: ['portal:admin:updateUsers'] }, 0)
  expect(caller?.privileges.has('portal:admin:updateUsers')).toBe(false)
  expect(caller?.privileges.has('portal:user:joinGroup')).toBe(true)
})

test('a custom role allows the privileges that are known, and nothing once it is gone', async () => {
  const role = 'Rk8sTq2WvN5xYc7z'
  const held = await callerOf({ ...found, role, customPrivileges: ['portal:user:createGroup', 'portal:user:fly'] }, 0)
  expect([...held!.privileges]).toEqual(['portal:user:createGroup'])
  const gone = await callerOf({ ...found, role, customPrivileges: undefined }, 0)
  expect([...gone!.privileges]).toEqual([])
  const prototype = await callerOf({ ...found, role: '__proto__' }, 0)
  expect([...prototype!.privileges]).toEqual([])
})

test('an app of a user holds no privilege that the user has lost', async () => {
  const owner = { role: 'org_viewer', customPrivileges: undefined }
  const customPrivileges = ['portal:user:joinGroup', 'portal:user:createGroup']
  const app = await callerOf({ ...found, role: roleOfApps, customPrivileges, owner }, 0)
  expect([...app!.privileges]).toEqual(['portal:user:joinGroup'])
})
