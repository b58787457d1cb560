import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { readConfig } from '../src/config.ts'
import { defaultLimits, limitTable } from '../src/limits.ts'

const formatNumber = (value: number) => value.toLocaleString('en')

test('docs/settings.md has every limit with its default, its range and what a client sees, in the order of the table', () => {
  const page = readFileSync(new URL('../docs/settings.md', import.meta.url), 'utf8')
  const rows = Object.entries(limitTable).map(([name, { meaning, default: value, setting, refusal, min, max }]) => {
    const range = `${formatNumber(min)} ${max === Number.MAX_SAFE_INTEGER ? 'or more' : `to ${formatNumber(max)}`}`
    return `| \`${setting}\` | ${formatNumber(value)} | ${meaning} ${range}. | ${refusal} | \`${name}\` |`
  })
  // Bytes are given in larger units, too.
  const [, limits] = page.replaceAll(/ \(\d+ [MG]iB\)|\\(?=_)/g, '').split('\n## Limits\n')
  expect(limits!.split('\n').filter((line) => /^\| `[A-Z_]+` \|/.test(line))).toEqual(rows)
})

test('each limit is read from its setting', () => {
  expect(readConfig({}).limits).toEqual(defaultLimits)
  for (const [name, { setting, min, max }] of Object.entries(limitTable)) {
    expect(readConfig({ [setting]: String(min) }).limits).toEqual({ ...defaultLimits, [name]: min })
    const refusal = `${setting} is ${min - 1}; it has to be a whole number from ${min} to ${max}.`
    if (min > 0) expect(() => readConfig({ [setting]: String(min - 1) })).toThrow(refusal)
  }
})
