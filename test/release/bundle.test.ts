import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { readInputs } from '../../scripts/release/bundle.ts'
import { Folder } from '../support/portal/process.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** A checkout whose programs import these modules. */
function writePrograms(folder: string, ...modules: readonly string[]): void {
  mkdirSync(join(folder, 'bin'))
  for (const [number, path] of modules.entries()) {
    writeFileSync(join(folder, 'bin', `${number}.mjs`), `await import('../${path}')\n`)
  }
}

test('each program of `bin` is bundled under the name of its module', () => {
  expect(readInputs(root)).toMatchObject({
    main: join(root, 'src/main.ts'),
    thread: join(root, 'src/file-reading/thread.ts'),
  })
})

test('a module of several programs is bundled once', () => {
  using folder = new Folder()
  writePrograms(folder.path, 'src/main.ts', 'src/main.ts')
  expect(readInputs(folder.path)).toEqual({ main: join(folder.path, 'src/main.ts') })
})

test('two modules of one name are refused, as one bundle would replace the other', () => {
  using folder = new Folder()
  writePrograms(folder.path, 'src/file-reading/thread.ts', 'src/search/thread.ts')
  expect(() => readInputs(folder.path)).toThrow(
    'Two programs would be bundled as src/thread.js, one of them src/search/thread.ts.',
  )
})
