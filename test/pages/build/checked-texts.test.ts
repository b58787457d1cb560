import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, beforeEach, expect, test } from 'vitest'
import { findTextProblems, readTexts } from '../../../pages/build/checked-texts.ts'
import { languageNames } from '../../../pages/src/texts/languages.ts'

const sources = fileURLToPath(new URL('../../../pages/src/', import.meta.url))
let folder: string

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'cartulary-texts-'))
})

afterEach(() => rmSync(folder, { recursive: true }))

/** Every language has the English texts, but for those given. */
function write(english: object, others: Readonly<Record<string, object>> = {}): readonly string[] {
  for (const language of Object.keys({ ...languageNames, ...others })) {
    const texts = others[language] ?? english
    writeFileSync(join(folder, `${language}.json`), JSON.stringify({ room: texts }))
  }
  return findTextProblems(folder)
}

const found = { found: '{count, plural, one {# item of {owner}} other {# items of {owner}}}' }

test('the texts of the application are whole in all its languages', () => {
  expect(findTextProblems(join(sources, 'texts'))).toEqual([])
})

test('every room asks for its own texts, and every text is of a room', () => {
  const files = globSync('**/texts.ts', { cwd: sources }).filter((path) => path !== join('texts', 'texts.ts'))
  const rooms = files.map((path) => dirname(path).replaceAll('\\', '/')).sort()
  const asked = rooms.map(
    (room) => /textsOf\('(.*)'\)/.exec(readFileSync(join(sources, room, 'texts.ts'), 'utf8'))?.[1],
  )
  expect(asked).toEqual(rooms)
  expect(Object.keys(readTexts(join(sources, 'texts'), 'en'))).toEqual(rooms)
})

test('other words and plural forms with the same arguments are no problem', () => {
  expect(write(found, { ja: { found: '{owner} の {count, plural, other {#}} 件' } })).toEqual([])
})

test.each<[string, object, string]>([
  ['is missing', {}, 'de.json: "room.found" is missing.'],
  ['is empty', { found: ' ' }, 'de.json: "room.found" is missing.'],
  ['has lost an argument', { found: '{count}' }, '"room.found" has the arguments (count) in place of (count, owner).'],
  ['is not a message', { found: '{count, plural, one {#}' }, '"room.found" is not an ICU message: '],
  ['is not English', { ...found, lost: 'Verloren' }, 'de.json: "room.lost" is not an English text.'],
])('a text that %s is a problem', (_, german, problem) => {
  expect(write(found, { de: german })).toEqual([expect.stringContaining(problem)])
})

test('a language that the application does not have is a problem', () => {
  expect(write(found, { xx: found })).toEqual(['xx.json: no language of the application.'])
})
