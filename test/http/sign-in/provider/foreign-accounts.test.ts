import { describe, expect, test } from 'vitest'
import { PersonsBrowser } from '../../../support/identity-provider/browser.ts'
import { creates, noAccount, useProvider } from '../../../support/identity-provider/provided-sign-ins.ts'

const { begin, be, issuer } = useProvider()

describe('no foreign account is reached', () => {
  test('by the same username, the same address, or a name that someone had before', async () => {
    be('s-30', { preferred_username: 'admin', email: 'admin@example.com', email_verified: true })
    const { browser, portal } = await begin(creates)
    const admin = await portal.admin()
    await admin.post('/community/users/admin/update', { email: 'admin@example.com' })
    const answer = await browser.signIn()
    expect(answer.body).toContain('the username admin is taken')
    be('s-31', { preferred_username: 'dora' })
    await new PersonsBrowser(portal).signIn()
    await (await portal.admin()).post('/community/users/dora/update', { fullName: 'The first' })
    be('s-32', { preferred_username: 'dora' })
    const second = await new PersonsBrowser(portal).signIn()
    expect(second.body).toContain('the username dora is taken')
    be('s-31', { preferred_username: 'renamed' })
    const first = new PersonsBrowser(portal)
    expect((await first.tokens(await first.goOn(await first.signIn()))).username).toBe('dora')
  })

  test('by the same subject at another issuer', async () => {
    be('s-33', { preferred_username: 'emil' })
    const { browser, portal } = await begin(creates)
    await browser.signIn()
    const { storage } = portal.server.dependencies
    const find = (issuer: string) => storage.read(({ identities }) => identities.findIdentity(issuer, 's-33'))
    expect(await find(issuer())).toMatchObject({ subject: 's-33' })
    expect(await find('https://login.example.com')).toBeUndefined()
  })

  test('by a username that fits no rule; the page names the claim', async () => {
    be('s-34', { preferred_username: 'a b' })
    const { browser } = await begin(creates)
    expect((await browser.signIn()).body).toContain('the claim preferred_username:')
  })

  test('by a user who is disabled', async () => {
    be('s-35', { preferred_username: 'franz' })
    const { browser, portal } = await begin(creates)
    await browser.signIn()
    await (await portal.admin()).post('/community/users/franz/disable')
    expect((await browser.signIn()).body).toContain(noAccount)
  })
})
