import { fileURLToPath } from 'node:url'

/** Pictures that the documents show. */
const ofDocuments = new Set([
  ...[
    'app-content-1280',
    'app-editor-1280',
    'app-import-1280',
    'app-invitation-1280',
    'app-review-1280',
    'sign-in-1280',
  ],
])

/** Whether every page is pictured, for those who change the pages: `SCREENS=all npm run screens`. */
export const areAll = process.env['SCREENS'] === 'all'
const folder = fileURLToPath(new URL(areAll ? '../../dist/screens/' : '../../docs/screens/', import.meta.url))

/** The file of a picture; undefined if it is not asked for. */
export function findPath(name: string): string | undefined {
  return areAll || ofDocuments.has(name) ? `${folder}${name}.png` : undefined
}
