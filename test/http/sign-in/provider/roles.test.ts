import { describe, expect, test } from 'vitest'
import { creates, maps, noAccount, useProvider } from '../../../support/identity-provider/provided-sign-ins.ts'
import { adminPassword } from '../../../support/portal/portal.ts'

const { begin, be } = useProvider()

describe('roles by claims', () => {
  async function roleAfter(groups: unknown, environment: Readonly<Record<string, string>> = {}) {
    be('s-40', { preferred_username: 'gina', groups })
    const { browser, portal } = await begin({ ...creates, ...maps, ...environment })
    const answer = await browser.signIn()
    const user = await (await portal.admin()).get('/community/users/gina')
    return { answer, portal, browser, role: user.role }
  }

  test('are those of the first value that matches, at the first sign-in and at every other', async () => {
    const { role, browser, portal } = await roleAfter(['/makers', '/gis-admins', 'others'])
    expect(role).toBe('org_admin')
    be('s-40', { preferred_username: 'gina', groups: '/makers' })
    await browser.signIn()
    expect(await (await portal.admin()).get('/community/users/gina')).toMatchObject({ role: 'org_publisher' })
  })

  test('are refused without a match, unless another role is set', async () => {
    expect((await roleAfter(['others'])).answer.body).toContain(noAccount)
    expect((await roleAfter(['others'], { OIDC_ROLE_UNMATCHED: 'org_user' })).role).toBe('org_user')
  })

  test('are given to new users only, where that is set', async () => {
    const { browser, portal } = await roleAfter(['/makers'], { OIDC_ROLE_AT: 'creation' })
    be('s-40', { preferred_username: 'gina', groups: ['/gis-admins'] })
    await browser.signIn()
    expect(await (await portal.admin()).get('/community/users/gina')).toMatchObject({ role: 'org_publisher' })
  })

  test('never take away the last administrator', async () => {
    be('s-41', { groups: ['/makers'] })
    const { browser, portal } = await begin(maps)
    await browser.signIn()
    const linked = await browser.post('/oidc/link', { username: 'admin', password: adminPassword })
    expect(linked.statusCode).toBe(303)
    expect(await (await portal.admin()).get('/community/self')).toMatchObject({ role: 'org_admin' })
  })

  test('that the organization does not have are refused', async () => {
    const unknown = { OIDC_ROLE_MAP: '{"/makers":"0123456789abcdef"}' }
    expect((await roleAfter(['/makers'], unknown)).answer.body).toContain(noAccount)
  })
})

test('a required value keeps out who does not have it', async () => {
  const required = { ...creates, OIDC_REQUIRED_POINTER: '/groups', OIDC_REQUIRED_VALUE: 'gis' }
  be('s-50', { preferred_username: 'hugo', groups: ['gis-admins'] })
  const { browser } = await begin(required)
  expect((await browser.signIn()).body).toContain(noAccount)
  be('s-50', { preferred_username: 'hugo', groups: ['gis'] })
  expect((await browser.signIn()).statusCode).toBe(303)
})
