import type { Kysely } from 'kysely'
import type { Stores } from './storage.ts'
import { auditStore } from './stores/audit/audit-store.ts'
import { categoryStore } from './stores/categories/category-store.ts'
import type { DocumentCache } from './stores/categories/document-cache.ts'
import { draftStore } from './stores/categories/draft-store.ts'
import { schemaHistoryStore } from './stores/categories/schema-history.ts'
import { templateStore } from './stores/categories/template-store.ts'
import { checksumStore } from './stores/checksum-store.ts'
import { collaborationStore } from './stores/collaboration-store.ts'
import { directoryStore } from './stores/directory-store.ts'
import { diskStore } from './stores/disk-store.ts'
import { erasureStore } from './stores/erasure-store.ts'
import { identityStore } from './stores/identity-store.ts'
import type { ItemColumnCache } from './stores/items/columns/item-column-cache.ts'
import { itemHistoryStore } from './stores/items/item-history-store.ts'
import type { ItemIndex } from './stores/items/item-search.ts'
import { itemStore } from './stores/items/item-store.ts'
import { jobStore } from './stores/job-store.ts'
import { oauthStore } from './stores/oauth/oauth-store.ts'
import type { DeadlineCondition } from './stores/select.ts'
import { tokenStore } from './stores/token-store.ts'
import { webhookStore } from './stores/webhook-store.ts'
import type { Rows } from './tables/rows.ts'

interface StoreOptions {
  /** Cache for reads only: a document that was read in a writing transaction may be rolled back, and must not be cached. */
  readonly documents?: DocumentCache
  /** Deadline condition, for searches only. */
  readonly deadlineCondition?: DeadlineCondition
  /** Columns in memory, for searches only. */
  readonly columns?: ItemColumnCache
  /** Index of items on another connection. */
  readonly index?: ItemIndex
}

/** Every room's store on one connection. */
export function openStores(
  db: Kysely<Rows>,
  { documents, deadlineCondition, columns, index }: StoreOptions = {},
): Stores {
  return {
    directory: directoryStore(db, deadlineCondition),
    categories: categoryStore(db, documents),
    schemaHistory: schemaHistoryStore(db),
    drafts: draftStore(db),
    templates: templateStore(db),
    itemHistory: itemHistoryStore(db),
    items: itemStore(db, deadlineCondition, index ?? { db, deadlineCondition, columns }),
    collaborations: collaborationStore(db),
    tokens: tokenStore(db),
    oauth: oauthStore(db, deadlineCondition),
    identities: identityStore(db),
    jobs: jobStore(db),
    audit: auditStore(db, deadlineCondition),
    checksums: checksumStore(db),
    erasure: erasureStore(db),
    webhooks: webhookStore(db),
    disk: diskStore(db),
  }
}
