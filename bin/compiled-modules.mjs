import { existsSync, readFileSync, statSync } from 'node:fs'
import module from 'node:module'
import { fileURLToPath } from 'node:url'
import { getEnvironmentData, setEnvironmentData } from 'node:worker_threads'

/** Cache folder of compiled modules, kept between starts. */
export const compiledModules = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))

/**
 * Cache folder of the server bundles of `npm start`; each bundle is a folder, and `built.json` names them, the newest first.
 */
export const bundles = new URL('../node_modules/.cache/server/', import.meta.url)

const root = new URL('../', import.meta.url)
/** Key of the threads' environment data that has the name of the bundle from which all of them run. */
export const decided = 'bundle of the server'

/** Enables the compile cache of this thread; returns the URL of a program's bundle if it matches the sources. */
export function prepareModules(program) {
  module.enableCompileCache(compiledModules)
  // Threads run the same bundle as the server.
  const bundle = getEnvironmentData(decided) ?? findBundle()
  setEnvironmentData(decided, bundle)
  return bundle && new URL(`${bundle}/${program}.mjs`, bundles).href
}

/** Name of the bundle of the present sources; empty if there is none. */
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

/** Whether the bundle of this name exists. */
export function isBundle(name) {
  return existsSync(new URL(`${name}/main.mjs`, bundles))
}
