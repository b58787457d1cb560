// Plain JavaScript: what comes after is then found compiled, which takes half of the time and of the memory.
import { prepareModules } from './compiled-modules.mjs'

const bundled = prepareModules('write-thread')
await (bundled ? import(bundled) : import('../src/write-thread.ts'))
