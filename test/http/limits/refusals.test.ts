import { expect, onTestFinished, test, vi } from 'vitest'
import { betweenFlushes } from '../../../src/http/refusals.ts'
import { recordedOf } from '../../support/databases/raw-database.ts'
import { permissionDenied } from '../../support/portal/envelopes.ts'
import { startPortal } from '../../support/portal/portal.ts'
import { until } from '../../support/until.ts'

test('a user who is refused often has one entry for all refusals beyond the limit, and others are not affected', async () => {
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
  vi.advanceTimersByTime(betweenFlushes)
  await until('the count is written', async () => (await entries()).length === first.length + 1)
  expect(await entries()).toEqual([...first, entry('anna', `${target} and 2 more`)])

  await refuse(1, bert)
  expect((await entries()).at(-1)).toEqual(entry('bert'))
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
