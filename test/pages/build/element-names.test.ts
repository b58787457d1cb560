import { readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

const sources = fileURLToPath(new URL('../../../pages/src/', import.meta.url))
const files = readdirSync(sources, { recursive: true, encoding: 'utf8' }).filter((path) => path.endsWith('.ts'))
const textOf = (path: string) => readFileSync(join(sources, path), 'utf8')

/** Elements that a text defines, by their tags. */
function definedIn(text: string): readonly string[] {
  return [...text.matchAll(/customElements\.define\(\s*'([^']+)'/g)].map(([, name]) => name!)
}

/** Files of screens, each with the file of its later part. */
const laterParts = [
  ...textOf('screens.ts').matchAll(
    /screen\('[\w-]+', \(\) => import\('\.\/([^']+)'\), \{[^}]*later: \(\) => import\('\.\/([^']+)'\)/g,
  ),
].map(([, screen, later]) => [screen!, later!] as const)

/** Elements that a file defines, and those that the files define which it imports, not for types alone. */
function loadedBy(path: string): readonly string[] {
  const text = textOf(path)
  const imported = [...text.matchAll(/(?:^import (?!type )[^';]*|await import\()'(\.[^']+\.ts)'/gm)]
  // Parts of a screen that are loaded once it is shown.
  const [, later] = laterParts.find(([screen]) => screen === path) ?? []
  const components = [...text.matchAll(/^import '@awesome\.me\/webawesome\/dist\/components\/([\w-]+)\//gm)]
  return [
    ...definedIn(text),
    ...imported.flatMap(([, to]) => definedIn(textOf(posix.join(posix.dirname(path), to!)))),
    ...(later ? definedIn(textOf(later)) : []),
    ...components.map(([, name]) => `wa-${name}`),
  ]
}

/** A second element of the same name throws when its file is loaded. */
test('every element of the application has a name of its own', () => {
  const names = files.flatMap((path) => definedIn(textOf(path))).sort()
  expect(names).toContain('cartulary-editor')
  expect(names.filter((name, position) => names.indexOf(name) !== position)).toEqual([])
})

/** A tag of an element that is not loaded shows nothing. */
test('every file loads the elements that it uses, but for those that are loaded everywhere', () => {
  const everywhere = loadedBy('elements/everywhere.ts')
  expect(everywhere).toEqual(expect.arrayContaining(['wa-button', 'cartulary-problem', 'cartulary-loading']))
  const missing = files.flatMap((path) => {
    const loaded = new Set([...everywhere, ...loadedBy(path)])
    const used = [...textOf(path).matchAll(/<\/((?:wa|cartulary)-[\w-]+)>/g)].map(([, name]) => name!)
    return [...new Set(used)].filter((name) => !loaded.has(name)).map((name) => `${path}: <${name}>`)
  })
  expect(missing).toEqual([])
})
