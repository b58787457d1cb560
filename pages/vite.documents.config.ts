import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { documentFiles } from './build/document-files.ts'

const root = fileURLToPath(new URL('./', import.meta.url))

/** Builds the pages of the documentation, with their style and script among the assets of the application. */
export default defineConfig({
  root,
  base: './',
  publicDir: false,
  plugins: [documentFiles(fileURLToPath(new URL('../', import.meta.url)))],
  build: {
    emptyOutDir: false,
    target: 'es2024',
    assetsInlineLimit: 0,
    reportCompressedSize: false,
    rolldownOptions: { input: 'src/documents/documents.ts', output: { entryFileNames: 'assets/[name]-[hash].js' } },
  },
})
