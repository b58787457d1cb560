import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'

/** A second element of the same name throws when its file is loaded. */
test('every element of the application has a name of its own', () => {
  const sources = fileURLToPath(new URL('../../../pages/src/', import.meta.url))
  const names = readdirSync(sources, { recursive: true, encoding: 'utf8' })
    .filter((path) => path.endsWith('.ts'))
    .flatMap((path) => [...readFileSync(join(sources, path), 'utf8').matchAll(/customElements\.define\(\s*'([^']+)'/g)])
    .map(([, name]) => name)
    .sort()
  expect(names).toContain('cartulary-editor')
  expect(names.filter((name, position) => names.indexOf(name) !== position)).toEqual([])
})
