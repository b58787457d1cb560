import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { languageNames } from '../src/texts/languages.ts'
import { readTexts } from './checked-texts.ts'
import { listFirstRooms } from './first-rooms.ts'

const sources = fileURLToPath(new URL('../src/', import.meta.url))
const name = 'virtual:text-files'

/**
 * Makes `virtual:text-files`, which loads two files per language: the texts of the rooms that the first screen needs, by room and
 * key, and those of all others.
 */
export function textFiles(): Plugin {
  return {
    name: 'text-files',
    resolveId: (id) => (id.startsWith(name) ? `\0${id}` : undefined),
    load(id) {
      const [, module, language, part] = /^\0(virtual:text-files)(?:\/(\w+)-(\w+))?$/.exec(id) ?? []
      if (module === undefined) return undefined
      return language === undefined
        ? formatLoaders()
        : `export default ${JSON.stringify(readPart(language, part === 'first'))}`
    },
  }
}

function formatLoaders(): string {
  const loaders = Object.keys(languageNames).map(
    (language) =>
      `${language}: { first: () => import('${name}/${language}-first'), others: () => import('${name}/${language}-others') }`,
  )
  return `export const textFiles = { ${loaders.join(', ')} }`
}

function readPart(language: string, isFirst: boolean) {
  const first = new Set(listFirstRooms(sources))
  const rooms = Object.entries(readTexts(`${sources}texts`, language))
  return Object.fromEntries(rooms.filter(([room]) => first.has(room) === isFirst))
}
