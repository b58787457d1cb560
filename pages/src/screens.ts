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

const screen = (name: string, load: ScreenModule['load'], more: Partial<ScreenModule> = {}): ScreenModule => ({
  element: `cartulary-${name}`,
  load,
  ...more,
})

const coverage = screen('coverage', () => import('./coverage/coverage.ts'))

/** Screens about a schema, by the ends of their names: of the organization, and of a group. */
const ofSchemas = {
  Schema: screen('editor', () => import('./editor/editor.ts')),
  Review: screen('review', () => import('./review/review.ts')),
  History: screen('history', () => import('./history/history.ts')),
  Version: screen('version', () => import('./history/version.ts')),
  Comparison: screen('comparison', () => import('./history/comparison.ts')),
  Import: screen('import', () => import('./files/import.ts')),
  Drafts: screen('shared-drafts', () => import('./shared-drafts/shared-drafts.ts')),
  Draft: screen('shared-draft', () => import('./shared-drafts/shared-draft.ts')),
}

export const screens: Partial<Record<PathName, ScreenModule>> = {
  ...Object.fromEntries(
    Object.entries(ofSchemas).flatMap(([name, each]) => [
      [`organization${name}`, each],
      [`group${name}`, each],
    ]),
  ),
  home: screen('home', () => import('./home/home.ts'), {
    isPublic: true,
    isFirst: true,
    later: () => import('./overview/overview.ts'),
  }),
  groups: screen('groups', () => import('./groups/groups.ts')),
  group: screen('group', () => import('./groups/group.ts')),
  content: screen('content', () => import('./content/content.ts')),
  newItem: screen('new-item', () => import('./content/new-item.ts')),
  coverage,
  categoriesBySpreadsheet: screen('sheets', () => import('./sheets/sheets.ts')),
  groupCoverage: coverage,
  item: screen('item', () => import('./content/item.ts')),
  collaborations: screen('collaborations', () => import('./collaborations/collaborations.ts')),
  newCollaboration: screen('new-collaboration', () => import('./collaborations/collaborations.ts')),
  collaboration: screen('collaboration', () => import('./collaborations/collaboration.ts')),
  newInvitation: screen('new-invitation', () => import('./collaborations/invitations/new-invitation.ts')),
  invitation: screen('invitation', () => import('./collaborations/invitations/invitation.ts')),
  log: screen('log', () => import('./log/log.ts')),
  people: screen('people', () => import('./people/list/people.ts')),
  organizationSettings: screen('organization', () => import('./settings/organization.ts')),
  newPeople: screen('new-people', () => import('./people/new/new-people.ts')),
  person: screen('person', () => import('./people/person/person.ts')),
  roles: screen('roles', () => import('./people/roles/roles.ts')),
  requests: screen('requests', () => import('./people/requests/requests.ts')),
  apps: screen('apps', () => import('./people/apps/apps.ts')),
  permissionCheck: screen('permission-check', () => import('./people/check/permission-check.ts')),
  you: screen('you', () => import('./people/you/you.ts')),
  system: screen('system', () => import('./system/system.ts')),
  firstRun: screen('first-run', () => import('./first-run/first-run.ts'), { isPublic: true }),
}

/** The dialog that goes anywhere, which is loaded when it is first opened. */
export const loadPalette = () => import('./palette/palette.ts')

/** The help of screens, which is loaded after the first one. */
export const loadHelp = () => import('./help/help.ts')
