import { spawnSync } from 'node:child_process'
import { chmodSync, copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { Folder } from '../support/portal/process.ts'

const script = fileURLToPath(new URL('../../scripts/install.mjs', import.meta.url))
const manifest = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')

const locked = {
  'node_modules/fastify': { version: '5.0.0' },
  'node_modules/vitest': { version: '5.0.0', dev: true },
  'node_modules/node': { version: '24.0.0', peer: true },
  'node_modules/cartulary-pages': { resolved: 'pages', link: true },
  pages: {},
}

type Installed = Partial<Record<keyof typeof locked, string>>

/** Output of the script in a checkout where these are installed, and the arguments with which it ran npm, if it did. */
function install(words: readonly string[], installed: Installed, olderNode = false) {
  using folder = new Folder()
  for (const name of ['scripts', 'node_modules', 'bin']) mkdirSync(join(folder.path, name))
  copyFileSync(script, join(folder.path, 'scripts/install.mjs'))
  writeFileSync(join(folder.path, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...locked } }))
  const packages = Object.fromEntries(Object.entries(installed).map(([path, version]) => [path, { version }]))
  writeFileSync(join(folder.path, 'node_modules/.package-lock.json'), JSON.stringify({ packages }))
  const npm = join(folder.path, 'bin/npm')
  const ran = join(folder.path, 'npm-ran')
  writeFileSync(npm, `#!/bin/sh\necho "$@" > ${ran}\n`)
  chmodSync(npm, 0o755)
  const version = olderNode ? '20.19.0' : '24.0.0'
  const node = `data:text/javascript,Object.defineProperty(process.versions,"node",{value:"${version}"})`
  const { status, stderr } = spawnSync(
    execPath,
    ['--import', node, join(folder.path, 'scripts/install.mjs'), ...words],
    { encoding: 'utf8', env: { PATH: `${join(folder.path, 'bin')}:/bin:/usr/bin` } },
  )
  return { status, stderr, npm: existsSync(ran) ? readFileSync(ran, 'utf8').replace(/ --no-audit.*\n/, '') : undefined }
}

const slim: Installed = { 'node_modules/fastify': '5.0.0' }
const slimWithNode: Installed = { ...slim, 'node_modules/node': '24.0.0' }
const everything: Installed = { ...slimWithNode, 'node_modules/vitest': '5.0.0' }
const outdated: Installed = { ...everything, 'node_modules/fastify': '4.0.0' }
const silent = { status: 0, stderr: '', npm: undefined }

test('tests of a new checkout install everything, a start what a server and the pages need, and Node where it is too old', () => {
  expect(install([], {})).toMatchObject({ status: 0, npm: 'ci' })
  expect(install([], {}, true)).toMatchObject({ status: 0, npm: 'ci' })
  expect(install(['server'], {})).toMatchObject({ status: 0, npm: 'ci --omit=dev --omit=peer' })
  expect(install(['server'], {}, true)).toMatchObject({ status: 0, npm: 'ci --omit=dev' })
})

test('nothing is installed where everything is there that is needed', () => {
  for (const olderNode of [true, false]) {
    expect(install([], everything, olderNode)).toEqual(silent)
    expect(install(['server'], everything, olderNode)).toEqual(silent)
    expect(install(['server'], slimWithNode, olderNode)).toEqual(silent)
  }
  expect(install(['server'], slim)).toEqual(silent)
})

test('what is missing is added, and nothing that is there is replaced or removed', () => {
  expect(install([], slim)).toMatchObject({ npm: 'install --no-save' })
  expect(install(['server'], slim, true)).toMatchObject({ npm: 'install --no-save --omit=dev' })
  expect(install(['server'], { 'node_modules/vitest': '5.0.0' })).toMatchObject({ npm: 'install --no-save' })
})

test('other versions are replaced, and packages of the tests are there again afterwards', () => {
  expect(install([], outdated)).toMatchObject({ npm: 'ci' })
  expect(install(['server'], outdated)).toMatchObject({ npm: 'ci' })
  expect(install(['server'], { 'node_modules/fastify': '4.0.0' })).toMatchObject({ npm: 'ci --omit=dev --omit=peer' })
})

test('a command never installs, and says what to run where a package is missing or of another version', () => {
  expect(install(['--check'], slim)).toEqual(silent)
  for (const installed of [{}, outdated]) {
    const { status, stderr, npm } = install(['--check'], installed)
    expect({ status, npm }).toEqual({ status: 1, npm: undefined })
    expect(stderr).toContain('then run "npm ci --omit=dev --omit=peer"')
  }
  expect(install(['--check'], slim, true).stderr).toContain('then run "npm ci --omit=dev"')
})

test('only a start and what needs the packages of development install', () => {
  const { scripts } = JSON.parse(manifest) as { readonly scripts: Readonly<Record<string, string>> }
  expect(scripts).toMatchObject({
    precartulary: 'node scripts/install.mjs --check',
    prestart:
      'node scripts/install.mjs server && node scripts/build-pages.mjs --start && node scripts/build-server.mjs',
  })
})
