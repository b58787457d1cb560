import { readFileSync } from 'node:fs'
import { base, browser, invite, linksOf, outcomeOf, readPage } from '../../support/portal/pages.ts'
import { startPortal } from '../../support/portal/portal.ts'
import { describe, expect, test } from '../../support/portal/test.ts'

describe('resources', () => {
  test('a list leads to its next and previous page with the parameters it was asked with, and without the token', async () => {
    await using portal = await startPortal()
    const admin = await portal.admin()
    for (const title of ['Map a', 'Map b', 'Map c', 'Sea']) await admin.createGroup(title)
    const page = await readPage(portal, `/community/groups?q=map&num=1&start=2&token=${admin.token}`)
    const paging = linksOf(page).filter((href) => href.includes('start='))
    expect(paging).toEqual(
      ['q=map&start=1&num=1', 'q=map&start=3&num=1'].map((query) => `${base}/community/groups?${query}`),
    )
    expect(page).not.toContain(admin.token)
    expect(await readPage(portal, '/community/groups?q=map&start=3&num=1', admin)).not.toContain('rel="next"')
  })

  test('an entry with a page of its own leads there', async ({ portal, admin }) => {
    const group = await admin.createGroup('Land cover')
    const page = await readPage(portal, '/community/groups', admin)
    expect(page).toContain(`<a href="${base}/community/groups/${group.id}">Land cover</a>`)
  })

  test('JSON of a client that is nested as deep as it may be is shown', async ({ portal, admin }) => {
    const config = `{"deep":${'['.repeat(19)}${']'.repeat(19)}}`
    const path = (await invite(admin, { config })).replace(/\/invitations.*/, '')
    const page = await readPage(portal, path, admin)
    expect(outcomeOf(page)).toBe('')
    expect(page.replace(/\s/g, '')).toContain('[[[[[]]]]]')
  })

  test('a number that JavaScript cannot hold keeps its digits', async ({ portal, admin }) => {
    const path = (await invite(admin, { config: '{"count":12345678901234567891}' })).replace(/\/invitations.*/, '')
    expect(await readPage(portal, path, admin)).toContain('&quot;count&quot;: 12345678901234567891')
  })

  test.for([
    ['/community/self', '499', 'Token Required'],
    ['/community/groups?token=unknown', '498', 'Invalid token.'],
    ['/community/groups?num=many', '400', 'num: is not a whole number.'],
    ['/portals/nowhere/nothing', '404', 'Resource does not exist or is inaccessible.'],
  ] as const)('%s answers %s on a page', async ([path, code, words], { portal }) => {
    const page = await readPage(portal, path)
    expect(outcomeOf(page)).toBe(code)
    expect(page).toContain(words)
    expect(linksOf(page)).toContain(base)
  })
})

test('pages and application have their colours from one file', () => {
  const read = (path: string) => readFileSync(new URL(`../../../${path}`, import.meta.url), 'utf8')
  expect(read('src/http/pages/assets/tokens.css').match(/#[0-9a-f]{6}/g)!.length).toBeGreaterThan(15)
  expect(read('pages/src/frame/page.css')).toContain('@import "../../../src/http/pages/assets/tokens.css";')
  expect(read('pages/src/frame/page.css')).not.toMatch(/#[0-9a-f]{3,8}\b/)
  const others = ['page', 'sign-in'].flatMap((name) =>
    read(`src/http/pages/assets/${name}.css`).match(/#[0-9a-f]{3,8}\b/g),
  )
  expect(others.filter((colour) => colour !== null)).toEqual([])
})

describe('around the pages', () => {
  test('nothing inline, no other origin, and nothing but the files may be kept', async ({ portal }) => {
    const { body, headers } = await portal.inject({ url: '/', headers: browser })
    expect(headers['content-security-policy']).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self';/)
    expect(headers['cache-control']).toBe('no-store')
    expect(body).not.toMatch(/ style=|<style|<script(?! src="\/portal\/directory\/)/)
    const files = linksOf(body).filter((href) => href.includes('/directory/'))
    const [script] = /(?<=<script src=")[^"]*/.exec(body)!
    expect([...files, script].map((file) => file.replace(/-\w+\./, '.'))).toEqual(
      ['icon.svg', 'page.css', 'page.js'].map((name) => `/portal/directory/${name}`),
    )
    for (const file of [...files, script]) {
      const response = await portal.server.app.inject(file)
      expect(response.statusCode).toBe(200)
      expect(response.headers['cache-control']).toBe('public, max-age=31536000, immutable')
      expect(response.headers['content-type']).toMatch(/^(image\/svg\+xml|text\/(css|javascript); charset=utf-8)$/)
    }
  })

  test('the root leads to the directory', async ({ portal }) => {
    for (const path of ['/', '/portal', '/portal/']) {
      const { statusCode, headers } = await portal.server.app.inject(path)
      expect([path, statusCode, headers.location]).toEqual([path, 302, '/portal/sharing/rest'])
    }
    expect((await portal.server.app.inject({ method: 'POST', url: '/' })).statusCode).toBe(404)
  })
})
