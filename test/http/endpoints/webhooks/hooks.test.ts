import { recordedOf } from '../../../support/databases/raw-database.ts'
import { refused } from '../../../support/portal/envelopes.ts'
import { type Body, type Client, type Parameters, startOfTests, startPortal } from '../../../support/portal/portal.ts'
import { describe, expect, test } from '../../../support/portal/test.ts'

const root = '/portals/self/webhooks'
const success = { success: true }
const given = { name: 'Catalogue', url: 'pull:', events: '/items/add' }

const create = (client: Client, other: object = {}) => client.post(`${root}/createWebhook`, { ...given, ...other })
const cannotCreate = (...details: string[]) => refused('create webhook', ...details)
const cannotUpdate = (...details: string[]) => refused('update webhook', ...details)

async function made(client: Client, other: object = {}): Promise<string> {
  const { id } = await create(client, other)
  return `${root}/${id}`
}

describe('a webhook', () => {
  test('is made, read, and in the list; its secret is shown once', async ({ admin, portal }) => {
    const { secret, ...answer } = await create(admin)
    expect(answer).toEqual({ success: true, id: expect.stringMatching(/^[0-9a-f]{32}$/) })
    expect(Buffer.from(/^whsec_(.+)$/.exec(secret)![1]!, 'base64')).toHaveLength(32)
    const { id: portalId, user } = await admin.get('/portals/self')
    const hook = {
      id: answer.id,
      accountId: portalId,
      payloadUrl: 'pull:',
      isActive: true,
      name: 'Catalogue',
      config: { deactivationPolicy: { numberOfFailures: 5, daysInPast: 5 } },
      ownerId: user.id,
      created: startOfTests,
      modified: startOfTests,
      events: ['/items/add'],
      hasSecret: true,
      lastFailure: null,
      deactivatedBecause: null,
    }
    expect(await admin.get(`${root}/${answer.id}`)).toStrictEqual(hook)
    expect(await admin.get(root)).toStrictEqual({ total: 1, start: 1, num: 50, nextStart: -1, webhooks: [hook] })
    const [entry] = (await recordedOf(portal).entries()).slice(-1)
    expect(entry).toMatchObject({ operation: 'createWebhook', data: { name: 'Catalogue', url: 'pull:' } })
    expect(JSON.stringify(await recordedOf(portal).entries())).not.toContain(secret)
  })

  test('of an own secret never shows it', async ({ admin }) => {
    const hook = await made(admin, { secret: ' sixteen letters ' })
    expect(await create(admin, { name: 'Second', secret: 'x'.repeat(16) })).not.toHaveProperty('secret')
    expect(JSON.stringify([await admin.get(hook), await admin.get(root)])).not.toMatch(/sixteen|"secret"/)
  })

  test('is found by the calls of the ArcGIS API for Python', async ({ admin, portal }) => {
    for (let number = 1; number <= 50; number += 1) {
      portal.clock.now += 1
      await create(admin, { name: `Hook ${number}` })
    }
    const list = await admin.post(root)
    expect([list.total, list.webhooks.length, list.webhooks.at(-1).name]).toEqual([50, 50, 'Hook 50'])
    expect(await create(admin)).toEqual(cannotCreate('An organization has at most 50 webhooks.'))
    const hook = `${root}/${list.webhooks[0].id}`
    expect(await admin.post(`${hook}/delete`)).toEqual(success)
    const all = {
      changes: 'manualChanges',
      events: 'ALL',
      secret: 'null',
      config: { deactivationPolicy: { numberOfFailures: 7 } },
    }
    const { id } = await create(admin, all)
    const found = await admin.get(`${root}/${id}`)
    expect(found).toMatchObject({
      events: ['/'],
      config: { deactivationPolicy: { numberOfFailures: 7, daysInPast: 5 } },
    })
    const events = JSON.stringify(['/items/add', '/users/anna'])
    const { name, config } = found
    const back = { name, url: found.payloadUrl, config, events, secret: 'null' }
    expect(await admin.post(`${root}/${id}/update`, back)).toEqual(success)
    expect(await admin.get(`${root}/${id}`)).toMatchObject({ events: ['/items/add', '/users/anna'], config })
    expect(await admin.get(`${root}/${id}/notificationStatus`, { start: 1, num: 100 })).toEqual({
      total: 0,
      start: 1,
      num: 100,
      nextStart: -1,
      WebhookStatus: [],
    })
  })

  test('has a name that no other has, whatever its form, until it is deleted', async ({ admin }) => {
    const hook = await made(admin, { name: 'Käse ①' })
    const taken = 'name: A webhook named "Käse ①" exists.'
    for (const name of ['KÄSE 1', 'Ka\u0308se ①']) expect(await create(admin, { name })).toEqual(cannotCreate(taken))
    const other = await made(admin, { name: 'Other' })
    expect(await admin.post(`${other}/update`, { name: 'käse 1', events: '/groups' })).toEqual(cannotUpdate(taken))
    expect(await admin.get(other)).toMatchObject({ name: 'Other', events: ['/items/add'] })
    expect(await admin.post(`${hook}/update`, { name: 'KÄSE 1' })).toEqual(success)
    expect([await admin.post(`${hook}/delete`), (await admin.post(`${hook}/delete`)).error.code]).toEqual([
      success,
      404,
    ])
    expect(await create(admin, { name: 'käse ①' })).toMatchObject(success)
  })

  const unknown = 'events: no event has the path'
  const cases: readonly [object, string][] = [
    [{ events: '' }, 'events: give a value, or changes=allChanges.'],
    [{ events: '', changes: 'manualChanges' }, 'events: give a value.'],
    [{ events: '[]' }, 'events: give a value.'],
    [{ events: '["/items/add"' }, 'events: begins like a JSON array of texts, and is none.'],
    [{ events: '/items,/item/add' }, `${unknown} /item/add; did you mean /items/add?`],
    [{ events: Array(101).fill('/items').join() }, 'events: has 101 entries; at most 100 are allowed.'],
    [{ events: `/items/${'1'.repeat(194)}` }, 'events: an entry has 201 characters; at most 200 are allowed.'],
    [{ name: 'x'.repeat(101) }, 'name: has 101 characters; at most 100 are allowed.'],
    [{ name: '\u200b' }, 'name: give a value.'],
    [{ secret: 'x'.repeat(129) }, 'secret: has 129 characters; at most 128 are allowed.'],
    ...['', 'x', `${Buffer.alloc(23).toString('base64')}`, `${Buffer.alloc(65).toString('base64')}`].map(
      (key): [object, string] => [
        { secret: `whsec_${key}` },
        'secret: has to be base64 of 24 to 64 bytes behind whsec_.',
      ],
    ),
    [{ config: '{"properties":{}}' }, 'config: properties are for notebooks, which are not here.'],
    [
      { url: 'https://hook.example.com' },
      'url: WEBHOOKS is off: this server sends nothing. A pull hook needs no setting.',
    ],
  ]
  test.for(cases)('is refused with %j, when it is made and when it is changed', async ([wrong, detail], { admin }) => {
    expect(await create(admin, wrong)).toEqual(cannotCreate(detail))
    if (detail.includes('allChanges')) return
    const hook = await made(admin)
    const before = await admin.get(hook)
    expect(await admin.post(`${hook}/update`, { name: 'Good', ...wrong })).toEqual(cannotUpdate(detail))
    expect(await admin.get(hook)).toEqual(before)
  })

  test.for([
    [
      {
        events: Array(100)
          .fill(`/items/${'1'.repeat(193)}`)
          .join(' , '),
      },
    ],
    [{ name: 'x'.repeat(100) }],
    [{ secret: `whsec_${Buffer.alloc(24).toString('base64')}` }],
    [{ secret: `whsec_${Buffer.alloc(64).toString('base64')}` }],
    [{ secret: 'x'.repeat(128) }],
    [{ config: 'null' }],
  ] as const)('is made with %j, and has no warning', async ([allowed], { admin }) => {
    const { secret: _, ...answer } = await create(admin, allowed)
    expect(answer).toEqual({ success: true, id: expect.any(String) })
  })

  test('is made with warnings about what has no effect or is not safe', async ({ admin, portal }) => {
    const odd = { events: '/items/publish,/items', secret: 'fifteen letters', level: '1' }
    expect(await create(admin, { ...odd, config: { deactivationPolicy: { days: 1 }, color: 'red' } })).toMatchObject({
      warnings: [
        'events: nothing here causes /items/publish.',
        'config: color is unknown.',
        'config: days is unknown.',
        'secret: 15 characters; 16 and more are safe.',
        'level is unknown.',
      ],
    })
    portal.clock.now += 1
    expect((await create(admin, { name: 'All', changes: 'allChanges', events: 'nonsense' })).success).toBe(true)
    const { webhooks } = await admin.get(root)
    expect(webhooks.map(({ events }: Body) => events)).toEqual([['/items/publish', '/items'], ['/']])
  })

  test('is off when a person says so, and on again with another owner where its own may not', async ({
    admin,
    portal,
  }) => {
    const role = await admin.createRole('Hooks', ['portal:admin:manageWebhooks'])
    const anna = await admin.invite('anna', role)
    const hook = await made(anna)
    const { ownerId } = await anna.get(hook)
    for (let time = 0; time < 2; time += 1) expect(await admin.post(`${hook}/deactivate`)).toEqual(success)
    const off = { isActive: false, deactivatedBecause: 'Switched off by admin.', ownerId }
    expect(await anna.get(hook)).toMatchObject(off)
    for (let time = 0; time < 2; time += 1) expect(await anna.post(`${hook}/activate`)).toEqual(success)
    expect(await admin.get(hook)).toMatchObject({ isActive: true, deactivatedBecause: null, ownerId })
    await admin.post('/community/users/anna/disable')
    portal.clock.now += 1
    expect(await admin.post(`${hook}/activate`)).toEqual(success)
    const { user } = await admin.get('/portals/self')
    expect(await admin.get(hook)).toMatchObject({ ownerId: user.id, modified: startOfTests + 1 })
  })

  test('of two that are made at the same time with one name, one is made; of those above 50, none', async ({
    admin,
  }) => {
    const same = await Promise.all(Array.from({ length: 8 }, () => create(admin)))
    expect(same.filter((answer) => answer.success)).toHaveLength(1)
    for (let number = 2; number <= 48; number += 1) await create(admin, { name: `Hook ${number}` })
    const many = await Promise.all(Array.from({ length: 8 }, (_, at) => create(admin, { name: `Late ${at}` })))
    expect(many.filter((answer) => answer.success)).toHaveLength(2)
    expect((await admin.get(root)).total).toBe(50)
  })

  test('is sent to only where the operator has it so, and only to an address that may be', async () => {
    await using portal = await startPortal({ environment: { WEBHOOKS: 'on' }, isReused: false })
    const admin = await portal.admin()
    const url = 'https://192.0.2.1/secret?key=1'
    expect((await create(admin, { url })).error.details).toEqual([
      expect.stringMatching(/^url: The address of 192\.0\.2\.1/),
    ])
    const hook = await made(admin, { url: 'https://93.184.216.34/secret?key=1' })
    expect(await admin.get(hook)).toMatchObject({ payloadUrl: 'https://93.184.216.34/secret?key=1' })
    expect((await admin.post(`${hook}/update`, { url: 'http://93.184.216.34/' })).error.details).toHaveLength(1)
    expect(await admin.post(`${hook}/update`, { url: 'pull:' })).toEqual(success)
    const entries = await recordedOf(portal).entries()
    expect(entries.slice(-1)[0]!.data).toEqual({
      name: 'Catalogue',
      changed: ['url'],
      url: { from: 'https://93.184.216.34', to: 'pull:' },
    })
    expect(JSON.stringify(entries)).not.toContain('key=1')
  })
})

