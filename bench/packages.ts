/** What is installed to run a server, and how much room it takes. */
import { existsSync, lstatSync, readdirSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../', import.meta.url))

/** Folders of the packages that a server needs on this system. */
export function listRuntimePackages(): string[] {
  return listPackages(JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')), root)
}

/** The same of a project that was installed elsewhere. */
export function listInstalledPackages(folder: string): string[] {
  return listPackages(JSON.parse(readFileSync(join(folder, 'node_modules/.package-lock.json'), 'utf8')), folder)
}

interface Lock {
  readonly packages: Readonly<Record<string, { readonly dev?: boolean; readonly optional?: boolean }>>
}

function listPackages({ packages }: Lock, folder: string): string[] {
  return (
    Object.entries(packages)
      .map(([path, { dev, optional }]) => ({ path, folder: join(folder, path), dev, optional }))
      // What is optional is for other systems where it is not there.
      .filter(({ path, dev, optional, folder }) => path !== '' && !dev && (!optional || existsSync(folder)))
      .map(({ folder }) => folder)
  )
}

/** Megabytes of packages, without those that are inside them. */
export function megabytesOf(packages: readonly string[]): number {
  return Math.round(packages.reduce((sum, folder) => sum + bytesBelow(folder), 0) / 1e6)
}

function bytesBelow(path: string): number {
  const found = lstatSync(path)
  if (!found.isDirectory()) return found.size
  const inside = readdirSync(path).filter((name) => basename(name) !== 'node_modules')
  return inside.reduce((sum, name) => sum + bytesBelow(join(path, name)), found.size)
}
