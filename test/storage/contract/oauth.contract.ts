import { expect } from 'vitest'
import type { WorkStorage } from '../work-storage.ts'
import { aCode, addPeople, aGrant, anId, aRefreshToken, aSession, noon, type OpenStorage, testOn } from './records.ts'

const tokenHash = 'b'.repeat(64)
const token = { tokenHash, userId: anId(1), createdAt: noon, expiresAt: noon + 60_000 }

/** Everything that a grant has: a code, a refresh token and a token. */
async function addAll(storage: WorkStorage): Promise<void> {
  await addPeople(storage)
  await storage.oauth.addGrant(aGrant(), aCode())
  await storage.oauth.addRefreshToken(aRefreshToken())
  await storage.oauth.addSession(aSession())
  await storage.tokens.addToken({ ...token, grantId: aGrant().grantId })
}

const readAll = async ({ oauth, tokens }: WorkStorage) => ({
  grant: await oauth.findGrant(aGrant().grantId),
  code: await oauth.findCode(aCode().codeHash),
  grantOfToken: await oauth.findGrantOfToken(tokenHash),
  refreshToken: await oauth.findRefreshToken(aRefreshToken().tokenHash),
  session: await oauth.findSession(aSession().sessionHash),
  hasToken: (await tokens.findTokenUser(tokenHash)) !== undefined,
})

const all = {
  grant: aGrant(),
  code: aCode(),
  grantOfToken: aGrant(),
  refreshToken: aRefreshToken(),
  session: aSession(),
  hasToken: true,
}
const ended = { grant: undefined, code: undefined, grantOfToken: undefined, refreshToken: undefined, hasToken: false }

/** Grants of users to apps, and browser sessions. */
export function oauthContract(open: OpenStorage): void {
  const test = testOn(open, addAll)

  test('a grant that ends takes its code, its refresh token and its token with it, and no session', async ({
    oauth,
    storage,
  }) => {
    await oauth.removeGrant(aGrant())
    expect(await readAll(storage)).toStrictEqual({ ...ended, session: aSession() })
  })

  test('the tokens of a grant end without it', async ({ oauth, storage }) => {
    await oauth.removeTokensOfGrant(aGrant())
    expect(await readAll(storage)).toStrictEqual({ ...all, grantOfToken: undefined, hasToken: false })
  })

  test('every sign-in of a user ends immediately, and no other user’s', async ({ tokens, storage }) => {
    await tokens.removeTokensOf(anId(2))
    expect(await readAll(storage)).toStrictEqual(all)
    await tokens.removeTokensOf(anId(1))
    expect(await readAll(storage)).toStrictEqual({ ...ended, session: undefined })
  })

  test('a code is used, and a refresh token is exchanged, at a time', async ({ oauth, storage }) => {
    const expiresAt = noon + 3
    await oauth.useCode(aCode().codeHash, noon + 1, { ...aGrant(), expiresAt, needsSecret: true })
    await oauth.exchangeRefreshToken(aRefreshToken().tokenHash, noon + 2)
    expect(await readAll(storage)).toStrictEqual({
      ...all,
      code: aCode({ usedAt: noon + 1 }),
      grant: aGrant({ lastUsedAt: noon + 1, expiresAt, needsSecret: true }),
      grantOfToken: aGrant({ lastUsedAt: noon + 1, expiresAt, needsSecret: true }),
      refreshToken: aRefreshToken({ exchangedAt: noon + 2 }),
    })
  })

  test('what ended before a time is removed', async ({ oauth, storage }) => {
    await oauth.removeEnded(noon + 59_999)
    expect(await readAll(storage)).toStrictEqual(all)
    await oauth.removeEnded(noon + 60_000)
    // The caller of an expired token may be cached.
    const { hasToken: _, ...gone } = ended
    expect(await readAll(storage)).toMatchObject({ ...gone, session: undefined })
  })

  test('the last consent of a user to an app counts', async ({ oauth }) => {
    const find = (userId: string, clientId: string) => oauth.findConsent(userId, clientId)
    await oauth.putConsent(anId(1), 'app', 'first', noon)
    await oauth.putConsent(anId(1), 'app', 'second', noon + 1)
    expect(await find(anId(1), 'app')).toBe('second')
    expect(await find(anId(1), 'other')).toBeUndefined()
    expect(await find(anId(2), 'app')).toBeUndefined()
  })
}
