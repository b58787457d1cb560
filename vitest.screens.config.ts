import { defineConfig } from 'vitest/config'

/** `npm run screens`: the pictures of the documents, in docs/screens; with `SCREENS=all`, of every page, in dist/screens. */
export default defineConfig({
  test: {
    globalSetup: ['./test/support/databases/memory-disk.ts'],
    testTimeout: 600_000,
    include: ['test/browser/screens.ts', 'test/browser/application/screens.ts'],
  },
})
