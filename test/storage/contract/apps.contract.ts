import { expect } from 'vitest'
import { withoutSecret } from '../../../src/oauth/apps/app.ts'
import { listEnding } from '../../../src/oauth/apps/reminders.ts'
import type { WorkStorage } from '../work-storage.ts'
import { anApp, anAppToken } from './app-records.ts'
import {
  aCode,
  addMorePeople,
  aGrant,
  anId,
  anItem,
  aPortal,
  aRefreshToken,
  aUser,
  noon,
  type OpenStorage,
  otherPortal,
  testOn,
} from './records.ts'

const userToken = { tokenHash: 'b'.repeat(64), userId: anId(1), createdAt: noon, expiresAt: noon + 60_000 }
const { clientId, portalId } = anApp()
const firstPage = { start: 1, num: 10 }

/** An app of an item, its own token, and a user who signed in to it. */
async function addApp(storage: WorkStorage): Promise<void> {
  await addMorePeople(storage)
  await storage.items.addItem(anItem())
  await storage.oauth.addApp(anApp())
  await storage.oauth.addAppToken(anAppToken(), 10)
  await storage.oauth.addGrant(aGrant({ clientId }), aCode({ clientId }))
  await storage.oauth.addRefreshToken(aRefreshToken())
  await storage.tokens.addToken({ ...userToken, grantId: aGrant().grantId })
}

const readAll = async ({ oauth, tokens }: WorkStorage) => ({
  app: await oauth.findApp(clientId),
  ofItem: await oauth.findAppOfItem(anItem().itemId),
  grant: await oauth.findGrant(aGrant().grantId),
  refreshToken: await oauth.findRefreshToken(aRefreshToken().tokenHash),
  hasUserToken: (await tokens.findTokenUser(userToken.tokenHash)) !== undefined,
  hasAppToken: (await tokens.findTokenUser(anAppToken().tokenHash)) !== undefined,
})

/** Which of the tokens of an app are valid. */
async function listValid({ tokens }: WorkStorage, hashes: readonly string[]) {
  const found = await Promise.all(hashes.map((hash) => tokens.findTokenUser(hash)))
  return hashes.filter((_, position) => found[position])
}

const ended = { app: undefined, ofItem: undefined, grant: undefined, refreshToken: undefined } as const
const allEnded = { ...ended, hasUserToken: false, hasAppToken: false }

