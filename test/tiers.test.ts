import { globSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { expect, test } from 'vitest'
import everyCommit from '../vitest.config.ts'
import long from '../vitest.long.config.ts'
import system from '../vitest.system.config.ts'

const root = fileURLToPath(new URL('../', import.meta.url))

interface Tier {
  readonly test?: {
    readonly projects?: readonly unknown[]
  }
}

interface Project {
  readonly test: { readonly name: string; readonly include: readonly string[]; readonly exclude?: readonly string[] }
}

function listPatterns({ test: settings }: Tier): readonly string[] {
  const projects = (settings?.projects ?? []) as readonly Project[]
  return projects.flatMap(({ test: { include, exclude = [] } }) => [...include, ...exclude])
}

test('every file that a tier names is there, so that none is left out when it moves', () => {
  const patterns = new Set([everyCommit, system, long].flatMap((tier) => listPatterns(tier as Tier)))
  // A list in braces stands for each of its names.
  const each = [...patterns].flatMap(spread)
  expect(each.filter((pattern) => globSync(pattern, { cwd: root }).length === 0)).toEqual([])
  expect(each.length).toBeGreaterThan(100)
})

function spread(pattern: string): readonly string[] {
  const [, before, names, after] = /^([^{]*)\{([^}]*)\}(.*)$/.exec(pattern) ?? []
  if (names === undefined) return [pattern]
  return names.split(',').flatMap((name) => spread(`${before}${name}${after}`))
}
