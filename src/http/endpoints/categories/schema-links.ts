import type { Link } from '../endpoint.ts'

/** Where a schema is looked after; `path` is that of its owner, with the ids in it. */
export function schemaLinks(path: string): readonly Link[] {
  const below = ['plan', 'versions', 'export', 'import'].map((name) => ({ path: `${path}/categorySchema/${name}` }))
  return [...below, { path: '/categorySchemaTemplates' }]
}
