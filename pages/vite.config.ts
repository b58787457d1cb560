import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'
import { checkedTexts } from './build/checked-texts.ts'
import { iconSprite } from './build/icon-sprite.ts'

const root = fileURLToPath(new URL('./', import.meta.url))

/** The application and, as a bundle of its own, the picker. Addresses are relative to the `<base>` that the server writes into the page. */
export default defineConfig({
  root,
  base: './',
  publicDir: false,
  // The same reader of tables as the server's, in its form for browsers.
  resolve: { alias: { 'csv-parse/sync': 'csv-parse/browser/esm/sync' } },
  plugins: [checkedTexts(), iconSprite()],
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    target: 'es2024',
    // Every file is an address of its own: the policy of the page allows no data in place of one.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
})
