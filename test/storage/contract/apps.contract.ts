import { expect, test } from 'vitest'
import { withoutSecret } from '../../../src/oauth/apps/app.ts'
import { listEnding } from '../../../src/oauth/apps/reminders.ts'
import type { WorkStorage } from '../work-storage.ts'
import { anApp, anAppToken } from './app-records.ts'
import {
  aCode,
  aGrant,
  anId,
  anItem,
  aPortal,
  aRefreshToken,
  aUser,
  noon,
  type OpenStorage,
  openWithPeople,
  otherPortal,
} from './records.ts'

const userToken = { tokenHash: 'b'.repeat(64), userId: anId(1), createdAt: noon, expiresAt: noon + 60_000 }
const { clientId, portalId } = anApp()
const firstPage = { start: 1, num: 10 }

/** An app of an item, its own token, and a user who signed in to it. */
async function openWithApp(open: OpenStorage): Promise<WorkStorage> {
  const storage = await openWithPeople(open)
  await storage.write(async ({ items, oauth, tokens }) => {
    await items.addItem(anItem())
    await oauth.addApp(anApp())
    await oauth.addAppToken(anAppToken(), 10)
    await oauth.addGrant(aGrant({ clientId }), aCode({ clientId }))
    await oauth.addRefreshToken(aRefreshToken())
    await tokens.addToken({ ...userToken, grantId: aGrant().grantId })
  })
  return storage
}

function readAll(storage: WorkStorage) {
  return storage.read(async ({ oauth, tokens }) => ({
    app: await oauth.findApp(clientId),
    ofItem: await oauth.findAppOfItem(anItem().itemId),
    grant: await oauth.findGrant(aGrant().grantId),
    refreshToken: await oauth.findRefreshToken(aRefreshToken().tokenHash),
    hasUserToken: (await tokens.findTokenUser(userToken.tokenHash)) !== undefined,
    hasAppToken: (await tokens.findTokenUser(anAppToken().tokenHash)) !== undefined,
  }))
}

const ended = { app: undefined, ofItem: undefined, grant: undefined, refreshToken: undefined } as const
const allEnded = { ...ended, hasUserToken: false, hasAppToken: false }

