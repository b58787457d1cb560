import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtempDisposable, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { expect, test } from 'vitest'

const root = fileURLToPath(new URL('../', import.meta.url))
const rules = ['test/support/browser/polled-reads.grit', 'test/support/chance.grit']

interface Rule {
  readonly message: string
  /** Where such code is refused. */
  readonly folder: string
  readonly refused: readonly string[]
  readonly allowed: readonly string[]
}

const readOnce: Rule = {
  message: 'The page is read once',
  folder: 'test/browser',
  refused: [
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
  ],
  allowed: [
    'await expect.poll(() => rows.allInnerTexts()).toEqual([])',
    'await expect\n.poll(async () => [path, await rows.count()])\n.toEqual([path, 2])',
    `const text = await pollValue(() => field.textContent(), (text) => text !== '')`,
    'const rowsNow = () => rows.allInnerTexts()',
    `function rowsNow(page) { return page.locator('tr').allInnerTexts() }`,
    `await page.evaluate('history.back()')`,
    `expect(await admin.get('/portals/self')).toEqual({})`,
  ],
}

const comparedClock: Rule = {
  message: 'A busy machine takes longer.',
  folder: 'test/http',
  refused: [
    'expect(Date.now() - begun).toBeLessThan(1_000)',
    'expect(performance.now()).toBeLessThanOrEqual(latest)',
    'expect(answer.created).toBeCloseTo(Date.now(), -3)',
  ],
  allowed: ['expect(performance.now() - begun).toBeGreaterThan(990)', 'expect(answer.created).toBe(portal.clock.now)'],
}

const waitedTime: Rule = {
  message: 'A time that is waited for',
  folder: 'test/storage',
  refused: ['await delay(100)', 'await setTimeout(50)', 'await new Promise((resolve) => setTimeout(resolve, 200))'],
  allowed: [`await until('it has ended', () => ended)`, 'await setImmediate()', 'setTimeout(() => undefined)'],
}

const givenOrder: Rule = {
  message: 'Rows have no order of their own.',
  folder: 'test/cli',
  refused: [
    `expect(await query(url, 'select username from users')).toEqual([{ username: 'admin' }, { username: 'anna' }])`,
    'expect((await database.rows("SELECT id FROM groups")).map(({ id }) => id)).toEqual([1, 2])',
  ],
  allowed: [
    `expect(await query(url, 'select username from users order by username')).toEqual(['admin', 'anna'])`,
    `expect((await query(url, 'select id from groups')).toSorted()).toEqual([1, 2])`,
    `expect(await query(url, 'select username from users')).toEqual([{ username: 'admin' }])`,
    `expect(await query(url, 'select count(*) from users')).toEqual([2, 3])`,
  ],
}

test.each([
  { ...readOnce, name: 'a page that is read once' },
  { ...comparedClock, name: 'an upper bound for a clock' },
  { ...waitedTime, name: 'a wait for some time' },
  { ...givenOrder, name: 'an order of rows that no statement gave' },
])(
  '$name is refused, and what does not depend on chance is not',
  async ({ message, folder: place, refused, allowed }) => {
    await using folder = await mkdtempDisposable(join(tmpdir(), 'chance-'))
    for (const name of ['biome.json', ...rules]) await cp(join(root, name), join(folder.path, name))
    await mkdir(join(folder.path, place))
    for (const [name, examples] of Object.entries({ refused, allowed })) {
      for (const [at, code] of examples.entries()) {
        await writeFile(join(folder.path, place, `${name}-${at}.test.ts`), `async function example() {\n${code}\n}\n`)
      }
    }
    const words = ['lint', '--max-diagnostics=none', '--reporter=github', '.']
    // It fails if it finds anything.
    const { stdout } = await promisify(execFile)(join(root, 'node_modules/.bin/biome'), words, {
      cwd: folder.path,
    }).catch((ended: { stdout: string }) => ended)
    const lines = stdout.split('\n').filter((line) => line.includes(message))
    const found = new Set(lines.map((line) => /([\w-]+)\.test\.ts/.exec(line)?.[1]))
    expect([...found].sort()).toEqual(refused.map((_, at) => `refused-${at}`))
  },
)
