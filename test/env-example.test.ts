import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { settings } from '../src/config.ts'

const example = readFileSync(new URL('../.env.example', import.meta.url), 'utf8')

test('.env.example has every setting with its meaning and default, in the order of the table, and no other', () => {
  const expected = settings.map(({ name, meaning, default: value }) => `# ${meaning}\n#${name}=${value}\n`)
  expect(example.split('\n\n').slice(1).join('\n\n')).toBe(expected.join('\n'))
})
