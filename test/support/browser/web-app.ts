import { readFileSync } from 'node:fs'
import type { Page } from 'playwright-core'
import { serveHttps } from './secure-visit.ts'

const client = readFileSync(
  new URL('../../../node_modules/@esri/arcgis-rest-request/dist/bundled/request.esm.js', import.meta.url),
)

/** A page that has the real client, as its package brings it, in `client`. */
const page = `<!doctype html><title>Map of the coast</title><h1>Map of the coast</h1>
<script type="module">import * as client from '/client.js'; window.client = client; document.title = 'Ready'</script>`

/** A web app of another site, over HTTPS: every address is a page with the client, but for the files that are given. */
export function serveWebApp(files: Readonly<Record<string, string>> = {}) {
  return serveHttps('app.localhost', ({ url = '' }, outgoing) => {
    const { pathname } = new URL(url, 'https://app.localhost')
    if (pathname === '/client.js') return outgoing.writeHead(200, { 'content-type': 'text/javascript' }).end(client)
    if (pathname === '/favicon.ico') return outgoing.writeHead(204).end()
    return outgoing.writeHead(200, { 'content-type': 'text/html; charset=utf-8' }).end(files[pathname] ?? page)
  })
}

/** Fills in the page of sign-in, and sends it. */
export async function fillInSignIn(page: Page, username: string, password: string): Promise<void> {
  await page.getByLabel('Username').fill(username)
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}
