/** The commands for any portal as one file of JavaScript, which any Node from 22 runs. */
import { readFileSync } from 'node:fs'
import { isBuiltin } from 'node:module'
import { join, relative } from 'node:path'
import { build, type Rolldown } from 'vite'

export const clientFile = 'cartulary-client.mjs'

type Replacements = Readonly<Record<string, string>>

/** Modules that the file has in another form: the parser of RDF is WebAssembly, and package.json is not beside it. */
function replacements(root: string): Replacements {
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { readonly version: string }
  const sentence = `RDF is written by ${clientFile}, and not read: give JSON, CSV or a workbook, or use the whole program.`
  return {
    'src/version.ts': `export const version = ${JSON.stringify(version)}`,
    'src/file-reading/rdf.ts': `export const parseRdf = async () => ({ problems: [${JSON.stringify(sentence)}] })`,
  }
}

const builtin = '\0builtin:'

/** Modules of Node are loaded by the first module that needs them: an import of the file would load all of them at its start. */
const lazyBuiltins = {
  name: 'lazy-builtins',
  enforce: 'pre',
  resolveId: (id: string) => (/^node:|^[a-z/_]+$/.test(id) && isBuiltin(id) ? `${builtin}${id}` : undefined),
  load: (id: string) => {
    if (!id.startsWith(builtin)) return undefined
    const name = id.slice(builtin.length)
    const names = Object.keys(process.getBuiltinModule(name)!).filter((one) => /^(?!default$)[a-z_$][\w$]*$/i.test(one))
    return `const module = process.getBuiltinModule('${name}')
export default module
${names.map((one) => `export const ${one} = module.${one}`).join('\n')}`
  },
} as const

interface Bundle {
  readonly code: string
  readonly licences: string
}

async function bundle(root: string, input: string, format: 'es' | 'cjs', replaced: Replacements): Promise<Bundle> {
  const { output } = (await build({
    configFile: false,
    root,
    logLevel: 'warn',
    publicDir: false,
    resolve: { preserveSymlinks: true, mainFields: ['main'] },
    ssr: { noExternal: true, resolve: { conditions: ['node', 'module-sync'] } },
    plugins: [
      lazyBuiltins,
      {
        name: 'replacements',
        enforce: 'pre',
        load: (id: string) => replaced[relative(root, id).replaceAll('\\', '/')],
      },
    ],
    build: {
      ssr: true,
      write: false,
      target: 'node22',
      minify: 'oxc',
      license: { fileName: 'licenses.md' },
      rolldownOptions: {
        input: join(root, input),
        treeshake: { propertyReadSideEffects: false },
        platform: 'node',
        output: { entryFileNames: clientFile, format, codeSplitting: false, keepNames: true },
      },
    },
  })) as Rolldown.RolldownOutput
  const { code } = output.find((one) => one.type === 'chunk')!
  return { code, licences: String(output.find((one) => one.type === 'asset')?.source ?? '') }
}

/** Functions that Node 22.0 lacks: the first came with 22.3, the second with 22.1. */
const older = `import { createRequire } from 'node:module'
process.getBuiltinModule ??= createRequire(import.meta.url)
URL.parse ??= (...given) => (URL.canParse(...given) ? new URL(...given) : null)`

/**
 * The text of the file, with the licences of its packages at the end. What runs a command is a text in it, which Node compiles
 * when there is a command: `--version` and help would wait for that.
 */
export async function bundleClient(root: string): Promise<string> {
  const replaced = replacements(root)
  const program = await bundle(root, 'src/client/run.ts', 'cjs', replaced)
  const run = `import { runInThisContext } from 'node:vm'
const program = ${JSON.stringify(`((exports) => {${program.code}\n})`)}
export function run(words) {
  const exported = {}
  runInThisContext(program, { filename: '${clientFile}' })(exported)
  return exported.run(words)
}`
  const entry = await bundle(root, 'src/client/main.ts', 'es', { ...replaced, 'src/client/run.ts': run })
  return `#!/usr/bin/env node\n${older}\n${entry.code}\n/*\n${program.licences.replaceAll('*/', '* /')}\n*/\n`
}
