import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readConfig } from '../src/config.ts'
import { defaultLimits, limitTable } from '../src/limits.ts'

test('docs/limits.md has every limit, in the order of the table', () => {
  const page = readFileSync(new URL('../docs/limits.md', import.meta.url), 'utf8')
  const rows = Object.values(limitTable).map(
    ({ meaning, default: value, setting, refusal }) =>
      `| ${meaning} | ${value.toLocaleString('en')} | \`${setting}\` | ${refusal} |`,
  )
  expect(page.split('\n').filter((line) => /^\| .*`[A-Z_]+`/.test(line))).toEqual(rows)
})

test('each limit is read from its setting', () => {
  expect(readConfig({}).limits).toEqual(defaultLimits)
  for (const [name, { setting, least, most }] of Object.entries(limitTable)) {
    expect(readConfig({ [setting]: String(least) }).limits).toEqual({ ...defaultLimits, [name]: least })
    const refusal = `${setting} is ${least - 1}; it has to be a whole number from ${least} to ${most}.`
    if (least > 0) expect(() => readConfig({ [setting]: String(least - 1) })).toThrow(refusal)
  }
})
