/** Packages that a server runs with, as package-lock.json names them. */
import { posix } from 'node:path'

/** An entry of the lock file. */
export interface LockedPackage {
  readonly version: string
  readonly integrity: string
  readonly license: string
  readonly dependencies?: Readonly<Record<string, string>>
}

/** A package of the artefact. */
export interface ReleasedPackage extends LockedPackage {
  readonly name: string
  /** Path below the root of the checkout: `node_modules/…`. */
  readonly path: string
  /** Paths of the packages that it imports. */
  readonly imports: readonly string[]
}

/** Packages that only compiling native modules requires: the artefact has them compiled, by the publishers of the packages. */
export const compilersOnly: readonly string[] = ['cross-env', 'node-addon-api']

type Lock = Readonly<Record<string, LockedPackage | undefined>>

/** Packages reachable from these, or from all dependencies of the program, sorted by path; and the paths of the direct ones. */
export function listPackages(
  lock: Lock,
  names: readonly string[] = Object.keys(lock['']!.dependencies!),
): { readonly direct: readonly string[]; readonly all: readonly ReleasedPackage[] } {
  const found = new Map<string, ReleasedPackage>()
  const visit = (path: string, imported: readonly string[]): readonly string[] =>
    imported
      .filter((name) => !compilersOnly.includes(name))
      .map((name) => {
        const there = findPackage(lock, path, name)
        if (!found.has(there)) {
          const entry = { ...lock[there]!, name, path: there }
          found.set(there, { ...entry, imports: [] })
          found.set(there, { ...entry, imports: visit(there, Object.keys(entry.dependencies ?? {})) })
        }
        return there
      })
  const direct = visit('', names)
  return { direct, all: [...found.values()].sort((one, other) => (one.path < other.path ? -1 : 1)) }
}

/** Packages at these paths, without imports of absent packages. */
export function selectPackages(
  { direct, all }: ReturnType<typeof listPackages>,
  paths: ReadonlySet<string>,
): ReturnType<typeof listPackages> {
  const present = all.filter(({ path }) => paths.has(path))
  return {
    direct: direct.filter((path) => paths.has(path)),
    all: present.map((released) => ({ ...released, imports: released.imports.filter((path) => paths.has(path)) })),
  }
}

/** Other packages in bundles, by their paths: those of the application in the browser, and optional ones of the server. */
export function listBundled(
  lock: Lock,
  paths: readonly string[],
  listed: readonly ReleasedPackage[],
): readonly ReleasedPackage[] {
  return paths
    .filter((path) => !listed.some((released) => released.path === path))
    .map((path) => ({ ...lock[path]!, name: path.replace(/^.*node_modules\//, ''), path, imports: [] }))
}

/** Path where Node finds a package that is imported from another one: beside it, or further up. */
function findPackage(lock: Lock, from: string, name: string): string {
  for (let folder = from; ; folder = folder.slice(0, Math.max(0, folder.lastIndexOf('node_modules') - 1))) {
    const path = posix.join(folder, 'node_modules', name)
    if (lock[path]) return path
    if (folder === '') throw new Error(`package-lock.json has no ${name} for ${from || 'the program'}.`)
  }
}
