import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { text } from 'node:stream/consumers'
import { expect } from 'vitest'
import { ArcgisPortal } from '../support/arcgis/arcgis-portal.ts'
import type { PortalKind, Quirks } from '../support/arcgis/world.ts'
import { type ListeningPortal, startListeningPortal } from '../support/portal/listening-portal.ts'
import { adminPassword } from '../support/portal/portal.ts'
import { Desk } from './run-client.ts'
import { water } from './signed-in.ts'

/** A portal of ArcGIS with two groups and 130 items, a Cartulary that gets them, and a desk with profiles of both. */
export async function openBoth(kind: PortalKind = 'online', quirks: Quirks = {}, count = 130, settings = {}) {
  const source = await ArcgisPortal.open(kind, quirks)
  for (const name of ['bert', 'carla', 'dora']) source.addUser(name, 'org_user')
  source.schemas.set(source.id, structuredClone(water))
  const maps = source.addGroup('Maps', 'anna')
  maps.users = ['bert', 'dora']
  maps.described = { tags: ['maps'], snippet: 'All maps', access: 'org', isInvitationOnly: true, sortField: 'title' }
  source.addGroup('Empty', 'carla').described = { access: 'private' }
  source.schemas.set(maps.id, { categorySchema: [{ title: 'Scale', categories: [{ title: 'Large' }] }] })
  for (let at = 0; at < count; at += 1) {
    const item = source.addItem({
      title: `Map ${at}`,
      owner: ['anna', 'bert', 'carla'][at % 3]!,
      categories: at % 2 === 0 ? ['/Water/Rivers'] : [],
      // Ties: pages of an unstable order overlap.
      created: 1_700_000_000_000 + Math.floor(at / 60) * 1_000,
      described: {
        access: ['private', 'org', 'public'][at % 3],
        snippet: `About ${at}`,
        tags: ['a map', 'x,y'],
        typeKeywords: ['Web Map'],
        extent: [
          [5, 45],
          [10, 48],
        ],
        size: at === 0 ? 20 : 0,
      },
    })
    if (at === 0) item.text = '{"baseMap":"Relief"}'
    if (at % 4 === 0) item.inGroups.set(maps.id, ['/Scale/Large'])
  }
  source.addItem({ title: 'Elsewhere', orgId: 'AnotherOrgAAAAAA' })
  source.index.settle()
  const target = await startListeningPortal(settings)
  const line = await openLine(target)
  const admin = await target.admin()
  for (const name of ['bert', 'carla']) await admin.invite(name, 'org_publisher')
  const desk = new Desk()
  const password = 'password of anna'
  const login = (url: string, username: string, typed: string, profile: string) =>
    desk.run(['login', '--url', url, '--username', username, '--password-stdin', '--profile', profile], { typed })
  expect(await login(source.url, 'anna', password, 'old')).toMatchObject({ code: 0 })
  expect(await login(line.url, 'admin', adminPassword, 'new')).toMatchObject({ code: 0 })
  const run = (line: string) => desk.run(line.split(' ').map((word) => word.replace('%', `${desk.folder}/`)))
  const plan = (options = '') => run(`takeover plan --from old --to new -o %takeover.json --json ${options}`.trim())
  const found = async (q: string) => admin.get('/search', { q, num: 100 })
  opened.push(source, line, target)
  return { source, target, line, admin, desk, run, plan, maps, found, login }
}

/** Portals of the present test. */
export const opened: AsyncDisposable[] = []

export async function closeAll(): Promise<void> {
  for (const portal of opened.splice(0)) await portal[Symbol.asyncDispose]()
}

/** A request on its way to the target: it is passed on, once or more often, and answered or not. */
export interface Passing {
  readonly path: string
  pass(): Promise<string>
  answer(text: string): void
  cut(): void
}

/** The way to the target, on which something may happen to each request. */
async function openLine({ url: base }: ListeningPortal) {
  const { origin } = new URL(base)
  const server = createServer(async (request, response) => {
    const body = await text(request)
    const { method = '', url = '', headers: given } = request
    const names = ['content-type', 'referer', 'x-esri-authorization']
    const headers = names.flatMap((name): [string, string][] => (given[name] ? [[name, String(given[name])]] : []))
    await line.at({
      path: url.replace(/\?.*/, ''),
      pass: async () => (await fetch(origin + url, { method, headers, ...(method === 'POST' && { body }) })).text(),
      answer: (answered) => void response.end(answered),
      cut: () => void response.destroy(),
    })
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
  const line = {
    url: base.replace(origin, `http://127.0.0.1:${(server.address() as AddressInfo).port}`),
    at: async ({ pass, answer }: Passing): Promise<void> => answer(await pass()),
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
  return line
}
