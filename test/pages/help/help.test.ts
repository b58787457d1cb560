import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { renderDocuments } from '../../../pages/build/documents.ts'
import { helpOfScreens } from '../../../pages/src/help/help-of-screens.ts'
import { paths } from '../../../pages/src/navigation/paths.ts'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Screens that need no help. */
const without: readonly string[] = []

test('each screen has help, which leads to a place of the documentation', () => {
  const pages = renderDocuments({ root, addressOf: (path) => path })
  const places = new Set(
    pages.flatMap(({ address, content }) => [
      address,
      ...[...content.matchAll(/<h\d id="([^"]+)"/g)].map(([, anchor]) => `${address}#${anchor}`),
    ]),
  )
  const missing = Object.keys(paths).filter((name) => !without.includes(name) && !Object.hasOwn(helpOfScreens, name))
  expect(missing).toEqual([])
  const helps = Object.values(helpOfScreens).flatMap((help) => (help ? [help] : []))
  expect(helps.map(([, address]) => address).filter((address) => !places.has(address))).toEqual([])
  const { help: texts } = JSON.parse(readFileSync(`${root}pages/src/texts/en.json`, 'utf8'))
  const used = new Set<string>(['help', 'more', ...helps.map(([sentence]) => sentence)])
  expect(Object.keys(texts).filter((key) => !used.has(key))).toEqual([])
})
