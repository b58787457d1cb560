import type { Category } from '../../../src/categories/schema.ts'
import { hostCollaboration } from '../portal/collaboration-host.ts'
import type { ListeningPortal } from '../portal/listening-portal.ts'
import { adminPassword } from '../portal/portal.ts'
import type { Application } from './application.ts'
import { keepDraft } from './drafts.ts'

type Tree = Category & { readonly categories: readonly Category[] }

const regions = (suffix: string): Tree => ({
  title: 'Region',
  description: `Where the content lies${suffix}`,
  categories: [
    { title: 'World' },
    { title: 'Europe', categories: [{ title: 'Alps' }, { title: 'Baltic Sea' }, { title: 'Danube basin' }] },
    { title: 'Africa', categories: [{ title: 'Sahel' }] },
    { title: 'A title of ninety-nine characters which is the longest one that a category of any schema may have' },
    ...(suffix === '' ? [] : [{ title: `Hostile${suffix}` }, { title: 'W'.repeat(99) }]),
  ],
})
const topics: Tree = {
  title: 'Topic',
  categories: [{ title: 'Water' }, { title: 'Forests' }, { title: 'Transport' }, { title: 'Soil' }],
}

const items = [
  ['Alpine lakes', 'Web Map', ['/Region/Europe/Alps', '/Topic/Water']],
  ['Ferries of the Baltic Sea', 'Feature Service', ['/Region/Europe/Baltic Sea', '/Topic/Transport']],
  ['Forest cover', 'Web Map', ['/Region/World', '/Topic/Forests']],
  ['Wells', 'Feature Service', []],
] as const

/** Names and ids that the screens of a filled organization show. */
interface World {
  readonly suffix: string
  readonly group: string
  readonly draft: string
  readonly item: string
  readonly collaboration: string
  readonly invitation: string
}

/** Fills an organization as it looks after its first days; `suffix` ends whatever may be any text. */
export async function fillApplication(portal: ListeningPortal, suffix = ''): Promise<World> {
  const client = await portal.admin()
  const post = async (path: string, parameters = {}) => {
    const answer = await client.post(path, parameters)
    if ('error' in answer) throw new Error(JSON.stringify(answer))
    return answer
  }
  const assign = (categorySchema: readonly Category[], comment: string) =>
    post('/portals/self/assignCategorySchema', {
      categorySchema: JSON.stringify(categorySchema),
      comment: comment + suffix,
    })
  await assign([regions(suffix)], 'Regions, as agreed in October')
  await assign([regions(suffix), topics], 'Topics are added')
  await client.invite('anna', 'org_publisher')
  await client.invite('omar', 'org_user')
  if (suffix !== '') {
    await post('/community/users/anna/update', { fullName: `anna${suffix}`, description: suffix })
    await post('/portals/self/createRole', { name: `Cataloguer${suffix}`, description: suffix })
  }
  const { id: group } = await client.createGroup(`Water atlas${suffix}`, { tags: 'water', access: 'org' })
  await post(`/community/groups/${group}/assignCategorySchema`, {
    categorySchema: JSON.stringify([{ title: 'State', categories: [{ title: 'Draft' }, { title: 'Approved' }] }]),
  })
  const ids: string[] = []
  for (const [title, type, categories] of items) {
    const { id } = await post('/content/users/admin/addItem', {
      title: title + suffix,
      type,
      tags: 'sample',
      snippet: suffix,
      categories: categories.join(','),
    })
    await post(`/content/items/${id}/share`, { org: true, groups: group })
    ids.push(id)
  }
  const host = await hostCollaboration(portal, client, {
    name: `Rivers without borders${suffix}`,
    description: `Maps of shared rivers${suffix}`,
    workspaceName: `Gauges${suffix}`,
  })
  const { id: invitation } = await host.invite()
  await post(`/community/groups/${group}/addUsers`, { users: 'anna' })
  const kept = { name: `Next year${suffix}`, categorySchema: '[{"title":"State"},{"title":"Owner"}]' }
  const { draftId: draft } = await post(`/community/groups/${group}/categorySchema/drafts`, kept)
  await post(`/community/groups/${group}/categorySchema/drafts/${draft}/propose`, { note: `Please look${suffix}` })
  // One who asks to join.
  await post(`/community/groups/${group}/update`, { isInvitationOnly: true })
  await (await portal.signIn('omar', adminPassword)).post(`/community/groups/${group}/join`)
  return { suffix, group, draft, item: ids[0]!, collaboration: host.collaborationId, invitation }
}

function rename(category: Category, from: string, to: string): Category {
  return category.title === from ? { ...category, title: to } : category
}

type Open = (application: Application, world: World) => Promise<void>

/** Goes to an address, and waits until all of it is there, with these words. */
const goes =
  (path: string | ((world: World) => string), seen?: string, by: 'walkTo' | 'goTo' = 'walkTo'): Open =>
  async (application, world) => {
    await application[by](typeof path === 'string' ? path : path(world))
    const { page } = application
    await page.locator('main h1').filter({ visible: true }).waitFor()
    await page.locator('main cartulary-loading').first().waitFor({ state: 'detached' })
    if (seen)
      await page
        .locator(seen.startsWith('cartulary-') ? seen : `text=${seen}`)
        .filter({ visible: true })
        .first()
        .waitFor()
  }

