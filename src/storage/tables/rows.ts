import type { AuditRow } from './rows/audit.ts'
import type { CategoryTables } from './rows/categories.ts'
import type { CollaborationTables } from './rows/collaborations.ts'
import type { DirectoryTables } from './rows/directory.ts'
import type { ItemTables } from './rows/items.ts'
import type { JobTables } from './rows/jobs.ts'
import type { OAuthTables } from './rows/oauth.ts'
import type { TokenTables } from './rows/tokens.ts'
import type { WebhookTables } from './rows/webhooks.ts'

/** Tables as both engines have them: texts, numbers, and 0 or 1 for booleans. Times are epoch milliseconds. */
export interface Rows
  extends CategoryTables,
    CollaborationTables,
    DirectoryTables,
    ItemTables,
    JobTables,
    OAuthTables,
    TokenTables,
    WebhookTables {
  audit: AuditRow
}
