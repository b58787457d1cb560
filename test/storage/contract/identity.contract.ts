import { expect } from 'vitest'
import {
  aCode,
  addPeople,
  aGrant,
  anId,
  anIdentity,
  aSession,
  aUser,
  noon,
  type OpenStorage,
  testOn,
} from './records.ts'

const { issuer, subject } = anIdentity()

/** Accounts of an identity provider, and what ends with its sessions. */
export function identityContract(open: OpenStorage): void {
  const test = testOn(open, addPeople)

  test('an identity is found by issuer and subject, and by nothing else', async ({ identities }) => {
    await identities.addIdentity(anIdentity())
    const find = (one: string, other: string) => identities.findIdentity(one, other)
    expect(await find(issuer, subject)).toStrictEqual(anIdentity())
    expect(await find(`${issuer}/`, subject)).toBeUndefined()
    expect(await find(issuer, subject.toUpperCase())).toBeUndefined()
    await identities.removeIdentitiesOf(anId(1))
    expect(await find(issuer, subject)).toBeUndefined()
  })

  test('one identity belongs to one user', async ({ identities }) => {
    await identities.addIdentity(anIdentity())
    const again = identities.addIdentity(anIdentity({ userId: anId(2) }))
    await expect(again).rejects.toThrow()
  })

  test('a user is expected until an identity is linked', async ({ directory, identities }) => {
    await directory.updateUser(aUser({ providerUsername: 'anna there' }))
    const expected = (name: string) => identities.listExpected(aUser().portalId, name)
    expect((await expected('anna there')).map(({ userId }) => userId)).toEqual([anId(1)])
    expect(await expected('Anna there')).toEqual([])
    await identities.addIdentity(anIdentity())
    expect(await expected('anna there')).toEqual([])
  })

  test('users without a password who have never signed in are found by their address, in whatever case', async ({
    directory,
    identities,
  }) => {
    const email = 'Anna@Example.com'
    const never = { email, lastSignInAt: undefined }
    await directory.updateUser(aUser(never))
    await directory.addUser(aUser({ ...never, userId: anId(2), username: 'awaited' }), undefined)
    await directory.addUser(aUser({ email, userId: anId(3), username: 'was-here', lastSignInAt: noon }), undefined)
    await directory.addUser(aUser({ userId: anId(4), username: 'other', email: 'other@example.com' }), undefined)
    const found = await identities.listAwaitedByEmail(aUser().portalId, 'anna@example.com')
    expect(found.map(({ userId }) => userId)).toEqual([anId(2)])
  })

  test('what a session of the provider began is found and ended by it, and nothing else', async ({
    identities,
    oauth,
  }) => {
    const begun = { issuer, providerSession: 'a session' }
    await oauth.addGrant(aGrant(begun), aCode())
    await oauth.addSession(aSession(begun))
    await oauth.addSession(aSession({ sessionHash: '4'.repeat(64), issuer, providerSession: 'another' }))
    const ended = { providerSession: 'a session' }
    expect(await identities.listGrantsOf(issuer, ended)).toStrictEqual([aGrant(begun)])
    expect(await identities.listGrantsOf('https://other.example', ended)).toEqual([])
    const remove = (what: { providerSession: string } | { userId: string }) => identities.removeSessionsOf(issuer, what)
    expect(await remove(ended)).toEqual([anId(1)])
    expect(await remove(ended)).toEqual([])
    expect(await remove({ userId: anId(1) })).toEqual([anId(1)])
  })

  test('a logout token is used once', async ({ identities }) => {
    const use = () => identities.useLogoutToken('5'.repeat(64), noon)
    expect(await use()).toBe(true)
    expect(await use()).toBe(false)
  })
}
