import { spawn, spawnSync } from 'node:child_process'
import { once } from 'node:events'
import {
  appendFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readdirSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { execPath } from 'node:process'
import { text } from 'node:stream/consumers'
import { fileURLToPath } from 'node:url'
import { brotliDecompressSync, gunzipSync, gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { type BuiltFile, readApplication } from '../../src/http/application/application.ts'
import { Folder } from '../support/portal/process.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

const config = (build: string) =>
  `import { fileURLToPath } from 'node:url'
export default { root: fileURLToPath(new URL('./', import.meta.url)), base: './', publicDir: false, build: ${build} }`

/** A small application, with everything that the real one has. */
const sources = {
  'package.json': '{ "type": "module" }',
  'package-lock.json': '{}',
  'tsconfig.json': '{}',
  'src/greeting.ts': 'export const greeting: string = "Good morning. ".repeat(3)',
  'src/unrelated.ts': 'export {}',
  'docs/governing.md': '# Governing',
  'pages/index.html': '<base href="/"><script type="module" src="./src/main.ts"></script>',
  'pages/src/main.ts': `import { greeting } from '../../src/greeting.ts'
document.title = greeting + ${JSON.stringify('a text that is worth compressing '.repeat(20))}`,
  'pages/src/picker.ts': 'customElements.define("a-picker", HTMLElement)',
  'pages/src/navigation/paths.ts': 'export const firstSegments: string[] = ["groups", "people"]',
  'pages/src/documents.ts': 'document.title = "Documentation"',
  'pages/vite.config.ts': config('{ emptyOutDir: true }'),
  'pages/vite.documents.config.ts': config(
    '{ emptyOutDir: false, write: false, rolldownOptions: { input: "src/documents.ts" } }',
  ),
  'pages/vite.picker.config.ts': config(
    '{ lib: { entry: "src/picker.ts", formats: ["es"], fileName: () => "cartulary-category-picker.js" } }',
  ),
}

/** A checkout with nothing but what is built. */
class Checkout extends Folder {
  readonly built = join(this.path, 'pages/dist')

  constructor() {
    super()
    for (const [path, content] of Object.entries(sources)) {
      mkdirSync(dirname(join(this.path, path)), { recursive: true })
      writeFileSync(join(this.path, path), content)
    }
    mkdirSync(join(this.path, 'scripts'))
    cpSync(join(root, 'scripts/build-pages.mjs'), join(this.path, 'scripts/build-pages.mjs'))
    symlinkSync(join(root, 'node_modules'), join(this.path, 'node_modules'))
  }

  /** Puts a statement before the configuration of the build. */
  configure(statement: string): void {
    const path = 'pages/vite.config.ts'
    writeFileSync(join(this.path, path), `${statement}\n${sources[path]}`)
  }

  change(path: string): void {
    appendFileSync(join(this.path, path), '\n')
  }

  async build(...words: string[]): Promise<{ readonly code: number; readonly said: string }> {
    const child = spawn(execPath, [join(this.path, 'scripts/build-pages.mjs'), ...words], {
      stdio: ['ignore', 1, 'pipe'],
    })
    const [said, [code]] = await Promise.all([text(child.stderr!), once(child, 'exit') as Promise<[number]>])
    return { code, said }
  }

  /** Another number for each build. */
  get version(): number {
    return statSync(this.built).ino
  }

  get names(): readonly string[] {
    return readdirSync(join(this.path, 'pages')).sort()
  }
}

const building = 'Building the application in the browser …\n'
const names = ['dist', 'index.html', 'src', 'vite.config.ts', 'vite.documents.config.ts', 'vite.picker.config.ts']

test('what is missing is built, as the server reads it, and nothing is left beside it', async () => {
  using checkout = new Checkout()
  expect(await checkout.build()).toEqual({ code: 0, said: building })
  expect(checkout.names).toEqual(names)
  const application = readApplication(checkout.built)!
  expect(application.screens).toEqual(['groups', 'people'])
  expect([...application.picker.keys()].sort()).toEqual(['cartulary-category-picker.js', 'licenses.md'])
  expect([...application.assets.keys()]).toEqual([expect.stringMatching(/^index-[\w-]{8}\.js$/)])
  expect(application.page).toContain([...application.assets.keys()][0])
  expect(existsSync(join(checkout.built, 'licenses.md'))).toBe(true)
})

test('each file is there compressed where that is smaller, and only there', async () => {
  using checkout = new Checkout()
  await checkout.build()
  const { assets, picker } = readApplication(checkout.built)!
  const [{ identity, br, gzip }] = [...assets.values()].map(({ bodies }) => bodies) as [Required<BuiltFile['bodies']>]
  expect(brotliDecompressSync(br.bytes)).toEqual(identity.bytes)
  expect(gunzipSync(gzip.bytes)).toEqual(identity.bytes)
  expect(br.bytes.length).toBeLessThan(identity.bytes.length / 2)
  // It is too short for one of the encodings.
  const short = picker.get('cartulary-category-picker.js')!.bodies
  expect(gzipSync(short.identity.bytes).length).toBeGreaterThan(short.identity.bytes.length)
  expect(short).not.toHaveProperty('gzip')
})

test('a Node that is too old has the one among the packages build', async () => {
  using checkout = new Checkout()
  const version = 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.19.0"})'
  const words = ['--import', version, join(checkout.path, 'scripts/build-pages.mjs')]
  const run = () => spawnSync(execPath, words, { encoding: 'utf8' }).stderr
  expect(run()).toBe(building)
  expect(run()).toBe('The application in the browser is up to date.\n')
  // Vite would not load the configuration, which says on what it runs.
  checkout.configure(`if (process.versions.node.startsWith('20')) throw new Error('too old')`)
  expect(run()).toBe(building)
})

describe('what is there is built again', () => {
  test.each([
    ['a source', 'pages/src/main.ts'],
    ['a file that it imports from the server', 'src/greeting.ts'],
    ['a document', 'docs/governing.md'],
    ['the packages', 'package-lock.json'],
    ['the way it is built', 'scripts/build-pages.mjs'],
  ])('after a change of %s', async (_what, path) => {
    using checkout = new Checkout()
    await checkout.build()
    const before = checkout.version
    checkout.change(path)
    expect(await checkout.build('--start')).toEqual({ code: 0, said: building })
    expect(checkout.version).not.toBe(before)
    expect(checkout.names).toEqual(names)
  })

  test('but not after any other change, nor without one', async () => {
    using checkout = new Checkout()
    await checkout.build()
    const before = checkout.version
    checkout.change('src/unrelated.ts')
    expect(await checkout.build('--start')).toEqual({ code: 0, said: '' })
    expect(await checkout.build()).toEqual({ code: 0, said: 'The application in the browser is up to date.\n' })
    expect(checkout.version).toBe(before)
  })

  test('if a source is gone', async () => {
    using checkout = new Checkout()
    writeFileSync(join(checkout.path, 'pages/src/more.ts'), '')
    await checkout.build()
    rmSync(join(checkout.path, 'pages/src/more.ts'))
    expect((await checkout.build('--start')).said).toBe(building)
  })
})

test('a source that changes during a build is built again, once', async () => {
  using checkout = new Checkout()
  const changing = (times: number) => `[{ name: 'changing', closeBundle() {
    const file = new URL('./src/main.ts', import.meta.url)
    const text = readFileSync(file, 'utf8')
    if (text.split('changed').length <= ${times}) writeFileSync(file, text + '\\ndocument.title += "changed"')
  } }]`
  const change = (times: number) =>
    writeFileSync(
      join(checkout.path, 'pages/vite.config.ts'),
      `import { readFileSync, writeFileSync } from 'node:fs'\n${config(`{}, plugins: ${changing(times)}`)}`,
    )
  change(1)
  expect(await checkout.build()).toEqual({ code: 0, said: building })
  const [{ bodies }] = [...readApplication(checkout.built)!.assets.values()] as [BuiltFile]
  expect(bodies.identity.bytes.toString()).toContain('changed')
  expect((await checkout.build()).said).toBe('The application in the browser is up to date.\n')
  // A file that changes in every build is not recorded as built.
  change(9)
  expect(await checkout.build()).toEqual({ code: 0, said: building })
  expect(await checkout.build()).toEqual({ code: 0, said: building })
})

test('several concurrent builds leave one that is whole, and nothing beside it', async () => {
  using checkout = new Checkout()
  for (const _time of [1, 2]) {
    const ended = await Promise.all([1, 2, 3, 4].map(() => checkout.build('--start')))
    expect(ended.map(({ code }) => code)).toEqual([0, 0, 0, 0])
    expect(checkout.names).toEqual(names)
    expect(await checkout.build()).toEqual({ code: 0, said: 'The application in the browser is up to date.\n' })
    expect(readApplication(checkout.built)?.assets.size).toBe(1)
    checkout.change('pages/src/main.ts')
  }
})

test('what an ended build has left is removed, what a running one writes is not', async () => {
  using checkout = new Checkout()
  // A process that has ended, as nothing else may have its number so soon.
  const ended = spawn(execPath, ['-e', '0'])
  await once(ended, 'exit')
  for (const owner of [ended.pid, process.pid]) mkdirSync(join(checkout.path, `pages/.dist-${owner}`))
  await checkout.build()
  expect(checkout.names).toEqual([`.dist-${process.pid}`, ...names])
})

test('sources that cannot be built leave what was there, and stop no server', async () => {
  using checkout = new Checkout()
  await checkout.build()
  const before = checkout.version
  writeFileSync(join(checkout.path, 'pages/src/main.ts'), 'import "./nowhere.ts"')
  for (const [words, code] of [
    [['--start'], 0],
    [[], 1],
  ] as const) {
    const failed = await checkout.build(...words)
    expect(failed.code).toBe(code)
    expect(failed.said).toContain('The application in the browser is older than its sources, and could not be built: ')
    expect(failed.said).toContain('./nowhere.ts')
  }
  expect(checkout.version).toBe(before)
  expect(checkout.names).toEqual(names)
})

test('without Vite, one line says how it is built, and a server starts', async () => {
  using checkout = new Checkout()
  rmSync(join(checkout.path, 'node_modules'))
  const said = 'The application in the browser is not built: Vite is not installed. "npm run pages" builds it.\n'
  expect(await checkout.build('--start')).toEqual({ code: 0, said })
  expect(await checkout.build()).toEqual({ code: 1, said })
  expect(checkout.names).not.toContain('dist')
})

test('a release, which has no sources, is left as it is', async () => {
  using checkout = new Checkout()
  await checkout.build()
  for (const name of names.slice(1)) rmSync(join(checkout.path, 'pages', name), { recursive: true })
  expect(await checkout.build('--start')).toEqual({ code: 0, said: '' })
  expect(checkout.names).toEqual(['dist'])
})
