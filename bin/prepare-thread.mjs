// Plain JavaScript: the modules that it imports are loaded from the compile cache, which halves time and memory.
import { prepareModules } from './compiled-modules.mjs'

const bundled = prepareModules('prepare-thread')
await (bundled ? import(bundled) : import('../src/storage/sqlite/prepare-thread.ts'))
