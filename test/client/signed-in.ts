import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect } from 'vitest'
import { runJobs } from '../../src/background/jobs.ts'
import { ArcgisPortal } from '../support/arcgis/arcgis-portal.ts'
import type { Quirks } from '../support/arcgis/world.ts'
import { houseOf } from '../support/portal/house.ts'
import { startListeningPortal } from '../support/portal/listening-portal.ts'
import { adminPassword } from '../support/portal/portal.ts'
import { Desk } from './run-client.ts'

export const water = { categorySchema: [{ title: 'Water', categories: [{ title: 'Rivers' }] }] }
const seas = { categorySchema: [{ title: 'Seas', categories: [{ title: 'Rivers' }] }] }
const wide = { categorySchema: [...water.categorySchema, { title: 'Soil' }] }

/** Paths of the files below a folder that match. */
export function findFiles(folder: string, pattern: RegExp): readonly string[] {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  return names.filter((name) => pattern.test(name)).map((name) => join(folder, name))
}

/** Portals have the schema `water`, an item in it, and four groups. */
const titles = ['Maps', 'Maps of rivers', 'Twins', 'Twins']

export async function openArcgis(kind: 'online' | 'enterprise', quirks: Quirks = {}) {
  const portal = await ArcgisPortal.open(kind, quirks)
  portal.schemas.set(portal.id, structuredClone(water))
  const { id } = portal.addItem({ categories: ['/Water/Rivers'] })
  portal.addItem({ categories: ['/Water/Rivers'], orgId: 'AnotherOrgAAAAAA' })
  for (const title of titles) portal.addGroup(title, 'anna')
  portal.addCollaboration('Alps', ['Base maps', 'Hazards'])
  portal.index.settle()
  return { portal, ...(await openDesk(portal.url, 'anna', 'password of anna', id)) }
}

export async function openCartulary() {
  const portal = await startListeningPortal()
  const admin = await portal.admin()
  await admin.post('/portals/self/assignCategorySchema', { categorySchema: water })
  const { id } = await admin.post('/content/users/admin/addItem', { title: 'Map', type: 'Web Map' })
  await admin.post('/content/updateItems', { items: [{ [id]: { categories: ['/Water/Rivers'] } }] })
  for (const title of titles) await admin.createGroup(title)
  await admin.post('/portals/self/createCollaboration', { name: 'Alps', workspaceName: 'Base maps' })
  const opened = await openDesk(portal.url, 'admin', adminPassword, id)
  opened.desk.meanwhile = () => runJobs(houseOf(portal))
  return { portal, ...opened }
}

/** A desk with files, and a portal at which its person may change everything. */
async function openDesk(url: string, username: string, password: string, itemId: string) {
  const desk = new Desk()
  const tests = [{ expect: '/Water', items: '= 1' }]
  const files = {
    url,
    water: desk.file('water.json', { ...water, tests }),
    seas: desk.file('seas.json', seas),
    wide: desk.file('wide.json', wide),
    moves: desk.file('moves.json', [{ from: '/Water', to: '/Seas' }]),
    failing: desk.file('failing.json', { ...seas, tests: [{ expect: '/Seas', items: '>= 9' }] }),
    plain: desk.file('plain.json', water),
    six: desk.file('six.json', { categorySchema: [...'ABCDEF'].map((title) => ({ title })) }),
    empty: desk.file('empty.json', { categorySchema: [] }),
    broken: desk.file('broken.json', '{'),
    plan: desk.path('plan.json'),
    items: desk.file('items.csv', `id,categories\n${itemId},/Water\n`),
    misspelt: desk.file('misspelt.csv', `id,categories\n${itemId},/Water/Rivrs\n`),
    exported: desk.path('exported.csv'),
    invite: desk.path('guest.invite'),
  }
  desk.file('cartulary.json', { format: 1, places: { org: 'water.json' } })
  /** The run that the last command named, and the last invitation that is open. */
  const findRun = () => /.*item revert (\S+) takes/s.exec(desk.said)?.[1] ?? 'none'
  const findOpen = () => /.*\b([0-9a-f]{32})\t\S+\thost_created/s.exec(desk.said)?.[1] ?? 'none'
  const found: Readonly<Record<string, () => string>> = {
    '%run': findRun,
    '%open': findOpen,
    '%gone': () => 'f'.repeat(32),
  }
  const spell = (word: string) =>
    found[word]?.() ?? (word.startsWith('%') ? files[word.slice(1) as keyof typeof files] : word)
  /** Runs a line in which `%name` stands for a file or the address. */
  const run = (line: string) => desk.run(line.split(' ').map(spell), { typed: password })
  const login = () => run(`login --url %url --username ${username} --password-stdin`)
  expect(await login()).toMatchObject({ code: 0 })
  return { desk, files, login, run }
}
