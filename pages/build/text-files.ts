import { fileURLToPath } from 'node:url'
import type { Plugin } from 'vite'
import { languageNames } from '../src/texts/languages.ts'
import { listRooms, readTexts } from './checked-texts.ts'

const sources = fileURLToPath(new URL('../src/', import.meta.url))
const name = 'virtual:text-files'

/** Makes `virtual:text-files`, which loads one file per language: the texts of all folders, by folder and key. */
export function textFiles(): Plugin {
  return {
    name: 'text-files',
    resolveId: (id) => (id.startsWith(name) ? `\0${id}` : undefined),
    load(id) {
      const [, module, language] = /^\0(virtual:text-files)(?:\/(\w+))?$/.exec(id) ?? []
      if (module === undefined) return undefined
      return language === undefined ? formatLoaders() : `export default ${JSON.stringify(readAll(language))}`
    },
  }
}

function formatLoaders(): string {
  const loaders = Object.keys(languageNames).map((language) => `${language}: () => import('${name}/${language}')`)
  return `export const textFiles = { ${loaders.join(', ')} }`
}

function readAll(language: string) {
  const rooms = listRooms(sources).map((room) => [room.replace(/\/texts$/, ''), readTexts(sources, room, language)])
  return Object.fromEntries(rooms)
}
