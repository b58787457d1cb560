import type { Fault } from './fault.ts'

/** Moves of categories, versions and their way back, plans, and what writes expect of the present schema. */
export const categories: readonly Fault[] = [
  {
    name: 'A conflict offers a merge without the moves of the caller',
    file: 'src/http/endpoints/categories/merge.ts',
    find: 'moves: options.moves ?? []',
    replace: 'moves: []',
    tests: ['test/http/endpoints/categories/schema-merge.test.ts'],
  },
  {
    name: 'Of two moves of one category the last one counts',
    file: 'src/categories/moves.ts',
    find: 'for (const { from, to } of moves) if (!targets.has(from)) targets.set(from, to)',
    replace: 'for (const { from, to } of moves) targets.set(from, to)',
    tests: ['test/rooms/schema-diff/moves.test.ts'],
  },
  {
    name: 'Moves of several versions are taken back in the order in which they were made',
    file: 'src/categories/change/restore.ts',
    find: 'const steps = since.map(({ moves }) => moves).toReversed()',
    replace: 'const steps = since.map(({ moves }) => moves)',
    tests: [
      'test/http/endpoints/categories/schema-history.test.ts',
      'test/http/endpoints/categories/schema-plan.test.ts',
    ],
  },
  {
    name: 'A restore takes back a move before the clearing that came after it',
    file: 'src/categories/change/restore.ts',
    find: 'pathMoves.toReversed()',
    replace: 'pathMoves',
    tests: ['test/http/endpoints/categories/schema-plan.test.ts'],
  },
  {
    name: 'Items keep categories that should be cleared, where these moved at the same time',
    file: 'src/categories/operations.ts',
    find: 'items.clearPaths(owner, cleared.map(followMoves(moves)))',
    replace: 'items.clearPaths(owner, cleared)',
    tests: ['test/storage/stores/moved-together.test.ts', 'test/http/endpoints/categories/schema-plan.test.ts'],
  },
  {
    name: 'An undo shows categories that were cleared before the change',
    file: 'src/categories/lineage.ts',
    find: 'places.set(id, from)',
    replace: `places.set(id, { path: from.path, state: 'primary' })`,
    tests: ['test/storage/stores/lineage-oracle.test.ts'],
  },
  {
    name: 'An undo moves a category twice that was the last one before the change',
    file: 'src/categories/lineage.ts',
    find: 'if (id <= lastId) continue',
    replace: 'if (id < lastId) continue',
    tests: ['test/storage/stores/lineage-oracle.test.ts'],
  },
  {
    name: 'A restore is accepted although versions between were removed, and items stay behind',
    file: 'src/categories/change/restore.ts',
    find: 'if (since.length < latest - version) {',
    replace: 'if (since.length < latest - version - 1) {',
    tests: ['test/http/endpoints/categories/schema-history.test.ts', 'test/http/limits/schema-growth.test.ts'],
  },
  {
    name: 'Who expects that there is no category schema yet replaces that of another user',
    file: 'src/categories/history/conditions.ts',
    find: 'if (ifVersion !== undefined && ifVersion !== version) {',
    replace: 'if (ifVersion && ifVersion !== version) {',
    tests: [
      'test/http/endpoints/categories/schema-plan.test.ts',
      'test/http/endpoints/categories/schema-history.test.ts',
    ],
  },
  {
    name: 'A restore does not look at If-Match',
    file: 'src/categories/change/restore.ts',
    find: '{ ifMatch: input.ifMatch, ifVersion: options.ifVersion }',
    replace: '{ ifVersion: options.ifVersion }',
    tests: ['test/http/wire/conditions.test.ts', 'test/http/endpoints/categories/schema-history.test.ts'],
  },
  {
    name: 'An empty description gives a category schema another hash',
    file: 'src/categories/canonical.ts',
    find: 'if (description) members.push',
    replace: 'if (description !== undefined) members.push',
    tests: ['test/rooms/schema-diff/canonical.test.ts'],
  },
  {
    name: 'A plan counts items that follow a move as items that lose their category',
    file: 'src/categories/change/impact.ts',
    find: 'isIn(known, from) && !isIn(kept, to))',
    replace: 'isIn(known, from) && !isIn(kept, from))',
    tests: ['test/http/endpoints/categories/schema-plan.test.ts'],
  },
  {
    name: 'A category is found in another case although two differ by case alone',
    file: 'src/items/categories/category-paths.ts',
    find: 'this.#byKey.set(key, this.#byKey.has(key) ? undefined : path)',
    replace: 'this.#byKey.set(key, this.#byKey.get(key) ?? path)',
    tests: ['test/rooms/category-paths.test.ts'],
  },
]
