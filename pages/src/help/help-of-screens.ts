import type { PathName } from '../navigation/paths.ts'
import type { TextKey } from '../texts/keys.ts'

/** A sentence, and the address below that of the server which says more. */
type Help = readonly [sentence: TextKey<'help'>, address: string]

const schema: Help = ['schema', 'docs/governing#moves']
const review: Help = ['review', 'docs/governing#before-a-change']
const history: Help = ['history', 'docs/governing#versions']
const fromFile: Help = ['import', 'docs/importing#forms']
const drafts: Help = ['drafts', 'docs/governing#drafts-and-a-second-person']
const groups: Help = ['groups', 'docs/governing#who-may-do-what']
const item: Help = ['item', 'docs/governing#undoing-changes-of-items']
const coverage: Help = ['coverage', 'docs/governing#items-without-a-category']
const collaborations: Help = ['collaborations', 'docs/inviting#host-and-guest']
const invitation: Help = ['invitation', 'docs/inviting#revoke-an-invitation']
const people: Help = ['people', 'docs/sign-in#sign-in-through-your-identity-provider']

/** Help of every screen: a screen that needs none would say so by undefined. */
export const helpOfScreens: Readonly<Record<PathName, Help | undefined>> = {
  home: ['home', 'docs'],
  firstRun: ['firstRun', 'docs/install#from-the-archive-under-systemd'],
  organizationSchema: schema,
  organizationReview: review,
  organizationHistory: history,
  organizationVersion: history,
  organizationComparison: history,
  organizationImport: fromFile,
  organizationDrafts: drafts,
  organizationDraft: drafts,
  groups,
  group: groups,
  groupSchema: schema,
  groupReview: review,
  groupHistory: history,
  groupVersion: history,
  groupComparison: history,
  groupImport: fromFile,
  groupDrafts: drafts,
  groupDraft: drafts,
  groupCoverage: coverage,
  content: ['content', 'docs/governing#categories-of-many-items'],
  newItem: item,
  coverage,
  categoriesBySpreadsheet: ['spreadsheet', 'docs/governing#categories-of-many-items'],
  item,
  collaborations,
  newCollaboration: collaborations,
  collaboration: collaborations,
  newInvitation: invitation,
  invitation,
  people,
  organizationSettings: ['settings', 'docs/governing#drafts-and-a-second-person'],
  roles: ['roles', 'docs/privileges#privileges'],
  permissionCheck: ['check', 'docs/governing#who-may-do-what'],
  requests: ['requests', 'docs/mail#what-is-sent-when'],
  newPeople: people,
  apps: ['apps', 'docs/sign-in#register-an-app'],
  person: ['person', 'docs/governing#when-someone-leaves'],
  you: ['you', 'docs/sign-in#sessions-and-passwords'],
  log: ['log', 'docs/governing#the-log'],
  system: ['system', 'docs/monitor#what-needs-a-person'],
}
