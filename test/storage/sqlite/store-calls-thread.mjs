// A write thread whose commands are calls of stores. Plain JavaScript: what comes after is then found compiled.
import module from 'node:module'
import { compiledModules } from '../../../bin/compiled-modules.mjs'

module.enableCompileCache(compiledModules)
const { serveWrites } = await import('../../../src/storage/sqlite/write-thread.ts')
const { runCalls } = await import('../store-calls.ts')
serveWrites(() => runCalls)
