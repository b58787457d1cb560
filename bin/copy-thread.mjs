// Plain JavaScript: what comes after is then found compiled, which takes half of the time and of the memory.
import module from 'node:module'
import { compiledModules } from './compiled-modules.mjs'

module.enableCompileCache(compiledModules)
await import('../src/storage/maintenance/copy-thread.ts')
