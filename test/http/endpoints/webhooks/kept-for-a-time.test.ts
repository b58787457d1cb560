import { execute } from '../../../../src/background/housekeeping.ts'
import { RawDatabase } from '../../../support/databases/raw-database.ts'
import { HookReader } from '../../../support/portal/hook-reader.ts'
import { housekeep } from '../../../support/portal/house.ts'
import { adminPassword, type Body, type Client, startPortal, type TestPortal } from '../../../support/portal/portal.ts'
import { describe, expect, test } from '../../../support/portal/test.ts'
import { addDeliveries } from '../../../support/portal/webhooks.ts'

const day = 86_400_000

/** Ids and states of what a webhook still has, oldest first. */
async function kept(client: Client, id: string): Promise<readonly string[]> {
  const { deliveries } = await client.get(`/portals/self/webhooks/${id}/deliveries`, { num: '100' })
  return deliveries.map((delivery: Body) => `${delivery.id} ${delivery.state} ${delivery.lastError}`).toReversed()
}

/** The server as it begins to serve at this address. */
function serveAt({ server }: TestPortal, portalUrl: string, sends = true) {
  return execute(server.dependencies, 'noteServing', { portalUrl, sends, revision: 'at another address' })
}

/** The administrator, signed in after this time and a round of housekeeping. */
async function afterTime(portal: TestPortal, milliseconds: number): Promise<Client> {
  portal.clock.now += milliseconds
  await housekeep(portal)
  return portal.signIn('admin', adminPassword)
}

const idOf = (number: number) => `msg_${String(number).padStart(32, '0')}`

describe('housekeeping', () => {
  test('gives up what was pending for 30 days, and removes what ended 7 or 30 days ago', async ({ portal, admin }) => {
    const { id: webhookId } = await HookReader.make(admin, '/roles')
    const path = `/portals/self/webhooks/${webhookId}`
    await addDeliveries(portal, ...[1, 2, 3].map((number) => ({ id: idOf(number), webhookId })))
    await admin.post(`${path}/ack`, { ids: idOf(1) })
    let client = await afterTime(portal, 7 * day)
    await client.post(`${path}/activate`)
    const pending = [`${idOf(2)} pending null`, `${idOf(3)} pending null`]
    expect(await kept(client, webhookId)).toEqual([`${idOf(1)} sent null`, ...pending])
    client = await afterTime(portal, 1)
    expect(await kept(client, webhookId)).toEqual(pending)
    client = await afterTime(portal, 23 * day)
    const failed = [`${idOf(2)} failed too old`, `${idOf(3)} failed too old`]
    expect(await kept(client, webhookId)).toEqual(failed)
    client = await afterTime(portal, 30 * day)
    expect(await kept(client, webhookId)).toEqual(failed)
    client = await afterTime(portal, 1)
    expect(await kept(client, webhookId)).toEqual([])
  })

  test('switches off what no program fetched from for 7 days, and says so to other webhooks', async ({
    portal,
    admin,
  }) => {
    const other = await HookReader.make(admin, '/webhooks', 'Other')
    const unread = await HookReader.make(admin, '/groups', 'Unread')
    const idle = await HookReader.make(admin, '/roles', 'Idle')
    await admin.createGroup('Lakes')
    const client = await afterTime(portal, 7 * day + 1)
    const sentence = 'Nothing was fetched for 7 days.'
    const read = (id: string) => client.get(`/portals/self/webhooks/${id}`)
    expect(await read(unread.id)).toMatchObject({ isActive: false, deactivatedBecause: sentence })
    expect(await read(idle.id)).toMatchObject({ isActive: true, deactivatedBecause: null })
    const properties = { name: 'Unread', reason: 'unread', sentence }
    expect(await new HookReader(client, other.id).reported()).toEqual([['webhook deactivated', unread.id, properties]])
    await client.post(`/portals/self/webhooks/${unread.id}/activate`)
    await housekeep(portal)
    expect(await read(unread.id)).toMatchObject({ isActive: true })
  })

  test('gives up the oldest of more than 10,000 that are pending, and says so once', async ({ portal, admin }) => {
    const other = await HookReader.make(admin, '/webhooks', 'Other')
    const crowded = await HookReader.make(admin, '/roles', 'Crowded')
    await addDeliveries(portal, { id: idOf(0), webhookId: crowded.id })
    const columns = 'webhook_id, portal_id, event_ids, paths, objects, payload, state, attempts, tries, created_at'
    await new RawDatabase(portal).run(
      `with recursive counted (number) as (select 1 union all select number + 1 from counted where number < 10001)
        insert into webhook_deliveries (delivery_id, ${columns})
        select printf('msg_%032d', counted.number), ${columns} from webhook_deliveries, counted where delivery_id = '${idOf(0)}'`,
    )
    for (let round = 0; round < 2; round += 1) await housekeep(portal)
    const path = `/portals/self/webhooks/${crowded.id}/deliveries`
    expect(await admin.get(path, { state: 'failed', num: '5' })).toMatchObject({
      total: 2,
      deliveries: [{ id: idOf(1), lastError: 'queue full' }, { id: idOf(0) }],
    })
    expect(await admin.get(path, { state: 'pending', num: '1' })).toMatchObject({ total: 10_000 })
    const properties = { name: 'Crowded', reason: 'overflow', dropped: 2 }
    expect(await other.reported()).toEqual([['webhook overflowed', crowded.id, properties]])
  })
})

test('a copy sends nothing: webhooks that are sent to are off at another address, and fetched ones stay', async () => {
  const environment = { WEBHOOKS: 'on', WEBHOOK_ALLOWED_HOSTS: 'hook.example.com' }
  await using portal = await startPortal({ environment })
  const admin = await portal.admin()
  const create = (name: string, url: string) =>
    admin.post('/portals/self/webhooks/createWebhook', { name, url, events: '/' })
  const sent = await create('Sent', 'https://hook.example.com/')
  const fetched = await create('Fetched', 'pull:')
  const states = async () => {
    const { webhooks } = await admin.get('/portals/self/webhooks')
    return webhooks.map((hook: Body) => [hook.id, hook.isActive, hook.deactivatedBecause])
  }
  const { hostname, pathname } = new URL(portal.server.publicUrl())
  expect(await serveAt(portal, `https://${hostname}:8443${pathname}/`)).toMatchObject({ copied: 0 })
  expect(await serveAt(portal, `https://copy.example.com${pathname}/`)).toMatchObject({ copied: 1 })
  expect(new Set(await states())).toEqual(
    new Set([
      [sent.id, false, 'This server is a copy; activate what it shall send.'],
      [fetched.id, true, null],
    ]),
  )
})
