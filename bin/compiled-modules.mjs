import { existsSync, readFileSync, statSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'

/** Where compiled modules are kept between starts. */
export const compiledModules = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))

/** Where `npm start` keeps the sources and their packages as few files; each bundle is a folder, and `built.json` names them, the newest first. */
export const bundles = new URL('../node_modules/.cache/server/', import.meta.url)

const root = new URL('../', import.meta.url)
/** Key of the environment data of threads that has the bundle from which all of them run. */
export const decided = 'bundle of the server'

/** Has modules of this thread loaded as they were compiled before; answers the bundle of a program, where the sources are as they were. */
export function prepareModules(program) {
  module.enableCompileCache(compiledModules)
  // Threads run what the server runs.
  const bundle = getEnvironmentData(decided) ?? findBundle()
  setEnvironmentData(decided, bundle)
  return bundle && new URL(`${bundle}/${program}.mjs`, bundles).href
}

/** Name of the bundle of the present sources; empty where there is none. */
export function findBundle() {
  try {
    const { checkout, names, stamps } = JSON.parse(readFileSync(new URL('built.json', bundles), 'utf8'))
    const isPresent = ([path, ...stamp]) => {
      const { mtimeMs, ctimeMs, size } = statSync(new URL(path, root))
      return mtimeMs === stamp[0] && ctimeMs === stamp[1] && size === stamp[2]
    }
    return checkout === root.href && stamps.every(isPresent) && isBundle(names[0]) ? names[0] : ''
  } catch {
    return ''
  }
}

/** Whether the bundle of this name is there. */
export function isBundle(name) {
  return existsSync(new URL(`${name}/main.mjs`, bundles))
}
