/** Packages that a server needs on this system. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly optional?: boolean }>>
}

export function countRuntimePackages(checkout: string): number {
  const { packages }: Lock = JSON.parse(readFileSync(join(checkout, 'package-lock.json'), 'utf8'))
  // An optional package that is not installed is for other systems.
  return Object.entries(packages).filter(
    ([path, { dev, optional }]) => path !== '' && !dev && (!optional || existsSync(join(checkout, path))),
  ).length
}
