import type { Fault } from './fault.ts'

/** Counts, pages, searches and the order of texts. */
export const items: readonly Fault[] = [
  {
    name: 'A category whose items are all below it is overfull',
    file: 'src/items/categories/coverage.ts',
    find: 'items > overfull.part * total',
    replace: 'itemsBelow > overfull.part * total',
    tests: ['test/rooms/coverage.test.ts'],
  },
  {
    name: 'Counts of a day are replaced by those of later rounds',
    file: 'src/storage/stores/items/coverage-days.ts',
    find: '.onConflict((conflict) => conflict.doNothing())',
    replace: `.onConflict((conflict) =>
          conflict.columns(['owner_kind', 'owner_id', 'day', 'path']).doUpdateSet({ items: 9 }),
        )`,
    tests: ['test/storage/sqlite/sqlite-file.test.ts'],
  },
  {
    name: 'A tag that an item has twice counts twice towards the limit',
    file: 'src/storage/stores/items/item-tags.ts',
    find: 'select distinct value as tag from json_each(',
    replace: 'select value as tag from json_each(',
    tests: ['test/storage/stores/item-tags.test.ts'],
  },
  {
    name: 'The number of invitations of one state is that of all invitations',
    file: 'src/storage/stores/invitation-store.ts',
    find: 'total: await count(own)',
    replace: 'total: await count(all)',
    tests: ['test/http/endpoints/collaborations/invitations-list.test.ts'],
  },
  {
    name: 'The last entry of a list that fills its pages is not shown',
    file: 'src/http/shapes/page.ts',
    find: 'count > 0 && next <= total ? next : -1',
    replace: 'count > 0 && next < total ? next : -1',
    tests: ['test/http/wire/paging.test.ts'],
  },
  {
    name: 'The next page of the log begins with the last entry of the page before',
    file: 'src/storage/stores/audit/log-search.ts',
    find: `order === 'desc' && after !== undefined ? after - 1 :`,
    replace: `order === 'desc' && after !== undefined ? after :`,
    tests: ['test/http/endpoints/audit/portal-history.test.ts'],
  },
  {
    name: 'A Greek word is not found by its beginning',
    file: 'src/search/folding.ts',
    find: `.toLowerCase().replaceAll('ς', 'σ')`,
    replace: '.toLowerCase()',
    tests: ['test/rooms/search/folding.test.ts'],
  },
  {
    name: 'A username with a Kelvin sign is taken for one with a k',
    file: 'src/directory/user.ts',
    find: 'return username.replace(/[A-Z]/g, (letter) => letter.toLowerCase())',
    replace: 'return username.toLowerCase()',
    tests: ['test/rooms/directory-names.test.ts'],
  },
  {
    name: 'Of categories, those with emoji are listed before those with rare letters, on one engine alone',
    file: 'src/storage/stores/items/index/compare-texts.ts',
    find: 'if (a !== b) return rankOf(a) - rankOf(b)',
    replace: 'if (a !== b) return a - b',
    tests: ['test/storage/search-index/compare-texts.test.ts'],
  },
  {
    name: 'A range of numbers below a decimal leaves out a whole number',
    file: 'src/search/comparison.ts',
    find: 'Math.ceil(max) - 1 : Math.floor(max)',
    replace: 'Math.floor(max) - 1 : Math.floor(max)',
    tests: ['test/rooms/search/group-and-user-queries.test.ts'],
  },
]
