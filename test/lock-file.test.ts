import { globSync, readFileSync } from 'node:fs'
import { builtinModules } from 'node:module'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import { listPackages } from '../scripts/release/packages.ts'

interface LockedPackage {
  readonly version?: string
  readonly resolved?: string
  readonly link?: boolean
  readonly dev?: boolean
  readonly devOptional?: boolean
  readonly peer?: boolean
  readonly optional?: boolean
  readonly optionalDependencies?: Readonly<Record<string, string>>
}

const text = readFileSync(new URL('../package-lock.json', import.meta.url), 'utf8')
const packages: Readonly<Record<string, LockedPackage>> = JSON.parse(text).packages

test('the lock file has every optional package of every platform: npm refuses to install from it otherwise', () => {
  const missing = Object.entries(packages).flatMap(([path, { optionalDependencies = {} }]) =>
    Object.keys(optionalDependencies).filter(
      (name) => !packages[`node_modules/${name}`]?.version && !packages[`${path}/node_modules/${name}`]?.version,
    ),
  )
  expect(missing).toEqual([])
})

test('the lock file says that better-sqlite3 is not to be compiled: without that, npm fetches a compiler’s headers', () => {
  expect(packages['node_modules/better-sqlite3']).toHaveProperty('gypfile', false)
})

test('the lock file names no registry', () => {
  expect(Object.values(packages).filter(({ resolved, link }) => resolved !== undefined && !link)).toEqual([])
})

/** Packages that these files import, but for what is only a type. */
function listImports(...patterns: readonly string[]): readonly string[] {
  const cwd = fileURLToPath(new URL('../', import.meta.url))
  const code = globSync(patterns, { cwd }).map((path) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8'))
  const imports = code.flatMap((text) => [
    ...text.matchAll(/^(?:import|export)\b(?! type\b)(?:[^'"]*? from)? ?'([^'.][^']*)'/gm),
    // An import in a template is an import of the file that is written.
    ...text.matchAll(/\bimport\('([^'.$][^']*)'\)/g),
  ])
  const names = imports.map(([, specifier]) => /^(?:@[^/]+\/)?[^/]+/.exec(specifier!)![0])
  return [...new Set(names)].filter((name) => !/^(node|virtual):/.test(name) && !builtinModules.includes(name)).sort()
}

test('what a server and the build of the pages import is installed without the packages of the tests', () => {
  const server = listImports('bin/*.mjs', 'src/**/*.ts')
  const build = listImports('scripts/{build-pages,install}.mjs', 'pages/*.ts', 'pages/{build,src}/**/*.ts')
  expect(server).toContain('better-sqlite3')
  expect(build).toEqual(
    expect.arrayContaining(['vite', 'lit', '@awesome.me/webawesome', '@formatjs/icu-messageformat-parser']),
  )
  const needed = listPackages(packages as Parameters<typeof listPackages>[0], [...server, ...build])
  const omitted = needed.all.filter(({ path }) => {
    const { dev, devOptional, peer, optional } = packages[path]!
    return dev || devOptional || peer || optional
  })
  expect(omitted.map(({ path }) => path)).toEqual([])
})
