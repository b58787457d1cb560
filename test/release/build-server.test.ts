import { spawnSync } from 'node:child_process'
import {
  appendFileSync,
  cpSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  rmSync,
  symlinkSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { Folder, serve } from '../support/portal/process.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Says at the end which files of the server were loaded, its threads' too. */
const observer = `data:text/javascript,${encodeURIComponent(`
  import { registerHooks } from 'node:module'
  const isOwn = (url) => /[/]checkout[/](src|node_modules[/][.]cache[/]server)[/]/.test(url)
  registerHooks({
    load(url, context, next) {
      if (isOwn(url)) process.stderr.write('loaded ' + url + '; ')
      return next(url, context)
    },
  })`)}`

/** A checkout with its packages installed, and nothing that was built. */
class Checkout extends Folder {
  readonly root = join(this.path, 'checkout')
  readonly bundles = join(this.root, 'node_modules/.cache/server')

  constructor() {
    super()
    mkdirSync(join(this.root, 'node_modules'), { recursive: true })
    for (const name of ['bin', 'src', 'scripts', 'package.json']) {
      cpSync(join(root, name), join(this.root, name), { recursive: true })
    }
    for (const name of readdirSync(join(root, 'node_modules'))) {
      if (name !== '.cache') symlinkSync(join(root, 'node_modules', name), join(this.root, 'node_modules', name))
    }
  }

  build(): string {
    return spawnSync(execPath, [join(this.root, 'scripts/build-server.mjs')], { encoding: 'utf8' }).stderr
  }

  /** Origin of the server's own files: the sources, or the name of a bundle. */
  loadedFrom(): readonly string[] {
    const { stdout, stderr } = spawnSync(
      execPath,
      ['--import', observer, join(this.root, 'bin/cartulary.mjs'), '--version'],
      {
        encoding: 'utf8',
        env: {},
      },
    )
    expect(stdout).toMatch(/^Cartulary \d/)
    return [
      ...new Set(
        [...stderr.matchAll(/\/checkout\/(?:node_modules\/\.cache\/server\/)?([^/]+)\//g)].map(([, name]) => name!),
      ),
    ]
  }

  /** Names of the bundles that are there. */
  get names(): readonly string[] {
    return readdirSync(this.bundles).filter((name) => name !== 'built.json')
  }
}

test('the server runs from the bundle of its sources, and from the sources where they have changed since', () => {
  using checkout = new Checkout()
  expect(checkout.loadedFrom()).toEqual(['src'])
  expect(checkout.build()).toBe('')
  const [first] = checkout.names
  expect(checkout.loadedFrom()).toEqual([first])
  for (const path of ['src/main.ts', 'node_modules/.package-lock.json']) {
    if (path.startsWith('node_modules')) {
      rmSync(join(checkout.root, path))
      writeFileSync(join(checkout.root, path), '{}')
    } else utimesSync(join(checkout.root, path), 1, 1)
    expect(checkout.loadedFrom(), path).toEqual(['src'])
    // Equal sources have an equal bundle: a server that runs from it keeps it.
    expect(checkout.build()).toBe('')
    expect(checkout.names).toEqual([first])
    expect(checkout.loadedFrom()).toEqual([first])
  }
})

test('the newest five bundles are kept, so that a server that runs from one goes on, and a lost one is built again', () => {
  using checkout = new Checkout()
  checkout.build()
  const [first] = checkout.names
  // Four bundles that were built earlier.
  const note = JSON.parse(readFileSync(join(checkout.bundles, 'built.json'), 'utf8'))
  const earlier = ['first', 'second', 'third', 'fourth'].map((name) => `${name}-earlier`)
  for (const name of earlier) mkdirSync(join(checkout.bundles, name))
  writeFileSync(join(checkout.bundles, 'built.json'), JSON.stringify({ ...note, names: [first, ...earlier] }))
  appendFileSync(join(checkout.root, 'src/cli/cli.ts'), '\nprocess.env["CHANGED"] = "x"\n')
  checkout.build()
  const newest = checkout.names.find((name) => name !== first && !earlier.includes(name))!
  expect(checkout.loadedFrom()).toEqual([newest])
  expect([...checkout.names].sort()).toEqual([newest, first, ...earlier.slice(0, 3)].sort())
  rmSync(join(checkout.bundles, newest), { recursive: true })
  mkdirSync(join(checkout.bundles, newest))
  expect(checkout.loadedFrom()).toEqual(['src'])
  checkout.build()
  expect(checkout.loadedFrom()).toEqual([newest])
})

test('sources that cannot be bundled are run as they are, and the build says why', () => {
  using checkout = new Checkout()
  appendFileSync(join(checkout.root, 'src/write-thread.ts'), '\nimport "./nowhere.ts"\n')
  expect(checkout.build()).toMatch(/The server runs from its sources: [\s\S]*nowhere\.ts/)
  expect(checkout.loadedFrom()).toEqual(['src'])
})

test('a server from its bundle writes and searches, in threads that run from the same bundle, and finds its other files', async () => {
  using checkout = new Checkout()
  checkout.build()
  await using server = await serve({
    folder: checkout.path,
    program: join(checkout.root, 'bin/cartulary.mjs'),
    nodeWords: ['--import', observer],
    environment: { DATABASE_URL: 'file:./own.db', ADMIN_PASSWORD: 'correct horse battery staple' },
  })
  // Sources that change while it runs change nothing in it.
  utimesSync(join(checkout.root, 'src/main.ts'), 1, 1)
  const origin = /is ready at (\S+),/.exec(server.out)![1]!
  const post = async (path: string, parameters: Readonly<Record<string, string>>) => {
    const body = new URLSearchParams({ ...parameters, f: 'json' })
    return (await (await fetch(`${origin}/sharing/rest${path}`, { method: 'POST', body })).json()) as Record<
      string,
      unknown
    >
  }
  const { token } = await post('/generateToken', { username: 'admin', password: 'correct horse battery staple' })
  const given = { token: String(token) }
  expect(await post('/community/createGroup', { ...given, title: 'Wells', access: 'org' })).toHaveProperty(
    'success',
    true,
  )
  expect(await post('/search', { ...given, q: 'wells' })).toHaveProperty('total', 0)
  expect((await fetch(`${origin}/sharing/rest?f=html`)).status).toBe(200)
  expect((await fetch(`${origin}/openapi.json`)).status).toBe(200)
  const loaded = [...server.err.matchAll(/loaded \S+\/checkout\/([^;]+);/g)].map(([, path]) => path!)
  const programs = loaded
    .map((path) => path.replace(/^.*\//, ''))
    .filter((name) => /^(main|.*-thread)\.mjs$/.test(name))
  expect(programs.sort()).toEqual(['main.mjs', 'search-thread.mjs', 'write-thread.mjs'])
  expect(loaded.filter((path) => path.startsWith('src/'))).toEqual([])
})
