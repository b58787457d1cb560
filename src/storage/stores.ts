import type { Kysely } from 'kysely'
import type { Stores } from './storage.ts'
import { auditStore } from './stores/audit-store.ts'
import { categoryStore } from './stores/category-store.ts'
import { collaborationStore } from './stores/collaboration-store.ts'
import { directoryStore } from './stores/directory-store.ts'
import type { DocumentCache } from './stores/document-cache.ts'
import { tokenStore } from './stores/token-store.ts'
import type { Rows } from './tables/rows.ts'

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
