import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import type { Plugin } from 'vite'
import { languageNames } from '../src/texts/languages.ts'

const sources = fileURLToPath(new URL('../src/texts/', import.meta.url))

/** Fails the build if a text is missing in a language, is not an ICU message, or has other arguments than the English one. */
export function checkedTexts(): Plugin {
  return {
    name: 'checked-texts',
    buildStart() {
      const problems = findTextProblems(sources)
      if (problems.length > 0) this.error(problems.join('\n'))
    },
  }
}

/** Texts of a language, by room and key. */
type Texts = Readonly<Record<string, Readonly<Record<string, string>>>>

/** Problems of the texts of a folder with a file for each language, as `de.json: "editor.undo" is missing.` */
export function findTextProblems(folder: string): readonly string[] {
  const english = flatten(readTexts(folder, 'en'))
  const extra = globSync('*.json', { cwd: folder })
    .map((file) => basename(file, '.json'))
    .filter((language) => !(language in languageNames))
  return [
    ...extra.map((language) => `${language}.json: no language of the application.`),
    ...Object.keys(languageNames).flatMap((language) => {
      const texts = flatten(readTexts(folder, language))
      const named = (key: string) => `${language}.json: "${key}"`
      return [
        ...[...english].flatMap(([key, message]) => {
          const text = texts.get(key) ?? ''
          const problem = text.trim() === '' ? 'is missing.' : compareMessages(message, text)
          return problem ? [`${named(key)} ${problem}`] : []
        }),
        ...[...texts.keys()].filter((key) => !english.has(key)).map((key) => `${named(key)} is not an English text.`),
      ]
    }),
  ]
}

/** Reads the texts of a language. */
export function readTexts(folder: string, language: string): Texts {
  try {
    return JSON.parse(readFileSync(join(folder, `${language}.json`), 'utf8')) as Texts
  } catch (error) {
    throw new Error(`${language}.json: ${(error as Error).message}`, { cause: error })
  }
}

/** Texts by room and key, such as `people/roles.title`; where there are no rooms, by key. */
function flatten(texts: Readonly<Record<string, string | Texts[string]>>): ReadonlyMap<string, string> {
  return new Map(
    Object.entries(texts).flatMap(([room, its]) =>
      typeof its === 'string'
        ? [[room, its] as const]
        : Object.entries(its).map(([key, text]) => [`${room}.${key}`, text] as const),
    ),
  )
}

function compareMessages(english: string, text: string): string | undefined {
  try {
    const wanted = [...argumentsOf(parse(english, { ignoreTag: true }))].sort().join(', ')
    const given = [...argumentsOf(parse(text, { ignoreTag: true }))].sort().join(', ')
    return wanted === given ? undefined : `has the arguments (${given}) in place of (${wanted}).`
  } catch (error) {
    return `is not an ICU message: ${(error as Error).message}.`
  }
}

/** Names of the arguments of a message, including those in its plural forms. */
function argumentsOf(elements: readonly MessageFormatElement[]): Set<string> {
  const names = new Set<string>()
  for (const element of elements) {
    if (element.type === TYPE.literal || element.type === TYPE.pound) continue
    names.add(element.value)
    if (element.type === TYPE.select || element.type === TYPE.plural) {
      for (const { value } of Object.values(element.options)) {
        for (const name of argumentsOf(value)) names.add(name)
      }
    }
  }
  return names
}
