import type { Migration } from 'kysely/migration'
import { up as foundation } from './001-foundation.ts'
import { up as knownKeys } from './002-known-keys.ts'
import { up as signInLimits } from './003-sign-in-limits.ts'
import { up as keptVersions } from './004-kept-versions.ts'
import { up as items } from './005-items.ts'
import { up as searchIndex } from './006-search-index.ts'
import { up as groupInvitations } from './007-group-invitations.ts'
import { up as profiles } from './008-profiles.ts'
import { up as itemCounts } from './009-item-counts.ts'
import { up as pathLineage } from './010-path-lineage.ts'
import { up as schemaHistory } from './011-schema-history.ts'
import { up as auditLog } from './012-audit-log.ts'
import { up as endedLinks } from './014-ended-links.ts'
import { up as itemWrites } from './015-item-writes.ts'
import { up as oauth } from './020-oauth.ts'
import { up as apps } from './021-apps.ts'
import { up as accounts } from './022-accounts.ts'
import { up as providerAccounts } from './023-provider-accounts.ts'
import { up as formerOwners } from './024-former-owners.ts'
import { up as itemChanges } from './026-item-changes.ts'
import { up as secretsOfGrants } from './027-secrets-of-grants.ts'
import { up as knownAddresses } from './028-known-addresses.ts'
import { up as logWords } from './029-log-words.ts'
import { up as schemaUsage } from './030-schema-usage.ts'
import { up as itemBytes } from './031-item-bytes.ts'
import { up as ownerTags } from './032-owner-tags.ts'
import { up as giversOfRights } from './033-givers-of-rights.ts'
import { up as checksums } from './034-checksums.ts'
import { up as jobs } from './035-jobs.ts'
import { up as endsOfSecrets } from './036-ends-of-secrets.ts'
import { up as ownTemplates } from './038-own-templates.ts'
import { up as itemHistory } from './039-item-history.ts'
import { up as coverage } from './040-coverage.ts'
import { up as schemaDrafts } from './041-schema-drafts.ts'
import { up as jobTurns } from './042-job-turns.ts'
import { up as peopleOfDrafts } from './043-people-of-drafts.ts'
import { up as keptBytes } from './044-kept-bytes.ts'
import { up as bytesOfSchemas } from './045-bytes-of-schemas.ts'

/**
 * Every migration, in order; add new ones at the end. A released migration is never changed. 013, 016 to 019 and 025 were never
 * released. One that servers of older versions can live with has a name that ends in `-beside-older`.
 */
export const migrations: Readonly<Record<string, Migration>> = {
  '001-foundation': { up: foundation },
  '002-known-keys': { up: knownKeys },
  '003-sign-in-limits': { up: signInLimits },
  '004-kept-versions': { up: keptVersions },
  '005-items': { up: items },
  '006-search-index': { up: searchIndex },
  '007-group-invitations': { up: groupInvitations },
  '008-profiles': { up: profiles },
  '009-item-counts': { up: itemCounts },
  '010-path-lineage': { up: pathLineage },
  '011-schema-history': { up: schemaHistory },
  '012-audit-log': { up: auditLog },
  '014-ended-links': { up: endedLinks },
  '015-item-writes': { up: itemWrites },
  '020-oauth': { up: oauth },
  '021-apps': { up: apps },
  '022-accounts': { up: accounts },
  '023-provider-accounts': { up: providerAccounts },
  '024-former-owners': { up: formerOwners },
  '026-item-changes': { up: itemChanges },
  '027-secrets-of-grants': { up: secretsOfGrants },
  '028-known-addresses': { up: knownAddresses },
  '029-log-words': { up: logWords },
  '030-schema-usage': { up: schemaUsage },
  '031-item-bytes': { up: itemBytes },
  '032-owner-tags': { up: ownerTags },
  '033-givers-of-rights': { up: giversOfRights },
  '034-checksums': { up: checksums },
  '035-jobs': { up: jobs },
  '036-ends-of-secrets': { up: endsOfSecrets },
  // The index of the search is rebuilt, with another spelling of tags.
  '037-tag-spellings': { up: async () => undefined },
  '038-own-templates': { up: ownTemplates },
  '039-item-history': { up: itemHistory },
  '040-coverage': { up: coverage },
  '041-schema-drafts': { up: schemaDrafts },
  '042-job-turns': { up: jobTurns },
  '043-people-of-drafts': { up: peopleOfDrafts },
  '044-kept-bytes': { up: keptBytes },
  '045-bytes-of-schemas': { up: bytesOfSchemas },
}
