import { execFileSync } from 'node:child_process'
import { mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { execPath } from 'node:process'
import { fileURLToPath } from 'node:url'
import { inject } from 'vitest'

const root = fileURLToPath(new URL('../../../', import.meta.url))

/** Output of `npm run release`, in a folder of its own that is removed after the tests. */
export interface Release {
  readonly folder: string
  /** `cartulary-<version>`. */
  readonly name: string
  readonly artefact: string
}

/** Builds a release from a checkout. */
export function buildRelease(checkout = root): Release {
  const folder = mkdtempSync(join(inject('memoryDisk'), 'release-'))
  const words = ['--disable-warning=ExperimentalWarning', join(checkout, 'scripts/release.ts'), '--out', folder]
  const printed = execFileSync(execPath, words, { encoding: 'utf8', cwd: tmpdir() })
  const [, name] = / {2}(\S+)\.tgz$/m.exec(printed)!
  return { folder, name: name!, artefact: join(folder, `${name}.tgz`) }
}

let built: Release | undefined

/** The release of this checkout: built once for all tests of a worker. */
export function theRelease(): Release {
  built ??= buildRelease()
  return built
}

/** Unpacks an artefact into a folder as documented; returns the folder of the program. */
export function unpack({ artefact, name }: Release, folder: string): string {
  execFileSync('tar', ['xzf', artefact, '-C', folder])
  return join(folder, name)
}
