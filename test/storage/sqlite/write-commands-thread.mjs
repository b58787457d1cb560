// The write thread of the tests. Plain JavaScript: what comes after is then found compiled.
import module from 'node:module'
import { compiledModules } from '../../../bin/compiled-modules.mjs'

module.enableCompileCache(compiledModules)
const { serveWrites } = await import('../../../src/storage/sqlite/write-thread.ts')
const { runCommand } = await import('./write-commands.ts')
serveWrites(() => runCommand)
