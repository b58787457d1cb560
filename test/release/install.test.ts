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
  'node_modules/node': { version: '24.0.0', dev: true },
}

type Installed = Partial<Record<keyof typeof locked, string>>

/** What the script says in a checkout where these are installed, and whether it ran npm. */
function install(words: readonly string[], installed: Installed, olderNode = false) {
  using folder = new Folder()
  for (const name of ['scripts', 'node_modules', 'bin']) mkdirSync(join(folder.path, name))
  copyFileSync(script, join(folder.path, 'scripts/install.mjs'))
  writeFileSync(join(folder.path, 'package-lock.json'), JSON.stringify({ packages: { '': {}, ...locked } }))
  const packages = Object.fromEntries(Object.entries(installed).map(([path, version]) => [path, { version }]))
  writeFileSync(join(folder.path, 'node_modules/.package-lock.json'), JSON.stringify({ packages }))
  const npm = join(folder.path, 'bin/npm')
  writeFileSync(npm, `#!/bin/sh\necho "$@" > ${join(folder.path, 'npm-ran')}\n`)
  chmodSync(npm, 0o755)
  const older = 'data:text/javascript,Object.defineProperty(process.versions,"node",{value:"20.19.0"})'
  const { status, stderr } = spawnSync(
    execPath,
    [...(olderNode ? ['--import', older] : []), join(folder.path, 'scripts/install.mjs'), ...words],
    { encoding: 'utf8', env: { PATH: `${join(folder.path, 'bin')}:/bin:/usr/bin` } },
  )
  return { status, stderr, ranNpm: existsSync(join(folder.path, 'npm-ran')) }
}

const everything: Installed = {
  'node_modules/fastify': '5.0.0',
  'node_modules/vitest': '5.0.0',
  'node_modules/node': '24.0.0',
}
const slim: Installed = { 'node_modules/fastify': '5.0.0' }
const outdated: Installed = { ...everything, 'node_modules/fastify': '4.0.0' }

test('a start and the tests of a new checkout install, and those of an installed one do not', () => {
  for (const words of [[], ['server']]) {
    expect(install(words, {})).toMatchObject({ status: 0, ranNpm: true })
    expect(install(words, outdated)).toMatchObject({ status: 0, ranNpm: true })
    expect(install(words, everything)).toEqual({ status: 0, stderr: '', ranNpm: false })
  }
})

test('a start needs no packages of development, and Node as a package only where the present one is too old', () => {
  expect(install([], slim)).toMatchObject({ ranNpm: true })
  expect(install(['server'], slim)).toMatchObject({ status: 0, ranNpm: false })
  expect(install(['server'], slim, true)).toMatchObject({ ranNpm: true })
})

test('a command never installs, and says what to run where a package is missing or of another version', () => {
  expect(install(['--check'], slim)).toEqual({ status: 0, stderr: '', ranNpm: false })
  for (const installed of [{}, outdated]) {
    const { status, stderr, ranNpm } = install(['--check'], installed)
    expect({ status, ranNpm }).toEqual({ status: 1, ranNpm: false })
    expect(stderr).toContain('then run "npm ci --omit=dev"')
  }
})

test('only a start and what needs the packages of development install', () => {
  const { scripts } = JSON.parse(manifest) as { readonly scripts: Readonly<Record<string, string>> }
  expect(scripts).toMatchObject({
    precartulary: 'node scripts/install.mjs --check',
    prestart: 'node scripts/install.mjs server && node scripts/on-own-node.mjs build-pages.mjs --start',
  })
})
