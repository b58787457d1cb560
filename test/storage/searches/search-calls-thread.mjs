// A search thread whose searches are calls of stores. Plain JavaScript: what comes after is then found compiled.
import module from 'node:module'
import { compiledModules } from '../../../bin/compiled-modules.mjs'

module.enableCompileCache(compiledModules)
const { serveSearches } = await import('../../../src/storage/sqlite/search-thread.ts')
const { runSearchCalls } = await import('./search-calls.ts')
serveSearches(() => runSearchCalls)
