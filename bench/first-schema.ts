/**
 * `npm run bench:first-schema`: time from a fresh clone to a published schema, with a browser: the clone, `npm start`
 * with nothing installed, the link of the first run, the sign-in, one category, its publication.
 */
import { execFileSync, spawn } from 'node:child_process'
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { openContext } from '../test/support/browser/browser.ts'
import { findFreePort } from '../test/support/databases/postgres.ts'

const password = 'correct horse battery staple'
const began = performance.now()
const folder = mkdtempSync(join(tmpdir(), 'cartulary-clone-'))
const port = await findFreePort()
const origin = `http://localhost:${port}`

function report(step: string): void {
  process.stdout.write(`${((performance.now() - began) / 1000).toFixed(1).padStart(6)} s  ${step}\n`)
}

execFileSync('git', ['clone', '--quiet', fileURLToPath(new URL('../', import.meta.url)), folder])
report('cloned')
// The environment of a machine that has Node and npm, without variables of this run.
const { HOME = folder, PATH = '' } = process.env
const env = {
  HOME,
  PATH: PATH.split(':')
    .filter((entry) => !entry.includes('node_modules'))
    .join(':'),
  PORT: `${port}`,
}
const server = spawn('npm', ['start'], { cwd: folder, env, stdio: ['ignore', 'ignore', 'inherit'], detached: true })
try {
  const link = await findLink()
  report('npm start serves, and has a link')
  const page = await (await openContext({ locale: 'en' })).newPage()
  await page.goto(link)
  await page.getByLabel('Name of the organization').fill('Ministry of Maps')
  await page.getByLabel('Username').fill('maria')
  await page.locator('input[name=password]').fill(password)
  await page.keyboard.press('Enter')
  await page.getByRole('heading', { name: 'Ministry of Maps is ready' }).waitFor()
  await page.getByRole('button', { name: 'Sign in' }).last().click()
  await page.getByLabel('Password').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
  await page.getByRole('button', { name: 'Add the first category' }).click()
  report('signed in, in the editor')
  await page.getByRole('treeitem').getByRole('textbox').fill('Region')
  await page.keyboard.press('Enter')
  await page.getByRole('button', { name: 'Review and publish' }).click()
  await page.getByRole('button', { name: 'Publish', exact: true }).click()
  await page.locator('#done').waitFor()
  report('published')
} finally {
  process.kill(-server.pid!, 'SIGTERM')
  await new Promise((resolve) => server.once('close', resolve))
  rmSync(folder, { recursive: true, force: true })
}
process.exit()

/** The server writes the link to a file beside the database when it has no terminal. */
async function findLink(): Promise<string> {
  const file = join(folder, 'data/cartulary.db.first-run')
  for (;;) {
    await setTimeout(100)
    if (server.exitCode !== null) throw new Error('The server ended.')
    const link = existsSync(file) && /http:\S+#\S+/.exec(readFileSync(file, 'utf8'))?.[0]
    const isServed =
      link &&
      (await fetch(`${origin}/health/ready`).then(
        ({ ok }) => ok,
        () => false,
      ))
    if (isServed) return link
  }
}
