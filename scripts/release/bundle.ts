/** The server as few files of JavaScript: a start that reads some hundred modules takes twice as long. */
import { readdirSync, readFileSync } from 'node:fs'
import { join, posix, relative } from 'node:path'
import { build, type Rolldown } from 'vite'
import type { ArchivedFile } from './tar.ts'

/** Packages that stay as they are: they have compiled modules, or WebAssembly, which they find beside their files. */
export const unbundled: readonly string[] = ['argon2', 'better-sqlite3', 'oxigraph']

export interface BundledServer {
  readonly files: readonly ArchivedFile[]
  /** Paths of the packages that are in it. */
  readonly packages: readonly string[]
  /** Paths of the files of `src` that are in it. */
  readonly sources: readonly string[]
}

/** How a bundle is written. */
export interface BundleForm {
  readonly ending: 'js' | 'mjs'
  /** Where files are that modules find beside their own, as the bundle refers to it. */
  readonly places: string
}

const ofRelease: BundleForm = { ending: 'js', places: '.' }

/**
 * The programs that `bin` starts, with all that they import, below `src`; names stay, and comments say of which source a
 * part is, so that a stack trace can be read. Licences of the packages are in `src/licenses.md`.
 */
export async function bundleServer(root: string, { ending, places }: BundleForm = ofRelease): Promise<BundledServer> {
  const outputs = (await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    // A link to packages elsewhere would put its place into the comments.
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
        // The comments name sources from here.
        cwd: root,
        output: { entryFileNames: `[name].${ending}`, chunkFileNames: `[name].${ending}`, keepNames: true },
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

/** The files of the programs, by the names that their bundles get. Throws where two programs would have one. */
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

/** What the plain JavaScript of `bin` imports. */
function listPrograms(root: string): readonly string[] {
  const texts = readdirSync(join(root, 'bin')).map((name) => readFileSync(join(root, 'bin', name), 'utf8'))
  return texts.flatMap((text) => [...text.matchAll(/import\('\.\.\/(src\/[^']+\.ts)'\)/g)].map(([, path]) => path!))
}

/** Modules find other files, such as threads, beside the place that they had. */
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
