import { globSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type MessageFormatElement, parse, TYPE } from '@formatjs/icu-messageformat-parser'
import type { Plugin } from 'vite'
import { languageNames } from '../src/texts/languages.ts'

const sources = fileURLToPath(new URL('../src/', import.meta.url))

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

/** Problems of the texts below a folder, as `editor/texts/de.json: "undo" is missing.` */
export function findTextProblems(folder: string): readonly string[] {
  return listRooms(folder).flatMap((room) => findRoomProblems(folder, room))
}

/** Folders of texts below a folder, such as `editor/texts`. */
export function listRooms(folder: string): readonly string[] {
  const rooms = globSync('**/texts/en.json', { cwd: folder }).map((path) => dirname(path))
  return rooms.sort()
}

function findRoomProblems(folder: string, room: string): readonly string[] {
  const english = readTexts(folder, room, 'en')
  const extra = globSync('*.json', { cwd: join(folder, room) })
    .map((file) => basename(file, '.json'))
    .filter((language) => !(language in languageNames))
  return [
    ...extra.map((language) => `${room}/${language}.json: no language of the application.`),
    ...Object.keys(languageNames).flatMap((language) => {
      const texts = readTexts(folder, room, language)
      const named = (key: string) => `${room}/${language}.json: "${key}"`
      return [
        ...Object.entries(english).flatMap(([key, message]) => {
          const text = texts[key] ?? ''
          const problem = text.trim() === '' ? 'is missing.' : compareMessages(message, text)
          return problem ? [`${named(key)} ${problem}`] : []
        }),
        ...Object.keys(texts)
          .filter((key) => english[key] === undefined)
          .map((key) => `${named(key)} is not an English text.`),
      ]
    }),
  ]
}

/** The texts of a folder in one language, by their keys. */
export function readTexts(folder: string, room: string, language: string): Readonly<Record<string, string>> {
  try {
    return JSON.parse(readFileSync(join(folder, room, `${language}.json`), 'utf8')) as Record<string, string>
  } catch (error) {
    throw new Error(`${room}/${language}.json: ${(error as Error).message}`, { cause: error })
  }
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
