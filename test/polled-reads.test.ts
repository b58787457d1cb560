import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))
const rule = 'test/support/browser/polled-reads.grit'

const refused = [
  'expect(await rows.allInnerTexts()).toEqual([])',
  'expect((await rows.allTextContents()).sort()).toEqual([])',
  `expect(await page\n.getByLabel('Title')\n.inputValue()).toBe('')`,
  'expect([path, await rows.count()]).toEqual([path, 2])',
  `expect(await page.evaluate('history.length')).toBe(1)`,
  `const length = await page.evaluate<number>('history.length')`,
  'const text = await field.textContent()',
  `expect(new URL(page.url()).search).toBe('')`,
  'expect(await rowsNow(page)).toEqual([])',
  'const rowsOf = () => rows.allInnerTexts()',
]
const allowed = [
  'await expect.poll(() => rows.allInnerTexts()).toEqual([])',
  'await expect\n.poll(async () => [path, await rows.count()])\n.toEqual([path, 2])',
  `const text = await pollValue(() => field.textContent(), (text) => text !== '')`,
  'const rowsNow = () => rows.allInnerTexts()',
  `function rowsNow(page) { return page.locator('tr').allInnerTexts() }`,
  `await page.evaluate('history.back()')`,
  `expect(await admin.get('/portals/self')).toEqual({})`,
]

test('a page that is read once is refused, and one that is read until it is as expected is not', async () => {
  await using folder = await mkdtempDisposable(join(tmpdir(), 'polled-reads-'))
  for (const name of ['biome.json', rule]) await cp(join(root, name), join(folder.path, name))
  const write = async (name: string, codes: readonly string[]) => {
    for (const [at, code] of codes.entries())
      await writeFile(join(folder.path, `test/browser/${name}-${at}.ts`), `async function example() {\n${code}\n}\n`)
  }
  await mkdir(join(folder.path, 'test/browser'))
  await write('refused', refused)
  await write('allowed', allowed)
  const words = ['lint', '--max-diagnostics=none', '--reporter=github', '.']
  // It fails if it finds anything.
  const { stdout } = await promisify(execFile)(join(root, 'node_modules/.bin/biome'), words, {
    cwd: folder.path,
  }).catch((ended: { stdout: string }) => ended)
  const lines = stdout.split('\n').filter((line) => line.includes('The page is read once'))
  const found = new Set(lines.map((line) => /test\/browser\/([\w-]+)\.ts/.exec(line)?.[1]))
  expect([...found].sort()).toEqual(refused.map((_, at) => `refused-${at}`))
})
