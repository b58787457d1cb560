import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'

interface LockedPackage {
  readonly version?: string
  readonly resolved?: string
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
  expect(Object.values(packages).filter(({ resolved }) => resolved !== undefined)).toEqual([])
})
