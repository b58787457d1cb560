import type { Fault } from './fault.ts'

/** Transactions, the log, migrations, backups, and whose turn it is. */
export const storage: readonly Fault[] = [
  {
    name: 'What a refused write has written before stays',
    file: 'src/storage/sqlite/group-commit.ts',
    find: '      undo.run()\n      keep.run()\n',
    replace: '      keep.run()\n',
    tests: ['test/storage/sqlite/group-commit.test.ts'],
  },
  {
    name: 'A search finds an item whose write was undone',
    file: 'src/storage/sqlite/group-commit.ts',
    find: '      changedItems.doubt()\n',
    replace: '',
    tests: ['test/storage/search-index/indexed-together.test.ts', 'test/storage/sqlite/group-commit.test.ts'],
  },
  {
    name: 'The log has no entry of what a caller was refused in a part of a call',
    file: 'src/operations/execute.ts',
    find: 'if (isRefusal(details.outcome) && command.countedRefusals',
    replace: 'if (isRefusal(details.outcome) || command.countedRefusals',
    tests: ['test/http/permissions/audit.test.ts', 'test/http/endpoints/directory/users-several.test.ts'],
  },
  {
    name: 'The log does not say whose group had its category schema changed',
    file: 'src/categories/operations.ts',
    find: 'audit: { data, ...(ownerId !== undefined && { ownerId }) }',
    replace: 'audit: { data }',
    tests: ['test/http/endpoints/categories/schema-history.test.ts'],
  },
  {
    name: 'Entries that were removed from the log stay in its index',
    file: 'src/storage/stores/audit/audit-store.ts',
    find: '      await removeFromIndex(db, ids)\n',
    replace: '',
    tests: ['test/storage/sqlite/sqlite-memory.test.ts'],
  },
  {
    name: 'After an upgrade, tags of items that are given away count for their former owner',
    file: 'src/storage/tables/migrations/032-owner-tags.ts',
    find: 'old.tags <> new.tags or old.owner_id <> new.owner_id',
    replace: 'old.tags <> new.tags',
    tests: ['test/storage/tables/owner-tags-migration.test.ts'],
  },
  {
    name: 'A database that lacks a migration between others is not opened',
    file: 'src/storage/tables/migrate.ts',
    find: 'allowUnorderedMigrations: true',
    replace: 'allowUnorderedMigrations: false',
    tests: ['test/storage/tables/migrations.test.ts'],
  },
  {
    name: 'A backup of a database with broken references is taken for a good one',
    file: 'src/storage/maintenance/sqlite-copy.ts',
    find: 'const damage = findDamage(copy)[0]',
    replace: 'const damage = checkIntegrity(copy)[0]',
    tests: ['test/cli/backup.test.ts'],
  },
  {
    name: 'Time that was used long ago counts as much as that of today',
    file: 'src/used-time.ts',
    find: 'used.milliseconds / 2 ** ((now - used.at) / halfLife)',
    replace: 'used.milliseconds',
    tests: ['test/used-time.test.ts'],
  },
  {
    name: 'Files of an organization with many users are read before those of others',
    file: 'src/file-reading/lane.ts',
    find: 'one[0] - other[0] || one[1] - other[1]',
    replace: 'one[1] - other[1] || one[0] - other[0]',
    tests: ['test/file-reading/lane.test.ts', 'test/file-reading/threaded-reader.test.ts'],
  },
  {
    name: 'Searches of an organization with many users run before those of others',
    file: 'src/storage/search-turns.ts',
    find: `caller.split(' ').reduce((sum, part) => sum + used.of(part), 0)`,
    replace: `used.of(caller.split(' ').at(-1)!)`,
    tests: ['test/storage/searches/search-thread.test.ts', 'test/storage/searches/searches.test.ts'],
  },
  {
    name: 'A user who has used most of the last seconds is served before others',
    file: 'src/http/requests/limiter.ts',
    find: 'useOf(key) < useOf(next)',
    replace: 'useOf(key) > useOf(next)',
    tests: ['test/http/requests/limiter.test.ts'],
  },
  {
    name: 'A network of many users has as little room as one user',
    file: 'src/http/requests/limiter.ts',
    find: 'const use = useOf(key) / (key.isNetwork ? ofNetwork : 1)',
    replace: 'const use = useOf(key)',
    tests: ['test/http/requests/limiter.test.ts'],
  },
  {
    name: 'A user with many waiting tasks keeps the place in front of others',
    file: 'src/queue.ts',
    find: `    this.#lines.delete(key)
    if (line.length > 0) this.#lines.set(key, line)`,
    replace: '    if (line.length === 0) this.#lines.delete(key)',
    tests: ['test/queue.test.ts'],
  },
]
