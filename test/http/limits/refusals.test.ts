import { expect, onTestFinished, test, vi } from 'vitest'
import { flushInterval } from '../../../src/http/requests/refusals.ts'
import { recordedOf } from '../../support/databases/raw-database.ts'
import { permissionDenied } from '../../support/portal/envelopes.ts'
import { startPortal } from '../../support/portal/portal.ts'
import { until } from '../../support/until.ts'

test('a user who is refused often has one entry for all refusals above the limit, and others are not affected', async () => {
  vi.useFakeTimers({ toFake: ['setInterval'] })
  onTestFinished(() => void vi.useRealTimers())
  await using portal = await startPortal({ environment: { LIMIT_REFUSALS_RECORDED: '2' }, isReused: false })
  const [anna, bert] = [await portal.user('anna'), await portal.user('bert')]
  const target = '/portals/self/assignCategorySchema'
  const entries = async () =>
    (await recordedOf(portal).entries())
      .filter(({ outcome }) => outcome !== 200)
      .map(({ username, operation, outcome, target: place }) => [username, operation, outcome, place])
  const refuse = async (times: number, user = anna) => {
    for (let time = 0; time < times; time += 1) {
      expect(await user.post(target, { categorySchema: '{}' })).toEqual(permissionDenied)
    }
  }
  const entry = (username: string, place = target) => [username, 'assignPortalCategorySchema', 403, place]

  await refuse(5)
  await refuse(1, bert)
  const first = [entry('anna'), entry('anna'), entry('bert')]
  expect(await entries()).toEqual(first)

  // The token may be gone when the count is written.
  await portal.anonymous.post('/oauth2/revokeToken', { auth_token: anna.token })
  vi.advanceTimersByTime(flushInterval)
  await until('the count is written', async () => (await entries()).length === first.length + 1)
  expect(await entries()).toEqual([...first, entry('anna', `${target} and 2 more`)])

  await refuse(1, bert)
  expect((await entries()).at(-1)).toEqual(entry('bert'))
})

test('refusals of one kind hide none of another', async () => {
  await using portal = await startPortal({ environment: { LIMIT_REFUSALS_RECORDED: '2' }, isReused: false })
  const admin = await portal.admin()
  const path = '/portals/self/assignCategorySchema'
  const categorySchema = { categorySchema: [{ title: 'Themes' }] }
  for (let time = 0; time < 4; time += 1) await admin.post(path, { categorySchema: '{}' })
  await admin.post(path, { categorySchema, ifVersion: '7' })
  const outcomes = async () =>
    (await recordedOf(portal).entries()).map(({ outcome }) => outcome).filter((outcome) => outcome !== 200)
  expect(await outcomes()).toEqual([400, 400, 409])
})

test('what was counted is written when the server ends', async () => {
  await using portal = await startPortal({ environment: { LIMIT_REFUSALS_RECORDED: '1' }, isReused: false })
  const [anna, bert] = [await portal.user('anna'), await portal.user('bert')]
  const recorded = recordedOf(portal)
  for (const user of [anna, bert]) {
    for (let time = 0; time < 4; time += 1)
      await user.post('/portals/self/assignCategorySchema', { categorySchema: '{}' })
  }
  await portal.server.app.close()
  const targets = (await recorded.entries()).filter(({ outcome }) => outcome === 403).map(({ target }) => target)
  expect(targets.filter((target) => target?.endsWith(' and 2 more'))).toHaveLength(2)
})

test('refused parts of calls count as refusals, and what the calls did is written all the same', async () => {
  await using portal = await startPortal({ environment: { LIMIT_REFUSALS_RECORDED: '2' }, isReused: false })
  const [admin, anna] = [await portal.admin(), await portal.user('anna')]
  const ids: string[] = []
  for (const [owner, title] of [
    [admin, 'Seas'],
    [anna, 'Lakes'],
    [anna, 'Rivers'],
    [anna, 'Coasts'],
    [anna, 'Islands'],
  ] as const) {
    const path = `/content/users/${owner === admin ? 'admin' : 'anna'}/addItem`
    ids.push((await owner.post(path, { title, type: 'Web Map' })).id)
  }
  const [foreign, ...own] = ids
  for (const id of own) await anna.post('/content/users/anna/deleteItems', { items: `${foreign},${id}` })
  const recorded = recordedOf(portal)
  const listed = async () =>
    (await recorded.entries())
      .filter(({ operation }) => operation === 'deleteItems')
      .map(({ outcome, data, target }) => (outcome === 200 ? data?.['targets'] : [outcome, target]))
  const refused = [400, '/content/users/anna/deleteItems']
  const [first, second, third, fourth] = own.map((id) => [id])
  const written = [first, refused, second, refused, third, fourth]
  expect(await listed()).toEqual(written)
  expect(await anna.post('/portals/self/createRole', { name: 'Mine' })).toEqual(permissionDenied)
  // Refusals of another operation are written all the same.
  expect((await recorded.entries()).at(-1)).toMatchObject({ operation: 'createRole', outcome: 403 })
  await portal.server.app.close()
  expect(await listed()).toEqual([...written, [400, '/content/users/anna/deleteItems and 1 more']])
})
