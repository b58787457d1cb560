import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { formatSettingsPage } from '../../scripts/settings-reference.ts'
import { addEnvFile, readConfig, settings } from '../../src/config.ts'

const read = (path: string) => readFileSync(new URL(`../../${path}`, import.meta.url), 'utf8')

test('docs/settings.md is what npm run docs writes, with every setting in the order of the table', () => {
  const page = read('docs/settings.md')
  expect(page).toBe(formatSettingsPage())
  expect([...page.matchAll(/^\| `([A-Z_]+)` \|/gm)].map(([, name]) => name)).toEqual(settings.map(({ name }) => name))
})

test('.env.example has settings as comments, and all of them together are taken', () => {
  const example = read('.env.example')
  expect(addEnvFile({}, Buffer.from(example))).toEqual({})
  const given = addEnvFile({}, Buffer.from(example.replaceAll(/^#(?=[A-Z_]+=)/gm, '')))
  expect(Object.keys(given)).toContain('PUBLIC_URL')
  readConfig(given)
})