/** Registered apps, their own tokens, and built-in apps that are switched off. */
export function appsContract(open: OpenStorage): void {
  const test = testOn(open, addApp)

  test('an app is found as it was registered, by its id and by its item', async ({ oauth, storage }) => {
    expect(await readAll(storage)).toStrictEqual({
      app: anApp(),
      ofItem: anApp(),
      grant: aGrant({ clientId }),
      refreshToken: aRefreshToken(),
      hasUserToken: true,
      hasAppToken: true,
    })
    const list = (of: string) => oauth.listApps(of, firstPage)
    expect(await list(portalId!)).toStrictEqual({ total: 1, entries: [anApp()] })
    expect(await list(otherPortal.portalId)).toStrictEqual({ total: 0, entries: [] })
  })

  test('an app is called as its item is, and belongs to the owner of that', async ({ items, oauth }) => {
    await items.updateItem(anItem({ title: 'Renamed' }))
    await items.giveItem(anItem().itemId, anId(2))
    const app = await oauth.findApp(clientId)
    expect(app).toMatchObject({ title: 'Renamed', owner: { userId: anId(2), username: 'Bert' } })
  })

  test.for([
    ['it is removed', ({ oauth }: WorkStorage) => oauth.removeApp(clientId)],
    ['its item is removed', ({ items }: WorkStorage) => items.removeItem(anItem().itemId)],
  ] as const)('an app ends with all that was issued under it, where %s', async ([_, remove], { storage }) => {
    await remove(storage)
    expect(await readAll(storage)).toStrictEqual(allEnded)
  })

  test('what the users of one organization allowed an app ends without the app', async ({ oauth, storage }) => {
    await oauth.removeGrantsOfApp(clientId, otherPortal.portalId)
    await oauth.removeGrantsOfApp('another', portalId!)
    expect(await readAll(storage)).toMatchObject({ grant: aGrant({ clientId }), hasUserToken: true })
    await oauth.removeGrantsOfApp(clientId, portalId!)
    expect(await readAll(storage)).toStrictEqual({ ...allEnded, app: anApp(), ofItem: anApp(), hasAppToken: true })
  })

  test('what an app got by its secret ends without the app, and nothing else', async ({ oauth, storage }) => {
    const end = (id: string) => oauth.removeGrantsWithSecret(id)
    await end(clientId)
    expect(await readAll(storage)).toMatchObject({ grant: aGrant({ clientId }), hasUserToken: true })
    const { grantId, expiresAt } = aGrant()
    await oauth.useCode(aCode().codeHash, noon, { grantId, expiresAt, needsSecret: true })
    await end('another')
    expect(await readAll(storage)).toMatchObject({ grant: { needsSecret: true }, hasUserToken: true })
    await end(clientId)
    expect(await readAll(storage)).toStrictEqual({ ...allEnded, app: anApp(), ofItem: anApp(), hasAppToken: true })
  })

  test('the token of an app stands for the app', async ({ oauth, tokens }) => {
    const find = () => tokens.findTokenUser(anAppToken().tokenHash)
    expect(await find()).toStrictEqual({
      createdAt: noon,
      expiresAt: anAppToken().expiresAt,
      userId: clientId,
      username: `app:${clientId}`,
      portalId,
      role: 'app',
      disabled: false,
      customPrivileges: anApp().privileges,
      owner: { role: aUser().role, customPrivileges: undefined },
      hookRevision: undefined,
    })
    await oauth.updateApp(anApp({ isDisabled: true, privileges: [], isConfirmed: true }))
    expect(await find()).toMatchObject({ disabled: true, customPrivileges: [], owner: undefined })
  })

  test('an app that is disowned is without secret, confirmation, tokens and sign-ins', async ({ oauth, storage }) => {
    await oauth.updateApp(anApp({ isConfirmed: true }))
    await oauth.putConsent(anId(1), clientId, 'what it asked', noon)
    await oauth.disownApp(clientId, noon + 2)
    const disowned = { ...withoutSecret, asksNothing: false, modifiedAt: noon + 2 }
    const app = anApp(disowned)
    expect(await readAll(storage)).toStrictEqual({ ...allEnded, app, ofItem: app })
    expect(await oauth.findConsent(anId(1), clientId)).toBeUndefined()
    expect(await oauth.listAppsOwnedBy(anId(1), 1)).toStrictEqual([app])
  })

  test('apps whose secrets end are those of a time, made for longer, and of fewer reminders or of any number', async ({
    oauth,
  }) => {
    const { secretExpiresAt: end } = anApp()
    const lifetime = end! - noon
    const list = async (from: number, to: number, longerThan: number, reminders?: number) => {
      const of = { longerThan, ...(reminders !== undefined && { reminders }) }
      return (await oauth.listEndingSecrets({ from, to }, of, 10)).map((app) => app.clientId)
    }
    expect(await list(noon, end!, lifetime - 1)).toEqual([clientId])
    expect(await list(noon, end!, lifetime - 1, 2)).toEqual([clientId])
    expect(await list(noon, end!, lifetime - 1, 1)).toEqual([])
    expect(await list(noon, end!, lifetime)).toEqual([])
    expect(await list(noon, end! - 1, 0)).toEqual([])
    expect(await list(end!, end! + 1, 0)).toEqual([])
    expect(await listEnding(oauth, noon, 1)).toEqual([])
    await oauth.updateApp(anApp({ secretMadeAt: noon - 30 * 86_400_000 }))
    expect(await listEnding(oauth, noon, 1)).toHaveLength(1)
    await oauth.updateApp(anApp({ isDisabled: true }))
    expect(await list(noon, end!, 0)).toEqual([])
  })

  test.for([true, false])(
    'an app stands back while the owner of its item is disabled: %s',
    async (disabled, { directory, tokens }) => {
      const find = () => tokens.findTokenUser(anAppToken().tokenHash)
      await directory.updateUser(aUser({ disabled: !disabled }))
      expect(await find()).toMatchObject({ disabled: !disabled })
      await directory.updateUser(aUser({ disabled }))
      expect(await find()).toMatchObject({ disabled })
    },
  )

  test('tokens of apps end one by one, all of an app, and by their time', async ({ oauth, tokens, storage }) => {
    const all = ['expired', 'second', 'third', anAppToken().tokenHash]
    await oauth.addAppToken(anAppToken({ tokenHash: 'expired', expiresAt: noon + 1 }), 10)
    for (const tokenHash of ['second', 'third']) await oauth.addAppToken(anAppToken({ tokenHash }), 10)
    await tokens.removeExpired(noon + 1)
    expect(await listValid(storage, all)).toEqual(all.slice(1))
    await oauth.removeAppToken('second')
    expect(await listValid(storage, all)).toEqual(all.slice(2))
    await oauth.removeAppTokens(clientId)
    expect(await listValid(storage, all)).toEqual([])
  })

  test('an app has as many tokens as it may: the oldest end, and never the new one', async ({ oauth, storage }) => {
    const { tokenHash: first, createdAt } = anAppToken()
    const add = async (tokenHash: string, at: number, max: number) => {
      await oauth.addAppToken(anAppToken({ tokenHash, createdAt: at }), max)
      return listValid(storage, [first, 'a', 'b', 'c', 'd', 'e'])
    }
    await add('a', createdAt + 2, 3)
    expect(await add('b', createdAt + 1, 3)).toEqual([first, 'a', 'b'])
    expect(await add('c', createdAt + 3, 3)).toEqual(['a', 'b', 'c'])
    expect(await add('d', createdAt + 4, 2)).toEqual(['c', 'd'])
    // The clock of a server may be behind.
    expect(await add('e', createdAt - 1, 1)).toEqual(['e'])
  })

  test('a built-in app is switched off and on for one organization', async ({ oauth }) => {
    const list = (of: string) => oauth.listSwitchedOff(of)
    const put = (isOff: boolean) => oauth.putSwitch(aPortal().portalId, 'arcgisonline', isOff)
    await put(true)
    await put(true)
    expect(await list(aPortal().portalId)).toEqual(['arcgisonline'])
    expect(await list(otherPortal.portalId)).toEqual([])
    await put(false)
    expect(await list(aPortal().portalId)).toEqual([])
  })
}