/** Registered apps, their own tokens, and built-in apps that are switched off. */
export function appsContract(open: OpenStorage): void {
  test('an app is found as it was registered, by its id and by its item', async () => {
    const storage = await openWithApp(open)
    expect(await readAll(storage)).toStrictEqual({
      app: anApp(),
      ofItem: anApp(),
      grant: aGrant({ clientId }),
      refreshToken: aRefreshToken(),
      hasUserToken: true,
      hasAppToken: true,
    })
    const list = (of: string) => storage.read(({ oauth }) => oauth.listApps(of, firstPage))
    expect(await list(portalId!)).toStrictEqual({ total: 1, entries: [anApp()] })
    expect(await list(otherPortal.portalId)).toStrictEqual({ total: 0, entries: [] })
  })

  test('an app without an item has the title that it was given, and no owner', async () => {
    const storage = await openWithPeople(open)
    const app = anApp({ itemId: undefined, owner: undefined, title: 'Of its own' })
    await storage.write(({ oauth }) => oauth.addApp(app))
    expect(await storage.read(({ oauth }) => oauth.findApp(clientId))).toStrictEqual(app)
  })

  test('an app is called as its item is, and belongs to the owner of that', async () => {
    const storage = await openWithApp(open)
    await storage.write(async ({ items }) => {
      await items.updateItem(anItem({ title: 'Renamed' }))
      await items.giveItem(anItem().itemId, anId(2))
    })
    const app = await storage.read(({ oauth }) => oauth.findApp(clientId))
    expect(app).toMatchObject({ title: 'Renamed', owner: { userId: anId(2), username: 'Bert' } })
  })

  test('an app is changed', async () => {
    const storage = await openWithApp(open)
    const changed = anApp({ appType: 'browser', secretHash: undefined, formerSecretHash: undefined, isDisabled: true })
    await storage.write(({ oauth }) => oauth.updateApp(changed))
    expect(await storage.read(({ oauth }) => oauth.findApp(clientId))).toStrictEqual(changed)
  })

  test.each([
    ['it is removed', ({ oauth }) => oauth.removeApp(clientId)],
    ['its item is removed', ({ items }) => items.removeItem(anItem().itemId)],
  ] satisfies [string, (stores: Parameters<Parameters<WorkStorage['write']>[0]>[0]) => Promise<unknown>][])(
    'an app ends with all that was issued under it, where %s',
    async (_where, remove) => {
      const storage = await openWithApp(open)
      await storage.write(remove)
      expect(await readAll(storage)).toStrictEqual(allEnded)
    },
  )

  test('what the users of one organization allowed an app ends without the app', async () => {
    const storage = await openWithApp(open)
    await storage.write(({ oauth }) => oauth.removeGrantsOfApp(clientId, otherPortal.portalId))
    await storage.write(({ oauth }) => oauth.removeGrantsOfApp('another', portalId!))
    expect(await readAll(storage)).toMatchObject({ grant: aGrant({ clientId }), hasUserToken: true })
    await storage.write(({ oauth }) => oauth.removeGrantsOfApp(clientId, portalId!))
    expect(await readAll(storage)).toStrictEqual({ ...allEnded, app: anApp(), ofItem: anApp(), hasAppToken: true })
  })

  test('what an app got by its secret ends without the app, and nothing else', async () => {
    const storage = await openWithApp(open)
    const end = (id: string) => storage.write(({ oauth }) => oauth.removeGrantsWithSecret(id))
    await end(clientId)
    expect(await readAll(storage)).toMatchObject({ grant: aGrant({ clientId }), hasUserToken: true })
    const { grantId, expiresAt } = aGrant()
    await storage.write(({ oauth }) => oauth.useCode(aCode().codeHash, noon, { grantId, expiresAt, needsSecret: true }))
    await end('another')
    expect(await readAll(storage)).toMatchObject({ grant: { needsSecret: true }, hasUserToken: true })
    await end(clientId)
    expect(await readAll(storage)).toStrictEqual({ ...allEnded, app: anApp(), ofItem: anApp(), hasAppToken: true })
  })

  test('the token of an app stands for the app', async () => {
    const storage = await openWithApp(open)
    const find = () => storage.read(({ tokens }) => tokens.findTokenUser(anAppToken().tokenHash))
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
    })
    await storage.write(({ oauth }) => oauth.updateApp(anApp({ isDisabled: true, privileges: [], isConfirmed: true })))
    expect(await find()).toMatchObject({ disabled: true, customPrivileges: [], owner: undefined })
  })

  test('an app that is disowned is without secret, confirmation, tokens and sign-ins', async () => {
    const storage = await openWithApp(open)
    await storage.write(async ({ oauth }) => {
      await oauth.updateApp(anApp({ isConfirmed: true }))
      await oauth.putConsent(anId(1), clientId, 'what it asked', noon)
      await oauth.disownApp(clientId, noon + 2)
    })
    const disowned = { ...withoutSecret, asksNothing: false, modifiedAt: noon + 2 }
    const app = anApp(disowned)
    expect(await readAll(storage)).toStrictEqual({ ...allEnded, app, ofItem: app })
    expect(await storage.read(({ oauth }) => oauth.findConsent(anId(1), clientId))).toBeUndefined()
    expect(await storage.read(({ oauth }) => oauth.listAppsOwnedBy(anId(1), 1))).toStrictEqual([app])
  })

  test('apps whose secrets end are those of a time, made for longer, and of fewer reminders or of any number', async () => {
    const storage = await openWithApp(open)
    const { secretExpiresAt: end } = anApp()
    const lifetime = end! - noon
    const list = (from: number, to: number, longerThan: number, reminders?: number) => {
      const of = { longerThan, ...(reminders !== undefined && { reminders }) }
      return storage.read(async ({ oauth }) => {
        const found = await oauth.listEndingSecrets({ from, to }, of, 10)
        return found.map((app) => app.clientId)
      })
    }
    expect(await list(noon, end!, lifetime - 1)).toEqual([clientId])
    expect(await list(noon, end!, lifetime - 1, 2)).toEqual([clientId])
    expect(await list(noon, end!, lifetime - 1, 1)).toEqual([])
    expect(await list(noon, end!, lifetime)).toEqual([])
    expect(await list(noon, end! - 1, 0)).toEqual([])
    expect(await list(end!, end! + 1, 0)).toEqual([])
    expect(await storage.read(({ oauth }) => listEnding(oauth, noon, 1))).toEqual([])
    await storage.write(({ oauth }) => oauth.updateApp(anApp({ secretMadeAt: noon - 30 * 86_400_000 })))
    expect(await storage.read(({ oauth }) => listEnding(oauth, noon, 1))).toHaveLength(1)
    await storage.write(({ oauth }) => oauth.updateApp(anApp({ isDisabled: true })))
    expect(await list(noon, end!, 0)).toEqual([])
  })

  test.each([true, false])('an app stands back while the owner of its item is disabled: %s', async (disabled) => {
    const storage = await openWithApp(open)
    const find = () => storage.read(({ tokens }) => tokens.findTokenUser(anAppToken().tokenHash))
    await storage.write(({ directory }) => directory.updateUser(aUser({ disabled: !disabled })))
    expect(await find()).toMatchObject({ disabled: !disabled })
    await storage.write(({ directory }) => directory.updateUser(aUser({ disabled })))
    expect(await find()).toMatchObject({ disabled })
  })

  test('tokens of apps end one by one, all of an app, and by their time', async () => {
    const storage = await openWithApp(open)
    const [first, second, third] = ['5', '6', '7'].map((digit) => digit.repeat(64)) as [string, string, string]
    await storage.write(async ({ oauth }) => {
      await oauth.addAppToken(anAppToken({ tokenHash: first, expiresAt: noon + 1 }), 10)
      await oauth.addAppToken(anAppToken({ tokenHash: second }), 10)
      await oauth.addAppToken(anAppToken({ tokenHash: third }), 10)
    })
    const listValid = () =>
      storage.read(async ({ tokens }) => {
        const hashes = [first, second, third, anAppToken().tokenHash]
        const found = await Promise.all(hashes.map((hash) => tokens.findTokenUser(hash)))
        return hashes.filter((_, position) => found[position])
      })
    await storage.write(({ tokens }) => tokens.removeExpired(noon + 1))
    expect(await listValid()).toEqual([second, third, anAppToken().tokenHash])
    await storage.write(({ oauth }) => oauth.removeAppToken(second))
    expect(await listValid()).toEqual([third, anAppToken().tokenHash])
    await storage.write(({ oauth }) => oauth.removeAppTokens(clientId))
    expect(await listValid()).toEqual([])
  })

  test('an app has as many tokens as it may: the oldest end, and never the new one', async () => {
    const storage = await openWithApp(open)
    const hashes = [...'56789'].map((digit) => digit.repeat(64))
    const listValid = () =>
      storage.read(async ({ tokens }) => {
        const all = [anAppToken().tokenHash, ...hashes]
        const found = await Promise.all(all.map((hash) => tokens.findTokenUser(hash)))
        return all.filter((_, position) => found[position])
      })
    const add = (place: number, createdAt: number, max: number) =>
      storage.write(({ oauth }) => oauth.addAppToken(anAppToken({ tokenHash: hashes[place]!, createdAt }), max))
    const { createdAt } = anAppToken()
    await add(0, createdAt + 2, 3)
    await add(1, createdAt + 1, 3)
    expect(await listValid()).toEqual([anAppToken().tokenHash, hashes[0], hashes[1]])
    await add(2, createdAt + 3, 3)
    expect(await listValid()).toEqual([hashes[0], hashes[1], hashes[2]])
    await add(3, createdAt + 4, 2)
    expect(await listValid()).toEqual([hashes[2], hashes[3]])
    // The clock of a server may be behind.
    await add(4, createdAt - 1, 1)
    expect(await listValid()).toEqual([hashes[4]])
  })

  test('a built-in app is switched off and on for one organization', async () => {
    const storage = await openWithPeople(open)
    const list = (of: string) => storage.read(({ oauth }) => oauth.listSwitchedOff(of))
    const put = (isOff: boolean) =>
      storage.write(({ oauth }) => oauth.putSwitch(aPortal().portalId, 'arcgisonline', isOff))
    await put(true)
    await put(true)
    expect(await list(aPortal().portalId)).toEqual(['arcgisonline'])
    expect(await list(otherPortal.portalId)).toEqual([])
    await put(false)
    expect(await list(aPortal().portalId)).toEqual([])
  })
}
