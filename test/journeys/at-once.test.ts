import { refused } from '../support/portal/envelopes.ts'
import { adminPassword, type Body, type Client } from '../support/portal/portal.ts'
import { describe, expect, test } from '../support/portal/test.ts'

/** Requests of which each is right alone, and not all of them together: on one server, and on several. */

const success = { success: true }
const newPassword = 'a new password of mine'

function changePassword(client: Client, parameters: Readonly<Record<string, string>>): Promise<Body> {
  return client.post('/community/users/anna/changePassword', parameters)
}

test('ten invitations of one username make one user', async ({ admin }) => {
  const invitationList = { invitations: [{ username: 'anna', password: adminPassword }] }
  const answers = await Promise.all(
    Array.from({ length: 10 }, () => admin.post('/portals/self/invite', { invitationList })),
  )
  expect(answers.filter(({ notInvited }) => notInvited.length === 0)).toHaveLength(1)
  expect(await admin.get('/portals/self/users')).toMatchObject({ total: 2 })
})

test('of two administrators who disable each other one stays', async ({ admin }) => {
  const chief = await admin.invite('chief', 'org_admin')
  const answers = await Promise.all([
    admin.post('/community/users/chief/disable'),
    chief.post('/community/users/admin/disable'),
  ])
  expect(answers.filter((answer) => answer.success)).toHaveLength(1)
})

test('of the last two workspaces of a collaboration one stays', async ({ host }) => {
  const { workspace } = await host.client.post(`${host.path}/addWorkspace`, { collaborationWorkspaceName: 'Glaciers' })
  const answers = await Promise.all(
    [host.workspaceId, workspace.id].map((id) => host.client.post(`${host.path}/workspaces/${id}/delete`)),
  )
  expect(answers.filter((answer) => answer.success)).toHaveLength(1)
  expect(await host.client.get(`${host.path}/workspaces`)).toMatchObject({ total: 1 })
})

describe('a password', () => {
  test('that its user changes twice is changed once', async ({ anna }) => {
    const answers = await Promise.all(
      ['first new password', 'second new password'].map((password) =>
        changePassword(anna, { oldPassword: adminPassword, newPassword: password }),
      ),
    )
    expect(answers.filter((answer) => answer.success)).toHaveLength(1)
  })

  test('that two administrators set is set once, unless one of them came later', async ({ admin }) => {
    await admin.invite('anna')
    const tooLate = refused('change password', 'The password was changed meanwhile.')
    const seen = new Set<string>()
    // Between several servers, one may be done before the other has begun; but not every time.
    for (let round = 0; round < 20 && seen.size < 2; round += 1) {
      const passwords = [`first new password ${round}`, `second new password ${round}`]
      const answers = await Promise.all(passwords.map((password) => changePassword(admin, { newPassword: password })))
      expect(answers).toContainEqual(success)
      for (const answer of answers) seen.add(JSON.stringify(answer))
    }
    expect(seen).toEqual(new Set([success, tooLate].map((answer) => JSON.stringify(answer))))
  })

  test.for([
    [
      'sign-ins',
      ({ portal }: Client, password: string) =>
        portal.anonymous.post('/generateToken', { username: 'admin', password }),
    ],
    ['changes of it', (anna: Client, oldPassword: string) => changePassword(anna, { oldPassword, newPassword })],
  ] as const)('is guessed ten times and not more, by %s', async ([_, guess], { anna }) => {
    const guesses = await Promise.all(Array.from({ length: 60 }, (_, at) => guess(anna, `guess ${at}`)))
    const codes = guesses.map(({ error }) => error.code)
    expect(codes.filter((code) => code === 400)).toHaveLength(10)
    expect(codes.filter((code) => code === 429)).toHaveLength(50)
  })
})
