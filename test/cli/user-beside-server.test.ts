import { describe, expect, test } from 'vitest'
import { operatorName } from '../../src/cli/accounts/operator.ts'
import { changeTemporary, sendNewPassword } from '../support/portal/oauth.ts'
import { adminPassword, type TestPortal } from '../support/portal/portal.ts'
import { until } from '../support/until.ts'
import { query } from './beside.ts'
import { before, openRotatable, openWith, settingsFor } from './rotated-database.ts'
import { command } from './run-command.ts'

/** A server with two organizations, and the commands of its operator beside it. */
async function openServed() {
  const url = await openRotatable()
  const portal = await openWith(url, before)
  const user = (...words: readonly string[]) => command(['user', ...words], settingsFor(url, before))
  return { url, portal, user, [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose]() }
}

const newPassword = (printed: string) => /^Password {2}(\S{24})$/m.exec(printed)![1]!

async function failSignIns(portal: TestPortal, times: number): Promise<void> {
  for (let time = 0; time < times; time += 1) {
    await portal.anonymous.post('/generateToken', { username: 'admin', password: `wrong ${time}` })
  }
}

describe('beside a running server', () => {
  test('user reset gives a password that is printed once, ends every session and the limits on sign-in', async () => {
    await using world = await openServed()
    const { portal, user, url } = world
    const admin = await portal.admin()
    expect(await admin.get('/community/self')).toMatchObject({ username: 'admin' })
    await failSignIns(portal, 10)
    expect(await portal.anonymous.post('/generateToken', { username: 'admin', password: adminPassword })).toMatchObject(
      {
        error: { code: 429 },
      },
    )
    const { code, printed, complaint } = await user('reset', 'ADMIN')
    expect([code, complaint]).toEqual([0, ''])
    const password = newPassword(printed)
    expect(printed.split(password)).toHaveLength(2)
    // A server on PostgreSQL is notified of it.
    await until('the session has ended', async () => (await admin.get('/community/self')).error?.code === 498)
    expect(await portal.anonymous.post('/generateToken', { username: 'admin', password: adminPassword })).toMatchObject(
      {
        error: { code: 400 },
      },
    )
    const recovered = await changeTemporary(portal, 'admin', password)
    const { items } = await recovered.get('/portals/self/history', { all: 'true', actors: operatorName() })
    expect(items).toEqual([
      expect.objectContaining({
        actor: operatorName(),
        action: 'reset',
        data: expect.objectContaining({ outcome: 'success' }),
      }),
    ])
    expect(JSON.stringify(await query(url, 'select * from audit'))).not.toContain(password)
  })

  test('user role makes an administrator where none is left, and user enable lets a disabled one in', async () => {
    await using world = await openServed()
    const { portal, user, url } = world
    const anna = await (await portal.admin()).invite('anna')
    await query(url, "update users set disabled = 1 where username = 'admin'")
    expect((await command(['organization', 'list'], settingsFor(url, before))).printed).toMatch(
      /^\S{16} {2}private {2}Cartulary {2}\(no administrator who may sign in\)$/m,
    )
    expect(await anna.get('/portals/self/history')).toMatchObject({ error: { code: 403 } })
    expect(await user('role', 'anna', 'org_admin')).toEqual({
      code: 0,
      printed: 'anna has the role org_admin.',
      complaint: '',
    })
    await until('the server is notified', async () => 'items' in (await anna.get('/portals/self/history')))
    expect(await user('enable', 'admin')).toEqual({ code: 0, printed: 'admin is enabled.', complaint: '' })
    const admin = await portal.admin()
    const { items } = await admin.get('/portals/self/history', {
      all: 'true',
      actors: operatorName(),
      sortOrder: 'asc',
    })
    expect(items.map(({ action, id }: { action: string; id: string }) => [action, id])).toEqual([
      ['updateUserRole', 'anna'],
      ['enable', 'admin'],
    ])
    expect(await user('role', 'anna', 'org_user')).toMatchObject({ code: 0 })
    expect(await user('role', 'admin', 'org_user')).toEqual({
      code: 1,
      printed: '',
      complaint: 'admin is the last administrator of the organization.',
    })
  })

  test('user list has every user with role and state, or those of one organization', async () => {
    await using world = await openServed()
    const { portal, user } = world
    const admin = await portal.admin()
    await admin.invite('anna')
    await admin.post('/community/users/anna/disable')
    const { printed } = await user('list')
    expect(printed.split('\n').map((line) => line.slice(18).split(/ {2,}/).join(' '))).toEqual(
      expect.arrayContaining([
        expect.stringMatching(/^org_admin enabled \d{4}-\d\d-\d\d admin$/),
        expect.stringMatching(/^org_user disabled \S+ anna$/),
        expect.stringMatching(/^org_admin enabled \S+ outsider$/),
      ]),
    )
    expect(printed.split('\n')).toHaveLength(3)
    const { id } = await admin.get('/portals/self')
    expect((await user('list', '--organization', id)).printed.split('\n')).toHaveLength(2)
    expect(await user('list', '--organization', 'nowhere')).toMatchObject({
      code: 1,
      complaint: 'There is no organization nowhere; "cartulary organization list" lists all of them.',
    })
  })
})

