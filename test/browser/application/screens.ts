import { fileURLToPath } from 'node:url'
import { test } from 'vitest'
import type { Category } from '../../../src/categories/schema.ts'
import { type Application, openApplication } from '../../support/browser/application.ts'
import { keepDraft } from '../../support/browser/drafts.ts'
import { type ListeningPortal, startListeningPortal } from '../../support/portal/listening-portal.ts'

const folder = fileURLToPath(new URL('../../../docs/screens/', import.meta.url))

const schema: readonly (Category & { readonly categories: readonly Category[] })[] = [
  {
    title: 'Region',
    description: 'Where the content lies',
    categories: [
      { title: 'World' },
      { title: 'Europe', categories: [{ title: 'Alps' }, { title: 'Baltic Sea' }, { title: 'Danube basin' }] },
      { title: 'Africa', categories: [{ title: 'Sahel' }] },
      { title: 'A title of ninety-nine characters which is the longest one that a category of any schema may have' },
    ],
  },
  { title: 'Topic', categories: [{ title: 'Water' }, { title: 'Forests' }, { title: 'Transport' }, { title: 'Soil' }] },
]

const items = [
  ['Alpine lakes', 'Web Map', ['/Region/Europe/Alps', '/Topic/Water']],
  ['Ferries of the Baltic Sea', 'Feature Service', ['/Region/Europe/Baltic Sea', '/Topic/Transport']],
  ['Forest cover', 'Web Map', ['/Region/World', '/Topic/Forests']],
  ['Wells', 'Feature Service', []],
] as const

interface World {
  readonly group: string
  readonly item: string
  readonly collaboration: string
}

/** An organization as it looks after its first days. */
async function fill(portal: ListeningPortal): Promise<World> {
  const client = await portal.admin()
  const admin = {
    async post(path: string, parameters = {}) {
      const answer = await client.post(path, parameters)
      if ('error' in answer) throw new Error(JSON.stringify(answer))
      return answer
    },
  }
  const assign = (categorySchema: object, parameters = {}) =>
    admin.post('/portals/self/assignCategorySchema', { categorySchema: JSON.stringify(categorySchema), ...parameters })
  await assign(schema.slice(0, 1), { comment: 'Regions, as agreed in October' })
  await assign(schema, { comment: 'Topics are added' })
  await client.invite('anna', 'org_publisher')
  await client.invite('omar', 'org_user')
  const { group } = (await admin.post('/community/createGroup', {
    title: 'Water atlas',
    tags: 'water',
    access: 'org',
  })) as { readonly group: { readonly id: string } }
  await admin.post(`/community/groups/${group.id}/assignCategorySchema`, {
    categorySchema: JSON.stringify([{ title: 'State', categories: [{ title: 'Draft' }, { title: 'Approved' }] }]),
  })
  let first = ''
  for (const [title, type, categories] of items) {
    const { id } = (await admin.post('/content/users/admin/addItem', {
      title,
      type,
      tags: 'sample',
      categories: categories.join(','),
    })) as { readonly id: string }
    await admin.post(`/content/items/${id}/share`, { org: true, groups: group.id })
    first ||= id
  }
  const collaboration = (await admin.post('/portals/self/createCollaboration', {
    name: 'Rivers without borders',
    description: 'Maps of shared rivers',
    workspaceName: 'Gauges',
  })) as { readonly collaboration: { readonly id: string } }
  return { group: group.id, item: first, collaboration: collaboration.collaboration.id }
}

function rename(category: Category, from: string, to: string): Category {
  return category.title === from ? { ...category, title: to } : category
}

type Open = (application: Application, world: World) => Promise<void>

const goes =
  (path: string | ((world: World) => string), seen?: string): Open =>
  async (application, world) => {
    await application.goTo(typeof path === 'string' ? path : path(world))
    const { page } = application
    await page.locator('main h1').filter({ visible: true }).waitFor()
    await page.locator('main cartulary-loading').waitFor({ state: 'detached' })
    if (seen) await page.getByText(seen).filter({ visible: true }).first().waitFor()
  }

/** Every screen by a name, with something that is seen when it is there. */
const shown: readonly (readonly [string, Open])[] = [
  ['home', goes('/', 'Water atlas')],
  ['editor', goes('/organization/schema', 'Baltic Sea')],
  [
    'review',
    async (application, world) => {
      const [region, topic] = schema
      const changed = [
        { ...region!, categories: region!.categories.map((category) => rename(category, 'World', 'The whole world')) },
        { ...topic!, categories: [...topic!.categories.slice(1), { title: 'Climate' }] },
      ]
      const origins = { '/Region/The whole world': '/Region/World', '/Topic/Climate': null }
      await keepDraft(application, { schema: { categorySchema: changed }, origins, baseVersion: 2 })
      await goes('/organization/schema/review', 'Climate')(application, world)
    },
  ],
  ['history', goes('/organization/schema/history', 'Topics are added')],
  ['files', goes('/organization/schema/import', 'ISO 19115')],
  ['groups', goes('/groups', 'Water atlas')],
  ['group', goes(({ group }) => `/groups/${group}`, 'Water atlas')],
  ['content', goes('/content', 'Alpine lakes')],
  ['item', goes(({ item }) => `/content/${item}`, 'Alpine lakes')],
  ['collaborations', goes('/collaborations', 'Rivers without borders')],
  ['collaboration', goes(({ collaboration }) => `/collaborations/${collaboration}`, 'Rivers without borders')],
  ['people', goes('/people', 'anna')],
  ['person', goes('/people/users/anna', 'anna')],
  ['roles', goes('/people/roles')],
  ['check', goes('/people/check')],
  ['you', goes('/you', 'Cartulary')],
  ['log', goes('/log')],
  ['system', goes('/system', 'SQLite')],
]

/** Not in Arabic: the browser of the tests has no letters for it. */
test.each([
  ['1280', 'light', 1280],
  ['1280-dark', 'dark', 1280],
  ['320', 'light', 320],
] as const)('pictures of the application: %s', async (name, colours, width) => {
  await using portal = await startListeningPortal()
  const world = await fill(portal)
  await using application = await openApplication({ portal, colours, width })
  await application.signIn()
  for (const [screen, open] of shown) {
    await open(application, world)
    await application.page.screenshot({ path: `${folder}app-${screen}-${name}.png`, fullPage: true })
  }
})
