import type { Kysely } from 'kysely'
import { makeAccounts } from './foundation/accounts.ts'
import { audit } from './foundation/audit.ts'
import { categories } from './foundation/categories.ts'
import { collaborations } from './foundation/collaborations.ts'
import { directory } from './foundation/directory.ts'
import { items } from './foundation/items.ts'
import { makeLogIndex } from './foundation/log-index.ts'
import { makeOwnerTags } from './foundation/owner-tags.ts'
import { makeSearchIndex } from './foundation/search-index.ts'
import { signIn } from './foundation/sign-in.ts'
import { execute } from './statements.ts'

/** All tables of the first version. */
export async function up(db: Kysely<unknown>): Promise<void> {
  for (const tables of [directory, audit, items, signIn, categories, collaborations]) await execute(db, tables)
  await makeAccounts(db)
  await makeOwnerTags(db)
  await makeLogIndex(db)
  await makeSearchIndex(db)
}
