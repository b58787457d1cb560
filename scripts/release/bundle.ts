/** Bundle of the server in few files of JavaScript: a start that reads some hundred modules takes twice as long. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import { build, type Rolldown } from 'vite'
import type { ArchivedFile } from './tar.ts'

/** Packages that are not bundled: they find compiled modules or WebAssembly beside their files. */
export const unbundled: readonly string[] = ['argon2', 'better-sqlite3', 'oxigraph']

export interface BundledServer {
  readonly files: readonly ArchivedFile[]
  /** Paths of the packages in the bundle. */
  readonly packages: readonly string[]
  /** Paths of the files of `src` in the bundle. */
  readonly sources: readonly string[]
}

/** Output format of a bundle. */
export interface BundleForm {
  readonly ending: 'js' | 'mjs'
  /** Path from the bundle to the folder where modules find files beside their own. */
  readonly places: string
}

const ofRelease: BundleForm = { ending: 'js', places: '.' }

/**
 * Bundles the programs that `bin` starts, with all that they import, below `src`. Names stay, and comments name the source of
 * each part, so that a stack trace can be read. Licences of the packages are in `src/licenses.md`.
 */
export async function bundleServer(root: string, { ending, places }: BundleForm = ofRelease): Promise<BundledServer> {
  const outputs = (await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    // Resolving a link to packages elsewhere would put its target into the comments.
    resolve: { preserveSymlinks: true, mainFields: ['main'] },
    ssr: { noExternal: true, external: [...unbundled], resolve: { conditions: ['node', 'module-sync'] } },
    plugins: [ownPlaces(root, places)],
    build: {
      ssr: true,
      write: false,
      target: 'esnext',
      minify: false,
      license: { fileName: 'licenses.md' },
      rolldownOptions: {
        input: readInputs(root),
        platform: 'node',
        // Parts of the client are in one file, however they are imported.
        onwarn: (warning, warn) => warning.code === 'INEFFECTIVE_DYNAMIC_IMPORT' || warn(warning),
        // Root of the source paths in the comments.
        cwd: root,
        output: {
          entryFileNames: `[name].${ending}`,
          chunkFileNames: `[name].${ending}`,
          keepNames: true,
          // Commands for any portal load their parts one by one; a server loads only their table.
          codeSplitting: { groups: [{ name: 'client', test: /\/src\/client\/(?!command-line\/|process-shell)/ }] },
        },
      },
    },
  })) as Rolldown.RolldownOutput
  const modules = outputs.output.flatMap((output) => (output.type === 'chunk' ? output.moduleIds : []))
  const paths = modules.map((id) => pathOf(root, id))
  const packages = paths.flatMap(
    (path) => /^node_modules\/(?:.*\/node_modules\/)?(?:@[^/]+\/)?[^/]+/.exec(path)?.[0] ?? [],
  )
  return {
    files: outputs.output.map((output) => ({
      path: `src/${output.fileName}`,
      bytes: Buffer.from(output.type === 'chunk' ? output.code : output.source),
      isProgram: false,
    })),
    packages: [...new Set(packages)].sort(),
    sources: paths.filter((path) => path.startsWith('src/')).sort(),
  }
}

/** Files of the programs, by the names of their bundles. Throws if two programs would have the same name. */
export function readInputs(root: string): Readonly<Record<string, string>> {
  const inputs: Record<string, string> = {}
  for (const path of new Set(listPrograms(root))) {
    const name = posix.basename(path, '.ts')
    if (inputs[name] !== undefined)
      throw new Error(`Two programs would be bundled as src/${name}.js, one of them ${path}.`)
    inputs[name] = join(root, path)
  }
  return inputs
}

/** Lists the sources that the plain JavaScript of `bin` imports. */
function listPrograms(root: string): readonly string[] {
  const texts = readdirSync(join(root, 'bin')).map((name) => readFileSync(join(root, 'bin', name), 'utf8'))
  return texts.flatMap((text) => [...text.matchAll(/import\('\.\.\/(src\/[^']+\.ts)'\)/g)].map(([, path]) => path!))
}

/** Resolves `import.meta.url` to the original place, as modules find other files, such as threads, beside it. */
function ownPlaces(root: string, places: string) {
  return {
    name: 'own-places',
    transform(code: string, id: string) {
      const path = pathOf(root, id)
      if (!path.startsWith('src/')) return undefined
      return code.replaceAll('import.meta.url', `new URL('${places}/${path.slice('src/'.length)}', import.meta.url)`)
    },
  }
}

function pathOf(root: string, id: string): string {
  return relative(root, id).replaceAll('\\', '/')
}
