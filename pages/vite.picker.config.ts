import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

const root = fileURLToPath(new URL('./', import.meta.url))

/** Builds the picker, with its dependencies, into one file of a stable name: pages of other sites refer to it. */
export default defineConfig({
  root,
  publicDir: false,
  build: {
    outDir: 'dist/picker',
    emptyOutDir: true,
    target: 'es2024',
    minify: true,
    lib: { entry: 'src/picker/category-picker.ts', formats: ['es'], fileName: () => 'cartulary-category-picker.js' },
    reportCompressedSize: false,
  },
})
