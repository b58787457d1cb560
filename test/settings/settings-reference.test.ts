import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { formatEnvExample, formatSettingsPage } from '../../scripts/settings-reference.ts'
import { addEnvFile, settings } from '../../src/config.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

test('docs/settings.md is what npm run docs writes, with every setting in the order of the table', () => {
  const page = read('docs/settings.md')
  expect(page).toBe(formatSettingsPage())
  expect([...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name)).toEqual(settings.map(({ name }) => name))
})

test('.env.example is what npm run docs writes, with every setting as a comment', () => {
  const example = read('.env.example')
  expect(example).toBe(formatEnvExample())
  expect(addEnvFile({}, Buffer.from(example))).toEqual({})
  expect([...example.matchAll(/^#([A-Z_]+)=/gm)].map(([, name]) => name)).toEqual(settings.map(({ name }) => name))
})
