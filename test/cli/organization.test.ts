import { existsSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import { operatorName } from '../../src/cli/accounts/operator.ts'
import { temporaryFile } from '../storage/sqlite/temporary-file.ts'
import { resourceNotFound } from '../support/portal/envelopes.ts'
import { copyOf, originalFile } from './copied-database.ts'
import { before, settingsFor } from './rotated-database.ts'
import { command, openHere } from './run-command.ts'

const seas = ['create', '--name', 'Institute of Seas', '--admin', 'sea']

function environmentOf(url: string): Readonly<Record<string, string>> {
  return { ...settingsFor(url, before), PUBLIC_URL: 'https://maps.example.com', TRUST_PROXY: 'false' }
}

/** A database of one organization, with a group, that tests copy. */
let original: string

beforeAll(async () => {
  original = `file:${originalFile()}`
  await using portal = await open(original)
  await (await portal.admin()).createGroup('Maps', { access: 'org' })
}, 600_000)

function organizationCommand(url: string, ...words: readonly string[]) {
  return command(['organization', ...words], environmentOf(url))
}

/** Creates the second organization with a password of standard input. */
function createWith(password: string, url: string) {
  const words = ['organization', ...seas, '--password-stdin']
  return command(words, environmentOf(url), new AbortController().signal, password)
}

/** A server on that database. */
const open = (url: string) => openHere(environmentOf(url))

describe('organization create', () => {
  test('makes an organization whose administrator signs in, and sees nothing of the first', async () => {
    const url = await copyOf(original)
    const { code, printed } = await createWith('deep blue water', url)
    expect(code).toBe(0)
    expect(printed).toMatch(/Organization {3}Institute of Seas \([A-Za-z0-9]{16}\)/)
    expect(printed).not.toContain('deep blue water')
    await using portal = await open(url)
    const sea = await portal.signIn('sea', 'deep blue water')
    const admin = await portal.admin()
    const { id: firstId } = await admin.get('/portals/self')
    expect(await sea.get('/portals/self')).toMatchObject({ name: 'Institute of Seas', user: { role: 'org_admin' } })
    expect(await sea.get('/portals/self/users')).toMatchObject({ total: 1, users: [{ username: 'sea' }] })
    expect(await sea.get('/community/groups', { q: 'Maps' })).toMatchObject({ total: 0 })
    expect(await sea.get(`/portals/${firstId}/users`)).toEqual(resourceNotFound)
    expect(await portal.anonymous.get('/portals/self')).toMatchObject({ id: firstId })
    const { collaboration } = await sea.post('/portals/self/createCollaboration', {
      name: 'Tides',
      workspaceName: 'Tides',
      accessMode: 'sendAndReceive',
    })
    const path = `/portals/self/collaborations/${collaboration.id}`
    const { workspaces } = await sea.get(`${path}/workspaces`)
    const invitation = await sea.post(`${path}/inviteParticipant`, {
      guestPortalUrl: 'https://guest.example.org',
      collaborationWorkspacesParticipantConfigJSON: [{ [workspaces[0].id]: 'send' }],
    })
    expect(invitation).toHaveProperty('invitationRequest')
  })

  test('generates a password where none is given, and prints it once', async () => {
    const url = await copyOf(original)
    const { printed } = await organizationCommand(url, ...seas)
    const password = /Password {7}(\S{20,})/.exec(printed)![1]!
    expect(printed.split(password)).toHaveLength(2)
    await using portal = await open(url)
    expect((await portal.signIn('sea', password)).token).toMatch(/^\S{43}$/)
  })

  test.each([
    ['whose username is taken', ['create', '--name', 'Seas', '--admin', 'ADMIN'], /^The username ADMIN is taken\.$/],
    ['whose username is none', ['create', '--name', 'Seas', '--admin', 'a b'], /username/i],
  ])('with an administrator %s is refused, and makes nothing', async (_how, words, complaint) => {
    const url = await copyOf(original)
    const ended = await organizationCommand(url, ...words)
    expect(ended.code).toBe(1)
    expect(ended.complaint).toMatch(complaint)
    expect(ended.complaint).not.toContain('\n')
    expect((await organizationCommand(url, 'list')).printed.split('\n')).toHaveLength(1)
  })

  test('takes no password from its arguments, which others see, and no short one', async () => {
    const url = await copyOf(original)
    expect(await organizationCommand(url, ...seas, '--password', 'deep blue water')).toMatchObject({ code: 2 })
    expect(await createWith('blue', url)).toMatchObject({ code: 1, complaint: expect.stringMatching(/password/i) })
    expect((await organizationCommand(url, 'list')).printed.split('\n')).toHaveLength(1)
  })

  test('works while a server runs on that database, which has the organization immediately', async () => {
    const url = await copyOf(original)
    await using portal = await open(url)
    expect(await createWith('deep blue water', url)).toMatchObject({ code: 0 })
    const sea = await portal.signIn('sea', 'deep blue water')
    expect(await sea.get('/portals/self')).toMatchObject({ name: 'Institute of Seas' })
    const { items } = await sea.get('/portals/self/history', { all: 'true' })
    expect(items).toContainEqual(expect.objectContaining({ actor: operatorName(), action: 'create' }))
  })
})

describe('organization list', () => {
  test('names every organization with its id and its access', async () => {
    const url = await copyOf(original)
    await using _server = await open(url)
    await organizationCommand(url, ...seas)
    const { code, printed } = await organizationCommand(url, 'list')
    expect(code).toBe(0)
    expect(await command(['portal', 'list'], environmentOf(url))).toMatchObject({ code: 0, printed })
    expect(printed.split('\n').sort((one, other) => one.slice(16).localeCompare(other.slice(16)))).toEqual([
      expect.stringMatching(/^[A-Za-z0-9]{16} {2}private {2}Cartulary$/),
      expect.stringMatching(/^[A-Za-z0-9]{16} {2}private {2}Institute of Seas$/),
    ])
  })
})

test('organization list makes no database where there is none', async () => {
  const file = temporaryFile()
  const { code, complaint } = await command(['organization', 'list'], { DATABASE_URL: `file:${file}` })
  expect([code, complaint]).toEqual([1, `There is no database at ${file}.`])
  expect(existsSync(file)).toBe(false)
})
