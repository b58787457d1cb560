import { execFileSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, symlinkSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { dirname, join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { gunzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { readApplication } from '../../src/http/application/application.ts'
import { emptyDatabase } from '../support/databases/test-database.ts'
import { Folder, run, serve } from '../support/portal/process.ts'
import { buildRelease, theRelease, unpack } from '../support/release/artefact.ts'

const root = fileURLToPath(new URL('../../', import.meta.url))

const isOfBuild = /[/\\]pages[/\\]\.?dist[^/\\]*$/

interface Bill {
  readonly metadata: object
  readonly components: readonly { readonly 'bom-ref': string; readonly purl: string; readonly licenses: unknown }[]
  readonly dependencies: readonly { readonly ref: string; readonly dependsOn: readonly string[] }[]
}

function listFiles(folder: string): readonly string[] {
  return readdirSync(folder, { recursive: true, withFileTypes: true })
    .filter((entry) => !entry.isDirectory())
    .map((entry) => relative(folder, join(entry.parentPath, entry.name)))
    .sort()
}

describe('a release', () => {
  test('has the same bytes from another folder, and no path of either', () => {
    using elsewhere = new Folder()
    const checkout = join(elsewhere.path, 'another checkout')
    mkdirSync(checkout)
    for (const name of readdirSync(root)) {
      if (/^(node_modules|dist|data|\.git)$/.test(name)) continue
      // Both build the application, each from its own sources.
      cpSync(join(root, name), join(checkout, name), { recursive: true, filter: (path) => !isOfBuild.test(path) })
    }
    symlinkSync(join(root, 'node_modules'), join(checkout, 'node_modules'))
    const [one, other] = [theRelease(), buildRelease(checkout)]
    expect(listFiles(one.folder)).toHaveLength(4)
    for (const file of listFiles(one.folder)) {
      expect(hash('sha256', readFileSync(join(other.folder, file))), file).toBe(
        hash('sha256', readFileSync(join(one.folder, file))),
      )
    }
    const archive = gunzipSync(readFileSync(one.artefact))
    expect([root, elsewhere.path].filter((path) => archive.includes(path))).toEqual([])
  })

  test('has the SHA-256 of its files, as sha256sum checks it', () => {
    const { folder, name } = theRelease()
    const lines = readFileSync(join(folder, `${name}.sha256`), 'utf8')
      .trimEnd()
      .split('\n')
    const named = lines.map((line) => line.split('  ') as [string, string])
    expect(named.map(([, file]) => file)).toEqual([`${name}.tgz`, `${name}.cdx.json`, 'cartulary-client.mjs'])
    for (const [sum, file] of named) expect(hash('sha256', readFileSync(join(folder, file)))).toBe(sum)
  })

  test('names every package that it has in its bill of materials, and no time', () => {
    using folder = new Folder()
    const program = unpack(theRelease(), folder.path)
    const text = readFileSync(join(program, 'sbom.cdx.json'), 'utf8')
    const bill = JSON.parse(text) as Bill
    const packages = listFiles(join(program, 'node_modules'))
      .filter((file) => /(^|node_modules\/)(@[^/]+\/)?[^/]+\/package\.json$/.test(file))
      .map((file) => JSON.parse(readFileSync(join(program, 'node_modules', file), 'utf8')))
      .filter(({ name, version }) => name !== undefined && version !== undefined)
      .map(({ name, version }) => `pkg:npm/${name.replace('@', '%40')}@${version}`)
    const named = bill.components.map(({ purl }) => purl).filter((purl) => purl.startsWith('pkg:npm/'))
    expect(named.length).toBeGreaterThan(50)
    expect(named.filter((purl) => packages.includes(purl)).sort()).toEqual([...packages].sort())
    // The others are in the bundles of the server and of the application, which name each with its licence.
    const licences = ['src/licenses.md', 'pages/dist/licenses.md', 'pages/dist/picker/licenses.md']
      .map((path) => readFileSync(join(program, path), 'utf8'))
      .join('')
    const licensed = [...licences.matchAll(/^## (\S+) - (\S+) /gm)].map(([, name, version]) => `${name} ${version}`)
    const bundled = licensed.map((one) => `pkg:npm/${one.replace('@', '%40').replace(' ', '@')}`)
    expect(named.filter((purl) => !packages.includes(purl) && !bundled.includes(purl))).toEqual([])
    expect(bundled.filter((purl) => !named.includes(purl))).toEqual([])
    expect(Object.keys(bill.metadata)).toEqual(['component'])
    expect(bill).not.toHaveProperty('serialNumber')
    const known = new Set(bill.components.map((component) => component['bom-ref']))
    const unknown = bill.dependencies.flatMap(({ dependsOn }) => dependsOn).filter((reference) => !known.has(reference))
    expect(unknown).toEqual([])
    expect(readFileSync(join(theRelease().folder, `${theRelease().name}.cdx.json`), 'utf8')).toBe(text)
  })

  test('has the server as few files of JavaScript, whose every import is there or a native package', () => {
    using folder = new Folder()
    const program = unpack(theRelease(), folder.path)
    const modules = listFiles(program).filter(
      (file) => /^(bin|src)\/.*\.m?js$/.test(file) && !file.includes('/assets/'),
    )
    // A command for any portal has a file of one line, which names it in the client: a server loads none of them.
    const names = modules.filter((file) =>
      /^export \{[^}]*\} from "\.\/client\.js";\n$/.test(readFileSync(join(program, file), 'utf8')),
    )
    expect(names.length).toBeGreaterThan(0)
    expect(modules.length - names.length).toBeLessThan(110)
    expect(listFiles(program).filter((file) => file.endsWith('.ts'))).toEqual([])
    const imports = modules.flatMap((file) =>
      [
        ...readFileSync(join(program, file), 'utf8').matchAll(
          /^(?:import|export)(?:[^'"=\n]*\bfrom)?\s*["'](\.{0,2}[^'"\n]+)["'];?$/gm,
        ),
      ].map(([, path]) => ({ file, path: path! })),
    )
    const [own, packages] = [
      imports.filter(({ path }) => path.startsWith('.')),
      imports.filter(({ path }) => !path.startsWith('.')),
    ]
    expect(own.length).toBeGreaterThan(50)
    expect(own.filter(({ file, path }) => !existsSync(join(program, dirname(file), path)))).toEqual([])
    const named = new Set(packages.map(({ path }) => path).filter((path) => !isBuiltin(path)))
    expect([...named].sort()).toEqual(['argon2', 'better-sqlite3'])
  })

  test('says in its code of which source a part is, and names no place of the machine that built it', () => {
    using folder = new Folder()
    const program = unpack(theRelease(), folder.path)
    const sources = listFiles(join(program, 'src'))
      .filter((file) => /^[^/]+\.js$/.test(file))
      .flatMap((file) => [...readFileSync(join(program, 'src', file), 'utf8').matchAll(/^\/\/ (\S+\.[cm]?[jt]s)$/gm)])
      .map(([, source]) => source!)
    const own = sources.filter((source) => source.startsWith('src/'))
    expect(own.length).toBeGreaterThan(400)
    expect(own.filter((source) => !existsSync(join(root, source)))).toEqual([])
    // A module that the bundler adds itself begins with a zero byte, which it writes as two characters.
    expect(sources.filter((source) => !/^(src|node_modules)\/|^\\0/.test(source))).toEqual([])
  })

  test('has the licence of each package that has one, and nothing that npm would run', () => {
    using folder = new Folder()
    const program = unpack(theRelease(), folder.path)
    const isLicence = (name: string) => /^(licen[cs]e|copying)/i.test(name)
    const packages = listFiles(join(program, 'node_modules')).filter((file) => file.endsWith('/package.json'))
    for (const file of packages) {
      const path = join('node_modules', dirname(file))
      if (!existsSync(join(root, path))) throw new Error(`${path} is not in the checkout.`)
      const licences = readdirSync(join(root, path)).filter(isLicence)
      expect(readdirSync(join(program, path)).filter(isLicence), path).toEqual(licences)
      expect(JSON.parse(readFileSync(join(program, path, 'package.json'), 'utf8')), path).not.toHaveProperty('scripts')
    }
  })
})

test('a release has the application, built, and none of its sources', () => {
  using folder = new Folder()
  const pages = join(unpack(theRelease(), folder.path), 'pages')
  expect(readdirSync(pages)).toEqual(['dist'])
  const { page, screens, assets, picker, documents } = readApplication(join(pages, 'dist'))!
  expect(screens).toContain('organization')
  expect(documents.get('docs/governing')).toContain('<h1')
  const loaded = [...page.matchAll(/(?:src|href)="\.\/assets\/([^"]+)"/g)].map(([, name]) => name!)
  expect(loaded.length).toBeGreaterThan(2)
  expect(loaded.filter((name) => !assets.has(name))).toEqual([])
  // Pictures are compressed by their format.
  const texts = [...assets, ...picker].filter(([name]) => !name.endsWith('.png')).map(([, { bodies }]) => bodies)
  const large = texts.filter(({ identity }) => identity.bytes.length > 2_000)
  expect(large.length).toBeGreaterThan(2)
  expect(large.filter(({ br, gzip }) => !br || !gzip)).toEqual([])
})

describe('the artefact', () => {
  test('serves from an empty folder for a user without npm, and every thread starts', async () => {
    using folder = new Folder()
    const program = join(unpack(theRelease(), folder.path), 'bin/cartulary.mjs')
    const home = join(folder.path, 'home')
    mkdirSync(home)
    const environment = { PATH: '', ADMIN_PASSWORD: 'correct horse battery staple', BACKUP_DIR: 'backups' }
    await using server = await serve({ program, folder: home, environment })
    const token = await server.signIn('admin', environment.ADMIN_PASSWORD)
    const turtle = `@prefix skos: <http://www.w3.org/2004/02/skos/core#> . @prefix : <http://example.com/> .
      :s a skos:ConceptScheme ; skos:prefLabel "Themes"@en . :w a skos:Concept ; skos:inScheme :s ; skos:topConceptOf :s ; skos:prefLabel "Water"@en .`
    const imported = await server.post('/portals/self/categorySchema/import', { token, text: turtle, format: 'skos' })
    expect(imported).toMatchObject({ success: true })
    expect(await server.post('/search', { token, q: 'water' })).toMatchObject({ total: 0 })
    const page = await fetch(`${server.url}/organization`, { headers: { accept: 'text/html' } })
    expect(await page.text()).toContain('<base href="/">')
    await server.wrote(/"backup made"/)
    expect((await server.stop()).code).toBe(0)
    expect(existsSync(join(home, 'data/cartulary.db'))).toBe(true)
    expect((await run({ program, folder: home, words: ['doctor'] })).code).toBe(0)
  })

  test('serves from PostgreSQL, and moves a database from there', async () => {
    using folder = new Folder()
    const program = join(unpack(theRelease(), folder.path), 'bin/cartulary.mjs')
    const url = await emptyDatabase()
    const environment = {
      SECRET_KEY: 'a secret of a test, which has 32 characters or more',
      ADMIN_PASSWORD: 'correct horse battery staple',
      DATABASE_URL: url,
    }
    await using server = await serve({ program, folder: folder.path, environment })
    const token = await server.signIn('admin', environment.ADMIN_PASSWORD)
    expect(await server.post('/community/createGroup', { token, title: 'Wells' })).toMatchObject({ success: true })
    expect((await server.stop()).code).toBe(0)
    const words = ['migrate-data', '--from', url, '--to', `file:${join(folder.path, 'moved.db')}`]
    // A slow machine says how far it is.
    const progress = expect.stringMatching(/^([A-Z][a-z ]+: [\d,]+ of [\d,]+ \(\d+ %\)\n)*$/)
    expect(await run({ program, folder: folder.path, words })).toMatchObject({ code: 0, err: progress })
  })

  test('is installed by npm without a registry', () => {
    using folder = new Folder()
    const words = ['install', '--global', '--offline', '--prefix', folder.path, '--cache', join(folder.path, 'cache')]
    execFileSync('npm', [...words, theRelease().artefact], { cwd: folder.path, stdio: 'pipe' })
    const help = execFileSync(process.execPath, [join(folder.path, 'bin/cartulary'), 'help'], { encoding: 'utf8' })
    expect(help).toMatch(/^Usage: cartulary/)
  })
})
