import type { Kysely } from 'kysely'
import { auditStore } from './audit-store.ts'
import { categoryStore } from './category-store.ts'
import { collaborationStore } from './collaboration-store.ts'
import { directoryStore } from './directory-store.ts'
import type { DocumentCache } from './document-cache.ts'
import type { Rows } from './rows.ts'
import type { Stores } from './storage.ts'
import { tokenStore } from './token-store.ts'

/**
 * Every room's store over one connection, or over one transaction of it. Only stores for work that changes nothing may
 * have a cache of documents.
 */
export function openStores(db: Kysely<Rows>, documents?: DocumentCache): Stores {
  return {
    directory: directoryStore(db),
    categories: categoryStore(db, documents),
    collaborations: collaborationStore(db),
    tokens: tokenStore(db),
    audit: auditStore(db),
  }
}
