import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { checkedTexts } from './build/checked-texts.ts'
import { iconSprite } from './build/icon-sprite.ts'
import { textFiles } from './build/text-files.ts'

const root = fileURLToPath(new URL('./', import.meta.url))

/** Modules of the screens at the root, with and without a sign-in: one file with all common elements, but for those that no first screen needs. */
const firstScreen = /[/]src[/](?!elements[/]undo-message)(home|drafts|owners|elements)[/]/

/**
 * Builds the application and, as a separate bundle, the picker. URLs are relative to the `<base>` that the server writes into the
 * page.
 */
export default defineConfig({
  root,
  base: './',
  publicDir: false,
  // The CSV parser of the server, in its form for browsers.
  resolve: { alias: { 'csv-parse/sync': 'csv-parse/browser/esm/sync' } },
  plugins: [checkedTexts(), textFiles(), iconSprite()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2024',
    // Every file has its own URL: the policy of the page does not allow data URLs.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Each file is a request before the first screen is shown: its modules, and those of many screens, are one file.
    rolldownOptions: {
      output: {
        codeSplitting: {
          groups: [
            { name: 'shared', test: firstScreen },
            { name: 'shared', minShareCount: 6 },
          ],
        },
      },
    },
  },
})
