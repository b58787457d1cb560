import { DummyDriver, Kysely, SqliteAdapter, SqliteIntrospector, SqliteQueryCompiler, sql } from 'kysely'
import { expect, test } from 'vitest'
import { tablesRead, tablesWritten } from '../../src/storage/sqlite/tables-of-query.ts'
import type { Rows } from '../../src/storage/tables/rows.ts'

const db = new Kysely<Rows>({
  dialect: {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (introspected) => new SqliteIntrospector(introspected),
    createQueryCompiler: () => new SqliteQueryCompiler(),
  },
})

test('the tables of joins and subqueries are read too', () => {
  const query = db
    .selectFrom('groups')
    .innerJoin('users as owner', 'owner.user_id', 'groups.owner_id')
    .leftJoin(
      (from) => from.selectFrom('members').selectAll().as('belonging'),
      (on) => on.onRef('belonging.group_id', '=', 'groups.group_id'),
    )
    .select((part) => part.selectFrom('portals').select('name').limit(1).as('portal'))
    .where((part) => part.exists(part.selectFrom('category_schemas').select('version')))
    .where('groups.owner_id', 'in', (part) => part.selectFrom('tokens').select('user_id'))
  const tables = ['groups', 'users', 'members', 'portals', 'category_schemas', 'tokens']
  expect(tablesRead(query.toOperationNode())).toEqual(expect.arrayContaining(tables))
})

test('of plain SQL, nobody says what it reads', () => {
  const query = db.selectFrom('groups').select(sql`(select 1 from members)`.as('one'))
  expect(tablesRead(query.toOperationNode())).toBeUndefined()
  expect(tablesRead(sql`select 1`.compile(db).query)).toBeUndefined()
})

test('an INSERT writes its table, a SELECT nothing, and anything else may write anything', () => {
  const role = { role_id: '', portal_id: '', name: '', description: '', privileges: '', created_at: 0, modified_at: 0 }
  const upsert = db.insertInto('roles').values(role)
  const written = [
    db.selectFrom('groups').selectAll(),
    upsert,
    upsert.onConflict((conflict) => conflict.doUpdateSet({ name: '' })).returning('name'),
    upsert.orReplace(),
    db.replaceInto('roles').values(role),
    db.updateTable('roles').set({ name: '' }),
    db.deleteFrom('roles'),
  ].map((query) => tablesWritten(query.toOperationNode()))
  expect(written).toEqual(['none', { table: 'roles' }, { table: 'roles' }, 'any', 'any', 'any', 'any'])
  expect(tablesWritten(sql`rollback`.compile(db).query)).toBe('any')
})
