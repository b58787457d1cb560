import { portalHistoryRows } from './audit/portal-history.ts'
import { draftRows, pendingDraftRows } from './categories/draft-rows.ts'
import { exportRows } from './categories/export-rows.ts'
import { importRows } from './categories/import-rows.ts'
import { ownTemplateRows } from './categories/own-template-rows.ts'
import { schemaOwners } from './categories/owner-words.ts'
import { planRows } from './categories/plan-rows.ts'
import { schemaRows } from './categories/schema-rows.ts'
import { templateRows } from './categories/template-rows.ts'
import { versionRows } from './categories/version-rows.ts'
import { collaborationRows } from './collaborations/collaborations.ts'
import { handshakeRows } from './collaborations/handshake.ts'
import { invitationRows } from './collaborations/invitations.ts'
import { participantRows } from './collaborations/participants.ts'
import { workspaceRows } from './collaborations/workspaces.ts'
import type { Endpoint } from './endpoint.ts'
import { firstRunRows } from './first-run.ts'
import { operationsForApps } from './for-apps.ts'
import { groupRows } from './groups/groups.ts'
import { infoRow } from './info.ts'
import { absentRows } from './items/absent-rows.ts'
import { bulkRows } from './items/bulk-rows.ts'
import { completenessRows } from './items/coverage.ts'
import { itemHistoryRows } from './items/history-rows.ts'
import { itemCategoryRows } from './items/item-categories.ts'
import { itemSearchRows } from './items/item-searches.ts'
import { itemRows } from './items/items.ts'
import { ownedItemRows } from './items/owned-items.ts'
import { sharingRows } from './items/sharing.ts'
import { sheetRows } from './items/sheet-rows.ts'
import { itemSideRows } from './items/side-rows.ts'
import { userItemRows } from './items/user-items.ts'
import { jobRows } from './jobs.ts'
import { appRows } from './oauth/app-rows.ts'
import { oauthTokenRows } from './oauth/token-rows.ts'
import { answerCan } from './people/can.ts'
import { passwordRows } from './people/passwords.ts'
import { permissionCheckRows } from './people/permission-check.ts'
import { portalAdminRows } from './people/portal-admin.ts'
import { portalResourceRows } from './people/portal-resources.ts'
import { portalUserRows } from './people/portal-users.ts'
import { sessionRows } from './people/sessions.ts'
import { userSearchRows } from './people/user-searches.ts'
import { userRows } from './people/users.ts'
import { portalRows } from './portals.ts'
import { roleRows } from './roles.ts'
import { serverFigureRows } from './server-figures.ts'
import { tokenRows } from './tokens.ts'
import { deliveryRows } from './webhooks/delivery-rows.ts'
import { hookRows } from './webhooks/hook-rows.ts'

/** Category schemas of groups and of the organization. */
const categoryRows: readonly Endpoint[] = schemaOwners.flatMap((words) => [
  ...schemaRows(words),
  ...planRows(words),
  ...versionRows(words),
  ...draftRows(words),
  ...exportRows(words),
  ...importRows(words),
])

const checked: readonly Endpoint[] = [
  ...portalRows,
  ...portalResourceRows,
  ...portalUserRows,
  ...userSearchRows,
  ...userRows,
  ...passwordRows,
  ...sessionRows,
  ...portalAdminRows,
  ...roleRows,
  ...groupRows,
  ...categoryRows,
  ...templateRows,
  ...pendingDraftRows,
  ...ownTemplateRows,
  ...itemRows,
  ...userItemRows,
  ...ownedItemRows,
  ...sharingRows,
  ...itemSideRows,
  ...absentRows,
  ...itemCategoryRows,
  ...itemHistoryRows,
  ...bulkRows,
  ...sheetRows,
  ...itemSearchRows,
  ...completenessRows,
  ...appRows,
  ...collaborationRows,
  ...workspaceRows,
  ...invitationRows,
  ...handshakeRows,
  ...participantRows,
  ...hookRows,
  ...deliveryRows,
  ...portalHistoryRows,
  ...jobRows,
  ...serverFigureRows,
]

const others: readonly Endpoint[] = [...checked, ...permissionCheckRows([...tokenRows, ...checked]), ...firstRunRows]

const described = answerCan(
  [...tokenRows, ...oauthTokenRows, ...others].map((row) =>
    operationsForApps.has(row.id) ? { ...row, isForApps: true } : row,
  ),
)

/**
 * Table of all operations, each described once. Routes, the OpenAPI document, the directory pages, the reference in
 * docs/api.md and the test of permissions are all generated from these rows.
 */
export const endpointTable: readonly Endpoint[] = [infoRow(described), ...described]
