import { defineConfig } from 'vitest/config'

/** `npm run screens`: pictures of the pages of sign-in and of the application, in docs/screens. */
export default defineConfig({
  test: {
    globalSetup: ['./test/support/databases/memory-disk.ts'],
    testTimeout: 600_000,
    include: ['test/browser/screens.ts', 'test/browser/application/screens.ts'],
  },
})
