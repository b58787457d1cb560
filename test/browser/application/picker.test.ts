import { readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { findBarriersNow } from '../../support/browser/accessibility.ts'
import { type Application, openApplication } from '../../support/browser/application.ts'
import { expect, test } from '../../support/browser/application-test.ts'

const example = readFileSync(new URL('../../../examples/category-picker.html', import.meta.url), 'utf8')

const schema = {
  categorySchema: [
    { title: 'Region', categories: [{ title: 'World' }, { title: 'Europe', categories: [{ title: 'Alps' }] }] },
    { title: 'Theme', categories: [{ title: 'Water' }, { title: '<img src=x onerror=alert(1)>' }] },
  ],
}

/** A page of another site, under a policy that knows the server alone. */
async function servePage(html: string, portal: string): Promise<AsyncDisposable & { readonly origin: string }> {
  const policy = `default-src 'none'; script-src 'unsafe-inline' ${portal}; connect-src ${portal}; require-trusted-types-for 'script'`
  const server = createServer(({ url }, answer) => {
    if (url !== '/') return answer.writeHead(204).end()
    answer.writeHead(200, { 'content-type': 'text/html; charset=utf-8', 'content-security-policy': policy })
    return answer.end(html)
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      await new Promise((resolve) => server.close(resolve))
    },
  }
}

async function addSchema({ portal }: Application): Promise<string> {
  const admin = await portal.admin()
  const { group } = (await admin.post('/community/createGroup', { title: 'Maps', tags: 'a', access: 'public' })) as {
    readonly group: { readonly id: string }
  }
  const path = `/community/groups/${group.id}`
  await admin.post(`${path}/assignCategorySchema`, { categorySchema: JSON.stringify(schema) })
  return `${portal.url}${path}/categorySchema`
}

/** The example, with the addresses of this server. */
function exampleFor(origin: string, source: string): string {
  return example
    .replace('https://maps.example.com/sharing/rest/portals/self/categorySchema', source)
    .replaceAll('https://maps.example.com', origin)
}

test('the example of another site sends what is chosen, by mouse and by keyboard', async () => {
  await using application = await openApplication()
  const { page, origin } = application
  await using site = await servePage(exampleFor(origin, await addSchema(application)), origin)
  const sent = page.locator('p[role=status]')
  const row = (name: string) => page.getByRole('treeitem', { name, exact: true })
  await page.goto(site.origin)
  await row('World').waitFor()
  await expect.poll(() => findBarriersNow(page)).toEqual([])
  // Nothing is chosen, and something has to be.
  await page.getByRole('button', { name: 'Save' }).click()
  await expect.poll(() => page.evaluate(`document.querySelector('form').checkValidity()`)).toBe(false)

  await row('Europe').locator('.turn').click()
  await row('Alps').click()
  await page.getByRole('button', { name: 'Save' }).click()
  await sent.getByText('/Region/Europe/Alps', { exact: true }).waitFor()
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect.poll(() => page.locator('[aria-selected=true]').count()).toBe(0)

  // From the row of the last click: to the start, down by a letter, into the tree and back.
  await row('Alps').focus()
  await page.keyboard.press('Home')
  await page.keyboard.press('t')
  await row('Theme').and(page.locator(':focus')).waitFor()
  await page.keyboard.press('ArrowRight')
  await page.keyboard.press(' ')
  await page.keyboard.press('ArrowLeft')
  await page.keyboard.press('ArrowLeft')
  await expect.poll(() => row('Theme').getAttribute('aria-expanded')).toBe('false')
  await page.keyboard.press('ArrowUp')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Save' }).click()
  await sent.getByText('/Theme/Water, /Region/Europe/Alps', { exact: true }).waitFor()

  // A search shows the way to what it finds.
  await page.getByRole('searchbox').fill('ALP')
  await row('Region').waitFor()
  await expect.poll(() => page.getByRole('treeitem').allInnerTexts()).toHaveLength(3)
  await page.keyboard.press('Escape')
  await row('Theme').waitFor()

  // A fieldset has it off and on again; moved while it loads, it loads again, and a reset is to the first value.
  await page.evaluate(`(async () => {
    const picker = document.querySelector('cartulary-category-picker')
    const fieldset = document.createElement('fieldset')
    picker.replaceWith(fieldset)
    fieldset.disabled = true
    fieldset.append(picker)
    await picker.updateComplete
    picker.src += '?again'
    await picker.updateComplete
    fieldset.after(picker)
    fieldset.append(picker)
  })()`)
  await page.locator('[role=tree][aria-disabled=true]').waitFor()
  await page.evaluate(`document.querySelector('fieldset').disabled = false`)
  await page.locator('[role=tree][aria-disabled=false]').waitFor()
  await page.getByRole('button', { name: 'Reset' }).click()
  await expect.poll(() => page.locator('[aria-selected=true]').count()).toBe(0)
  expect(application.complaints).toEqual([])
})

test('a schema that cannot be read says why, and a title is text', async ({ application, page, origin }) => {
  const source = await addSchema(application)
  const html = exampleFor(origin, `${source}/nowhere`).replace('lang="en"', 'lang="de"')
  await using site = await servePage(html, origin)
  await page.goto(site.origin)
  await page.getByRole('alert').getByText('Die Kategorien können nicht geladen werden.').waitFor()
  await page.evaluate(`document.querySelector('cartulary-category-picker').src = ${JSON.stringify(source)}`)
  await page.getByRole('treeitem', { name: '<img src=x onerror=alert(1)>' }).waitFor()
  expect(application.complaints).toEqual([])
})

test('a token goes to the address that the page names, and follows no redirect', async ({ page, origin }) => {
  const tokens: (string | undefined)[] = []
  const elsewhere = createServer((request, answer) => {
    if (request.method === 'GET') tokens.push(String(request.headers['x-esri-authorization']))
    answer.writeHead(200, { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }).end('{}')
  })
  await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve))
  const { port } = elsewhere.address() as AddressInfo
  const moved = createServer((request, answer) => {
    const headers = { 'access-control-allow-origin': '*', 'access-control-allow-headers': '*' }
    if (request.method === 'OPTIONS') answer.writeHead(204, headers).end()
    else answer.writeHead(307, { ...headers, location: `http://127.0.0.1:${port}/schema` }).end()
  })
  await new Promise<void>((resolve) => moved.listen(0, '127.0.0.1', resolve))
  const source = `http://127.0.0.1:${(moved.address() as AddressInfo).port}/schema`
  const policy = `${origin} ${source} http://127.0.0.1:${port}`
  await using site = await servePage(exampleFor(origin, `${origin}/nowhere`), policy)
  try {
    await page.goto(site.origin)
    await page.getByRole('alert').waitFor()
    await page.evaluate(`new Promise((resolve) => {
      const picker = document.querySelector('cartulary-category-picker')
      for (const outcome of ['load', 'error']) picker.addEventListener(outcome, resolve, { once: true })
      Object.assign(picker, { token: 'secret', src: ${JSON.stringify(source)} })
    })`)
    expect(tokens).toEqual([])
  } finally {
    for (const server of [elsewhere, moved]) server.closeAllConnections()
    for (const server of [elsewhere, moved]) server.close()
  }
})