describe('settings', () => {
  const usual = {
    notificationAttempts: 3,
    notificationTimeOutInSeconds: 10,
    notificationElapsedTimeInSeconds: 5,
    retrySchedule: [300, 1800, 7200, 18000, 36000, 50400, 72000, 86400],
  }

  test('change one by one, and the log has both values', async ({ admin, portal }) => {
    expect(await admin.get(`${root}/settings`)).toEqual(usual)
    const update = (numbers: Parameters) => admin.post(`${root}/settings/update`, numbers)
    expect(await update({ notificationAttempts: '0', retrySchedule: '[1]' })).toEqual({
      success: true,
      warnings: ['retrySchedule has no effect here.'],
    })
    expect(await update({ notificationElapsedTimeInSeconds: '100' })).toEqual(success)
    const wrong = { notificationAttempts: '5', notificationTimeOutInSeconds: '61' }
    const detail = 'notificationTimeOutInSeconds: has to be from 0 to 60.'
    expect(await update(wrong)).toEqual(refused('update webhook settings', detail))
    const changed = { ...usual, notificationAttempts: 0, notificationElapsedTimeInSeconds: 100 }
    expect(await admin.get(`${root}/settings`)).toEqual(changed)
    const data = (await recordedOf(portal).entries()).flatMap((entry) => entry.data ?? [])
    expect(data).toContainEqual({ notificationAttempts: { from: 3, to: 0 } })
  })

  test('are of one organization', async ({ admin, outsider }) => {
    await admin.post(`${root}/settings/update`, { notificationAttempts: '1' })
    expect(await outsider.get(`${root}/settings`)).toEqual(usual)
    expect(await admin.get(`${root}/serviceWebhooks`)).toEqual({ webhooks: [] })
  })
})
