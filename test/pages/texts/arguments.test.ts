import { globSync, readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import texts from '../../../pages/src/texts/en.json' with { type: 'json' }

const rooms: Readonly<Record<string, Readonly<Record<string, string>>>> = texts
const names = readFileSync('pages/src/texts/rooms.ts', 'utf8')

test('a message with arguments is never asked for without them', () => {
  const called = globSync('pages/src/**/*.ts').flatMap((file) => {
    const source = readFileSync(file, 'utf8')
    const [, name] = /import \{.*\b(of\w+) as t\b.*\} from '.*texts\/rooms\.ts'/.exec(source) ?? []
    const [, room = ''] = new RegExp(`const ${name} = textsOf\\('([^']+)'\\)`).exec(names) ?? []
    return [...source.matchAll(/\bt\('(\w+)'\)/g)].map(([, key]) => ({ file, key, text: rooms[room]?.[key!] ?? '' }))
  })
  expect(called.length).toBeGreaterThan(500)
  expect(called.filter(({ text }) => /\{\w+[,}]/.test(text))).toEqual([])
})