describe('sessions and links beside a running server', () => {
  test('user reset --link prints a link by which the user chooses a password', async () => {
    await using world = await openServed()
    const { portal, user } = world
    const admin = await portal.admin()
    const { code, printed } = await user('reset', 'admin', '--link')
    expect(code).toBe(0)
    const link = /\/sharing\/rest\/oauth2\/newPassword\?link=([\w-]{43})$/m.exec(printed)![1]!
    expect(await admin.get('/community/self')).toMatchObject({ username: 'admin' })
    const newPassword = 'chosen by a link'
    expect((await sendNewPassword(portal, { link, newPassword })).body).toContain('Password changed')
    expect((await portal.signIn('admin', newPassword)).token).toBeDefined()
  })

  test('user sessions lists the sign-ins of a user, and ends them; user disable does so for good', async () => {
    await using world = await openServed()
    const { portal, user } = world
    const anna = await (await portal.admin()).invite('anna')
    expect((await user('sessions', 'anna')).printed).toMatch(/^\S+ {2}until \S+ {2}token .* 127\.0\.0\.1 /)
    expect(await user('sessions', 'anna', '--end')).toEqual({
      code: 0,
      printed: 'Every session of anna has ended.',
      complaint: '',
    })
    await until('the session has ended', async () => (await anna.get('/community/self')).error?.code === 498)
    expect((await user('sessions', 'anna')).printed).toBe('anna has no session.')
    const again = await portal.signIn('anna', adminPassword)
    expect(await user('disable', 'anna')).toMatchObject({ code: 0, complaint: '' })
    await until('the session has ended', async () => (await again.get('/community/self')).error?.code === 498)
    expect(await user('disable', 'admin')).toMatchObject({
      code: 1,
      complaint: 'admin is the last administrator of the organization.',
    })
  })

  test('user create makes a user whose password has to be changed, in the organization that is named', async () => {
    await using world = await openServed()
    const { portal, user } = world
    const { id } = await (await portal.admin()).get('/portals/self')
    const { printed } = await user('create', 'bruno', '--organization', id, '--role', 'org_admin')
    const bruno = await changeTemporary(portal, 'bruno', newPassword(printed))
    expect(await bruno.get('/community/self')).toMatchObject({ username: 'bruno', role: 'org_admin', orgId: id })
    const refused = async (...words: readonly string[]) => (await user('create', ...words)).complaint
    expect(await refused('bruno', '--organization', id)).toBe('The username bruno is taken.')
    expect(await refused('carla')).toBe(
      'There are 2 organizations: choose one by --organization; "cartulary organization list" lists all of them.',
    )
    expect(await refused('carla', '--organization', id, '--role', 'king')).toContain('The role king does not exist.')
    expect(await refused('c', '--organization', id)).toContain('A username has 3 to 128')
  })
})
