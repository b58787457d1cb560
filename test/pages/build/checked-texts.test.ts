import { existsSync, globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
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
  const source = readFileSync(join(sources, 'texts/rooms.ts'), 'utf8')
  const rooms = [...source.matchAll(/^export const of(\w+) = textsOf\('(.*)'\)$/gm)]
  const names = rooms.map(([, , room]) =>
    room!.replaceAll(/(?:^|[/-])(\w)/g, (_, letter: string) => letter.toUpperCase()),
  )
  expect(rooms.map(([, name]) => name)).toEqual(names)
  const folders = rooms.map(([, , room]) => room!)
  expect(folders.filter((folder) => !existsSync(join(sources, folder)))).toEqual([])
  expect(Object.keys(readTexts(join(sources, 'texts'), 'en'))).toEqual(folders.sort())
})

test('a text with arguments is nowhere asked for without them', () => {
  const english = readTexts(join(sources, 'texts'), 'en')
  const rooms = readFileSync(join(sources, 'texts/rooms.ts'), 'utf8')
  const named = new Map(
    [...rooms.matchAll(/^export const (\w+) = textsOf\('(.*)'\)$/gm)].map(([, name, room]) => [name, room]),
  )
  const asked = globSync('**/*.ts', { cwd: sources }).flatMap((file) => {
    const source = readFileSync(join(sources, file), 'utf8').replaceAll(/^\s*(?:\*|\/[/*]).*$/gm, '')
    const imports = [...source.matchAll(/\b(of[A-Z]\w*)(?: as (\w+))?(?=[^(){}]*\} from '[./]*\/texts\/rooms\.ts')/g)]
    return imports.flatMap(([, name, local]) =>
      [...source.matchAll(new RegExp(`(?<![\\w.])${local ?? name}\\('(\\w+)'\\)`, 'g'))].map(([, key]) => ({
        place: `${file}: ${key}`,
        text: english[named.get(name!)!]?.[key!],
      })),
    )
  })
  expect(asked.length).toBeGreaterThan(1000)
  expect(asked.filter(({ text }) => text === undefined || /\{\w/.test(text)).map(({ place }) => place)).toEqual([])
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