/** Keeps a draft that changes both trees, on top of a version, and goes to its review. */
const reviews =
  (baseVersion: number, seen: string): Open =>
  async (application, world) => {
    const region = regions(world.suffix)
    const changed = [
      { ...region, categories: region.categories.map((category) => rename(category, 'World', 'The whole world')) },
      { ...topics, categories: [...topics.categories.slice(1), { title: 'Climate' }] },
    ]
    const origins = { '/Region/The whole world': '/Region/World', '/Topic/Climate': null }
    await keepDraft(application, { schema: { categorySchema: changed }, origins, baseVersion })
    // The page has read the draft that was there before.
    await goes('/organization/schema/review', seen, 'goTo')(application, world)
  }

/** Chooses a table that would take the place of all trees: what is removed, likely renames, notes and menus are seen. */
const previews: Open = async (application, world) => {
  const { suffix } = world
  await goes('/organization/schema/import')(application, world)
  const rows = [
    ['Town of Brackwater', '', '', ''],
    ['Theme', 'Subtheme', `Description${suffix}`, 'Code'],
    [`Region${suffix}`, 'The whole world', `All of it${suffix}`, 'r-1'],
    ...['Soil', 'Climate', 'Lakes'].map((title) => [`Topic${suffix}`, title, '', 't-1']),
  ]
  const text = rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(';')).join('\r\n')
  const { page } = application
  await page
    .locator('input[type=file]')
    .setInputFiles({ name: `themes${suffix}.csv`, mimeType: 'text/csv', buffer: Buffer.from(text) })
  await page.locator('input[name=mode][value=replace]').check()
  await page.locator('.removals').waitFor()
  await page.locator('[aria-labelledby=renames]').waitFor()
  await page.locator('.repeat summary').click()
}

/** Chooses a table with a change, an unknown category, and rows that are not applied. */
const edits: Open = async (application, world) => {
  await goes('/content/spreadsheet')(application, world)
  const { item, suffix } = world
  const rows = [
    ['id', 'modified', 'categories'],
    [item, '', '/Region/World | /Topic/Water'],
    [`no-item${suffix}`, '', `/Topic/Nowhere/Soil${suffix}`],
  ]
  const text = rows.map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(',')).join('\n')
  const { page } = application
  await page.locator('input[type=file]').setInputFiles({
    name: `edited${suffix}.csv`,
    mimeType: 'text/csv',
    buffer: Buffer.from(text),
  })
  await page.locator('cartulary-sheet-plan').waitFor()
}

/** Every screen by a name, in the states that differ most, with something that is seen when it is there. */
export const filledScreens: readonly (readonly [string, Open])[] = [
  ['home', goes('/', 'Water atlas')],
  ['editor', goes('/organization/schema', 'Baltic Sea')],
  ['review', reviews(2, 'Climate')],
  ['conflict', reviews(1, 'Topics are added')],
  ['deletion', goes('/organization/schema/review?delete=yes', 'Baltic Sea')],
  ['history', goes('/organization/schema/history', 'Topics are added')],
  ['drafts', goes(({ group }) => `/groups/${group}/schema/drafts`, 'Next year')],
  ['draft', goes(({ group, draft }) => `/groups/${group}/schema/drafts/${draft}`, 'Owner')],
  ['version', goes('/organization/schema/history/1', 'Baltic Sea')],
  ['restore', goes('/organization/schema/history/1?restore=yes', 'Soil')],
  ['comparison', goes('/organization/schema/compare?from=1&to=2', 'Soil')],
  ['files', goes('/organization/schema/import?template=iso19115', 'cartulary-templates .tree')],
  ['import', previews],
  ['groups', goes('/groups', 'Water atlas')],
  ['group', goes(({ group }) => `/groups/${group}`, 'Water atlas')],
  ['content', goes('/content', 'Alpine lakes')],
  ['new-item', goes('/content/new')],
  ['coverage', goes('/content/coverage', 'Region')],
  ['group-coverage', goes(({ group }) => `/groups/${group}/coverage`, 'State')],
  ['spreadsheet', edits],
  ['item', goes(({ item }) => `/content/${item}`, 'Alpine lakes')],
  ['collaborations', goes('/collaborations', 'Rivers without borders')],
  ['new-collaboration', goes('/collaborations/new')],
  ['collaboration', goes(({ collaboration }) => `/collaborations/${collaboration}`, 'Rivers without borders')],
  ['invite', goes(({ collaboration }) => `/collaborations/${collaboration}/invite`)],
  [
    'invitation',
    goes(
      ({ collaboration, invitation }) => `/collaborations/${collaboration}/invitations/${invitation}`,
      'guest.example.org',
    ),
  ],
  ['people', goes('/people', 'anna')],
  ['new-people', goes('/people/new')],
  ['person', goes('/people/users/anna', 'anna')],
  ['roles', goes('/people/roles?role=org_viewer')],
  ['organization', goes('/settings', 'Ministry of Maps')],
  ['requests', goes('/people/requests', 'omar')],
  ['apps', goes('/people/apps')],
  ['check', goes('/people/check?user=anna&operation=createGroup')],
  ['you', goes('/you', 'Cartulary')],
  ['log', goes('/log', 'anna')],
  ['system', goes('/system', 'SQLite')],
  ['first-run', goes('/first-run')],
]
