import { writeFileSync } from 'node:fs'
import { readConfig } from '../../../../src/config.ts'
import { openServer } from '../../../../src/server.ts'
import { preparedDatabase } from '../../../support/databases/prepared-sqlite.ts'
import { refused } from '../../../support/portal/envelopes.ts'
import { adminPassword, type Client, cheapPasswords } from '../../../support/portal/portal.ts'
import { Folder } from '../../../support/portal/process.ts'
import { expect, test } from '../../../support/portal/test.ts'

const common = 'The password is one of the most common ones, which are tried first: choose another.'
const ownName = 'The password is little more than the username: choose another.'
const portalName = 'The password is little more than the name of the organization: choose another.'

/** Every way of the API to give a password, for a user who is called Anna.Atlas, and the parameter that is named. */
const ways: readonly [string, string, (anna: Client, admin: Client, password: string) => Promise<unknown>][] = [
  [
    'changePassword',
    'newPassword',
    (anna, _admin, newPassword) =>
      anna.post('/community/users/anna.atlas/changePassword', { oldPassword: adminPassword, newPassword }),
  ],
  [
    'reset',
    'newPassword',
    (_anna, admin, newPassword) => admin.post('/community/users/anna.atlas/reset', { newPassword }),
  ],
  ['update', 'password', (_anna, admin, password) => admin.post('/community/users/anna.atlas/update', { password })],
]

const tasks: Readonly<Record<string, string>> = {
  changePassword: 'change password',
  reset: 'reset the password',
  update: 'update user',
}

test.for(ways)(
  '%s refuses a weak password in a sentence, and the old one stays',
  async ([operation, parameter, give], { portal, admin }) => {
    const anna = await admin.invite('Anna.Atlas')
    for (const [password, problem] of [
      ['Password1', common],
      ['anna.atlas2026', ownName],
      ['MinistryOfMaps!', portalName],
    ] as const) {
      expect(await give(anna, admin, password)).toEqual(refused(tasks[operation]!, `${parameter}: ${problem}`))
    }
    expect((await portal.signIn('anna.atlas', adminPassword)).token).toBeDefined()
  },
)

test.for([
  ['changePassword', 'oldPassword'],
  ['reset', 'password'],
] as const)('%s refuses the present password as the new one', async ([operation, present], { anna }) => {
  const path = `/community/users/anna/${operation}`
  const answer = await anna.post(path, { [present]: adminPassword, newPassword: adminPassword })
  const problem = 'newPassword: The new password is the present one: choose another.'
  expect(answer).toEqual(refused(tasks[operation]!, problem))
  expect((await anna.get('/community/self')).username).toBe('anna')
})

test('a weak password makes no administrator, and stops no server that has one', async () => {
  using folder = new Folder()
  writeFileSync(`${folder.path}/maps.db`, await preparedDatabase())
  const open = async (ADMIN_PASSWORD: string) => {
    const settings = {
      DATABASE_URL: `file:${folder.path}/maps.db`,
      LOG_LEVEL: 'silent',
      SECRET_KEY: 'the secret of the servers of this test',
    }
    const server = await openServer(readConfig({ ...settings, ADMIN_PASSWORD }), { passwords: cheapPasswords })
    await server.close()
  }
  const problem = 'ADMIN_PASSWORD is little more than the name of the organization: choose another.'
  await expect(open('cartulary-admin')).rejects.toThrow(problem)
  await open(adminPassword)
  await open('cartulary-admin')
})

test('a weak password makes no user', async ({ admin }) => {
  const invitations = [
    { username: 'anna.atlas', password: 'Password1' },
    { username: 'bruno.berg', password: 'Bruno.Berg!' },
    { username: 'carla', password: 'ministry of maps' },
  ]
  expect(await admin.post('/portals/self/invite', { invitationList: { invitations } })).toEqual({
    success: true,
    notInvited: ['anna.atlas', 'bruno.berg', 'carla'],
    reasons: [`anna.atlas: ${common}`, `bruno.berg: ${ownName}`, `carla: ${portalName}`],
    warnings: ['No user was invited.'],
  })
})
