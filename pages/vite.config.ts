import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { checkedTexts } from './build/checked-texts.ts'
import { iconSprite } from './build/icon-sprite.ts'
import { textFiles } from './build/text-files.ts'

const root = fileURLToPath(new URL('./', import.meta.url))

/** What the screens at the root need, for those who are signed in and those who are not: one file with all common elements. */
const firstScreen = /[/]src[/](home|drafts|owners|elements)[/]/

/** The application and, as a bundle of its own, the picker. Addresses are relative to the `<base>` that the server writes into the page. */
export default defineConfig({
  root,
  base: './',
  publicDir: false,
  // The same reader of tables as the server's, in its form for browsers.
  resolve: { alias: { 'csv-parse/sync': 'csv-parse/browser/esm/sync' } },
  plugins: [checkedTexts(), textFiles(), iconSprite()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2024',
    // Every file is an address of its own: the policy of the page allows no data in place of one.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    // Each file is a request before the first screen is seen: what it needs, and what many screens need, is one.
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
