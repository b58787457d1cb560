import { fileURLToPath } from 'node:url'

/** Where compiled modules are kept between starts. */
export const compiledModules = fileURLToPath(new URL('../node_modules/.cache/compiled', import.meta.url))
