import type { PathName } from './navigation/paths.ts'

/** A screen: the element that shows it, in a separate file that is loaded on demand. */
export interface ScreenModule {
  /** The custom element, a `Screen`. */
  readonly element: string
  readonly load: () => Promise<unknown>
  /** Whether it is shown without a sign-in too. */
  readonly isPublic?: boolean
  /** Whether it needs no more texts than the frame. */
  readonly isFirst?: boolean
  /** Loads its parts that signed-in persons see after it, with the texts of all screens. */
  readonly later?: () => Promise<unknown>
}

const review = { element: 'cartulary-review', load: () => import('./review/review.ts') }
const history = { element: 'cartulary-history', load: () => import('./history/history.ts') }
const version = { element: 'cartulary-version', load: () => import('./history/version.ts') }
const comparison = { element: 'cartulary-comparison', load: () => import('./history/comparison.ts') }
const coverage = { element: 'cartulary-coverage', load: () => import('./coverage/coverage.ts') }
const drafts = { element: 'cartulary-shared-drafts', load: () => import('./shared-drafts/shared-drafts.ts') }
const draft = { element: 'cartulary-shared-draft', load: () => import('./shared-drafts/shared-draft.ts') }
const files = { element: 'cartulary-import', load: () => import('./files/import.ts') }

export const screens: Partial<Record<PathName, ScreenModule>> = {
  organizationReview: review,
  groupReview: review,
  organizationHistory: history,
  groupHistory: history,
  organizationVersion: version,
  groupVersion: version,
  organizationComparison: comparison,
  groupComparison: comparison,
  organizationImport: files,
  groupImport: files,
  organizationDrafts: drafts,
  groupDrafts: drafts,
  organizationDraft: draft,
  groupDraft: draft,
  home: {
    element: 'cartulary-home',
    load: () => import('./home/home.ts'),
    isPublic: true,
    isFirst: true,
    later: () => import('./overview/overview.ts'),
  },
  organizationSchema: { element: 'cartulary-editor', load: () => import('./editor/editor.ts') },
  groups: { element: 'cartulary-groups', load: () => import('./groups/groups.ts') },
  group: { element: 'cartulary-group', load: () => import('./groups/group.ts') },
  groupSchema: { element: 'cartulary-editor', load: () => import('./editor/editor.ts') },
  content: { element: 'cartulary-content', load: () => import('./content/content.ts') },
  newItem: { element: 'cartulary-new-item', load: () => import('./content/new-item.ts') },
  coverage,
  categoriesBySpreadsheet: { element: 'cartulary-sheets', load: () => import('./sheets/sheets.ts') },
  groupCoverage: coverage,
  item: { element: 'cartulary-item', load: () => import('./content/item.ts') },
  collaborations: { element: 'cartulary-collaborations', load: () => import('./collaborations/collaborations.ts') },
  newCollaboration: {
    element: 'cartulary-new-collaboration',
    load: () => import('./collaborations/new-collaboration.ts'),
  },
  collaboration: { element: 'cartulary-collaboration', load: () => import('./collaborations/collaboration.ts') },
  newInvitation: {
    element: 'cartulary-new-invitation',
    load: () => import('./collaborations/invitations/new-invitation.ts'),
  },
  invitation: { element: 'cartulary-invitation', load: () => import('./collaborations/invitations/invitation.ts') },
  log: { element: 'cartulary-log', load: () => import('./log/log.ts') },
  people: { element: 'cartulary-people', load: () => import('./people/list/people.ts') },
  organizationSettings: {
    element: 'cartulary-organization',
    load: () => import('./people/organization/organization.ts'),
  },
  newPeople: { element: 'cartulary-new-people', load: () => import('./people/new/new-people.ts') },
  person: { element: 'cartulary-person', load: () => import('./people/person/person.ts') },
  roles: { element: 'cartulary-roles', load: () => import('./people/roles/roles.ts') },
  requests: { element: 'cartulary-requests', load: () => import('./people/requests/requests.ts') },
  apps: { element: 'cartulary-apps', load: () => import('./people/apps/apps.ts') },
  permissionCheck: {
    element: 'cartulary-permission-check',
    load: () => import('./people/check/permission-check.ts'),
  },
  you: { element: 'cartulary-you', load: () => import('./people/you/you.ts') },
  system: { element: 'cartulary-system', load: () => import('./system/system.ts') },
  firstRun: { element: 'cartulary-first-run', load: () => import('./first-run/first-run.ts'), isPublic: true },
}

/** The dialog that goes anywhere, which is loaded when it is first opened. */
export const loadPalette = () => import('./palette/palette.ts')
