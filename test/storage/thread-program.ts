import { writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join, resolve } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { threadId } from 'node:worker_threads'
import { build, type Plugin, type Rolldown } from 'vite'
import { inject } from 'vitest'
import type { ThreadProgram } from '../../src/storage/sqlite/thread-protocol.ts'

const programs = new Map<string, Promise<URL>>()

/**
 * A program for threads as one file, which is made once: from some hundred modules, each thread takes three times as long to
 * start.
 */
export async function threadProgram(source: URL): Promise<ThreadProgram> {
  const path = fileURLToPath(source)
  const made = programs.get(path) ?? bundle(path)
  programs.set(path, made)
  return { program: await made, settings: undefined }
}

async function bundle(path: string): Promise<URL> {
  const outputs = (await build({
    configFile: false,
    root: dirname(path),
    logLevel: 'warn',
    publicDir: false,
    ssr: { noExternal: true },
    plugins: [inPlace],
    build: {
      ssr: path,
      write: false,
      target: 'esnext',
      minify: false,
      rolldownOptions: { output: { codeSplitting: false } },
    },
  })) as Rolldown.RolldownOutput
  const file = join(inject('memoryDisk'), `${process.pid}-${threadId}-${basename(path)}`)
  writeFileSync(file, outputs.output[0].code)
  return pathToFileURL(file)
}

const require = createRequire(import.meta.url)

/** Leaves modules that find files beside their own unbundled. */
const inPlace: Plugin = {
  name: 'in-place',
  enforce: 'pre',
  resolveId(id, importer) {
    if (id === 'better-sqlite3') return { id: pathToFileURL(require.resolve(id)).href, external: true }
    if (!id.endsWith('/compiled-modules.mjs')) return undefined
    return { id: pathToFileURL(resolve(dirname(importer!), id)).href, external: true }
  },
}
