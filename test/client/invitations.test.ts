import { chmodSync, mkdirSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, describe, expect, test } from 'vitest'
import type { ArcgisPortal, Fault } from '../support/arcgis/arcgis-portal.ts'
import { fileOf } from '../support/arcgis/collaborations.ts'
import { openArcgis, openCartulary } from './signed-in.ts'

const guest = 'https://guest.example/portal'
const opened: ArcgisPortal[] = []

/** A portal whose person has made one invitation; no request of it may have a byte of an extension. */
async function openInvited(kind: 'online' | 'enterprise' = 'enterprise', quirks = {}) {
  const { portal, desk } = await openArcgis(kind, quirks)
  opened.push(portal)
  const [alps] = portal.collaborations.values()
  const create = (...words: readonly string[]) => desk.run(['invitation', 'create', 'Alps', '--guest', guest, ...words])
  expect((await create()).code).toBe(0)
  const [invitation] = alps!.invitations.values()
  const run = (verb: string, ...words: readonly string[]) =>
    desk.run(['invitation', verb, 'Alps', ...(verb === 'list' ? [] : [invitation!.id]), ...words])
  return { portal, desk, alps: alps!, invitation: invitation!, create, run }
}

afterEach(async () => {
  for (const portal of opened.splice(0)) {
    await portal[Symbol.asyncDispose]()
    expect([portal.extensionBytes, portal.extensions]).toEqual([0, []])
  }
})

function parametersOf(portal: ArcgisPortal, operation: string): readonly Record<string, string>[] {
  const found = portal.calls.filter((call) => call.operation === operation)
  return found.map(({ parameters }) => Object.fromEntries(parameters))
}

describe('the file of an invitation', () => {
  test.each(['online', 'enterprise'] as const)(
    'goes to its output byte for byte, for its owner alone (%s)',
    async (kind) => {
      const { desk, invitation, create, run, alps } = await openInvited(kind)
      const before = readdirSync(desk.folder).length
      const path = desk.file('guest.invite', 'of before')
      chmodSync(path, 0o644)
      expect(await create('-o', path)).toMatchObject({ code: 0, printed: `The invitation is in ${path}.` })
      const [, second] = alps.invitations.values()
      expect(readFileSync(path)).toEqual(fileOf(second!))
      expect(statSync(path).mode & 0o777).toBe(0o600)
      // Nowhere else, whatever name the portal gave it.
      expect(readdirSync(desk.folder)).toHaveLength(before + 1)
      const refreshed = await run('refresh')
      expect([refreshed.code, Buffer.from(refreshed.bytes)]).toEqual([0, fileOf({ ...invitation, revision: 2 })])
    },
  )

  test('is for all workspaces, or those that are named by id or name, in one mode and for so many hours', async () => {
    const { portal, alps, create } = await openInvited()
    const [maps, hazards] = alps.workspaces
    await create('--workspace', 'Hazards', '--access', 'send', '--hours', '2')
    await create('--workspace', maps!.id, '--workspace', 'Hazards', '--workspace', hazards!.id)
    const [first, second, third] = parametersOf(portal, 'inviteParticipant')
    const both = JSON.stringify([{ [maps!.id]: 'sendAndReceive' }, { [hazards!.id]: 'sendAndReceive' }])
    const name = 'collaborationWorkspacesParticipantConfigJSON'
    expect(first).toEqual({ f: 'json', guestPortalUrl: guest, expiration: '72', [name]: both })
    expect(second).toMatchObject({ expiration: '2', [name]: JSON.stringify([{ [hazards!.id]: 'send' }]) })
    expect(third).toMatchObject({ [name]: both })
  })

  test.each<[problem: string, fault: Fault, code: number, says: RegExp]>([
    ['is lost before it is made', { kind: 'lost', when: 'before' }, 1, /^It is not known whether the invitation was/],
    ['is lost after it is made', { kind: 'lost', when: 'after' }, 1, /^It is not known whether the invitation was/],
    ['is a page of a proxy', { kind: 'html' }, 1, /^It is not known whether the invitation was/],
    ['is an error of a gateway', { kind: 'status', code: 502 }, 1, /^It is not known whether the invitation was/],
    ['is an error of the portal', { kind: 'body', code: 500 }, 1, /^It is not known whether the invitation was/],
    ['asks to wait', { kind: 'status', code: 503 }, 2, /status 503/],
    ['has no room', { kind: 'body', code: 429 }, 2, /busy/],
    ['wants another token', { kind: 'body', code: 498 }, 2, /cartulary login/],
    ['is a refusal', { kind: 'body', code: 400 }, 1, /^The portal is busy/],
  ])('is asked for once where the answer %s', async (_, fault, code, says) => {
    const { portal, desk, create, run } = await openInvited()
    portal.plan('inviteParticipant', fault)
    const path = desk.path('guest.invite')
    const ended = await create('-o', path)
    expect([ended.code, ended.complaint]).toEqual([code, expect.stringMatching(says)])
    expect(portal.count('inviteParticipant')).toBe(2)
    expect(desk.waits).toEqual([])
    expect(statSync(path, { throwIfNoEntry: false })).toBeUndefined()
    portal.plan('refreshInvitation', fault)
    const refreshed = await run('refresh')
    expect([refreshed.code, portal.count('refreshInvitation')]).toEqual([code, 1])
  })

  test('has the sentence that leads to what became of it', async () => {
    const { portal, create } = await openInvited()
    portal.plan('inviteParticipant', { kind: 'lost', when: 'after' })
    const { complaint } = await create()
    const [sentence] = complaint.split('\n')
    expect(sentence).toBe('It is not known whether the invitation was made; cartulary invitation list.')
  })

  test('that cannot be written is said to be made', async () => {
    const { portal, desk, create } = await openInvited()
    const folder = desk.path('sent')
    mkdirSync(folder)
    portal.plan('inviteParticipant', {
      kind: 'meanwhile',
      when: 'before',
      act: () => rmSync(folder, { recursive: true }),
    })
    const ended = await create('-o', join(folder, 'guest.invite'))
    expect(ended.code).toBe(1)
    expect(ended.complaint).toMatch(/^The invitation was made, and \S+ cannot be written; cartulary invitation refresh/)
    const none = await create('-o', join(folder, 'guest.invite'))
    expect([none.code, none.complaint]).toEqual([2, expect.stringContaining('There is no folder')])
    expect(portal.count('inviteParticipant')).toBe(2)
  })

  test.each([
    [['--hours', '0']],
    [['--hours', '1.5']],
    [['--access', 'sendreceive']],
    [['--guest', 'ftp://guest.example']],
    [['--guest', 'https://name:secret@guest.example']],
  ])('is not asked for with wrong options, nor is anything else: %j', async (words) => {
    const { portal, create } = await openInvited()
    const sent = portal.calls.length
    const ended = await create(...words)
    expect([ended.code, portal.calls.length]).toEqual([2, sent])
    expect(ended.complaint).not.toContain('secret')
  })
})

describe('an invitation is invalidated', () => {
  test('after its host was typed, and once', async () => {
    const { portal, desk, invitation, run } = await openInvited()
    const words = ['invitation', 'invalidate', 'Alps', invitation.id]
    const wrong = await desk.run(words, { isPerson: true, typed: 'host.example' })
    expect([wrong.code, invitation.status]).toEqual([1, 'host_created'])
    const right = await desk.run(words, { isPerson: true, typed: 'guest.example' })
    expect([right.code, invitation.status]).toEqual([0, 'host_invalidated'])
    expect((await run('invalidate', '--json')).printed).toBe('{"format":1,"success":true,"status":"host_invalidated"}')
    expect(portal.count('invalidateInvitation')).toBe(1)
  })

  test('and is no success where it still is as it was', async () => {
    const { run } = await openInvited('online', { keepsInvitations: true })
    const ended = await run('invalidate', '--yes')
    expect([ended.code, ended.complaint]).toEqual([
      1,
      'The portal says success, and the invitation still is host_created.',
    ])
  })

  test.each<[problem: string, fault: Fault, code: number, times: number]>([
    ['lost after it', { kind: 'lost', when: 'after' }, 0, 1],
    ['lost before it', { kind: 'lost', when: 'before' }, 2, 1],
    ['an error of a gateway', { kind: 'status', code: 502 }, 2, 1],
  ])('or not, as is seen where the answer is %s', async (_, fault, code, times) => {
    const { portal, invitation, run } = await openInvited()
    portal.plan('invalidateInvitation', fault)
    const ended = await run('invalidate', '--yes', '--retries', '0')
    expect([ended.code, portal.count('invalidateInvitation')]).toEqual([code, times])
    expect(invitation.status).toBe(code === 0 ? 'host_invalidated' : 'host_created')
    expect((await run('invalidate', '--yes')).code).toBe(0)
  })

  test('not where the answer is lost, and it was accepted in the meantime', async () => {
    const { portal, invitation, run } = await openInvited()
    portal.plan('invalidateInvitation', { kind: 'lost', when: 'before' })
    const act = () => {
      invitation.status = 'host_accepted'
    }
    portal.plan('invitation', { kind: 'meanwhile', when: 'before', act }, 2)
    const ended = await run('invalidate', '--yes', '--retries', '0')
    expect([ended.code, ended.complaint]).toEqual([
      2,
      expect.stringMatching(/The status of the invitation is host_accepted\.$/),
    ])
  })

  test('or is not known to be, where it cannot be read', async () => {
    const { portal, alps, invitation, run } = await openInvited()
    portal.plan('invitation', { kind: 'html' }, 2)
    const ended = await run('invalidate', '--yes')
    expect([ended.code, ended.complaint]).toEqual([
      1,
      expect.stringMatching(/^It is not known whether the invitation was invalidated; cartulary invitation show\.\n/),
    ])
    invitation.status = 'host_created'
    const act = () => void alps.invitations.delete(invitation.id)
    portal.plan('invalidateInvitation', { kind: 'meanwhile', when: 'after', act })
    expect((await run('invalidate', '--yes')).code).toBe(0)
  })

  test('not if it was accepted, in the words of the portal', async () => {
    const { invitation, run } = await openInvited()
    invitation.status = 'host_accepted'
    const ended = await run('invalidate', '--yes')
    expect([ended.code, ended.complaint]).toEqual([1, 'Unable to process an invitation that is host_accepted.'])
  })
})

test('lists have all pages, and their texts are on one line each', async () => {
  const { portal, desk, alps, invitation, run } = await openInvited()
  for (let at = 1; at < 60; at += 1) alps.invitations.set(String(at), { ...invitation, id: String(at) })
  alps.invitations.set('60', { ...invitation, id: '60', guestPortalUrl: 'https://a\n\u001b]0;b\u0007.example' })
  const { printed } = await run('list')
  expect(printed.split('\n')).toHaveLength(62)
  expect(printed).not.toMatch(/[\u001b\u0007]/u)
  const listed = JSON.parse((await run('list', '--json')).printed)
  expect(listed).toEqual({ format: 1, collaborationInvitations: [...alps.invitations.values()] })
  expect(parametersOf(portal, 'invitations').map(({ start }) => start)).toEqual([
    undefined,
    '26',
    '51',
    undefined,
    '26',
    '51',
  ])
  const other = portal.addCollaboration('Alps', [])
  const both = await desk.run(['collaboration', 'show', 'Alps'])
  expect([both.code, both.complaint]).toEqual([
    2,
    `Several collaborations have the name Alps: ${alps.id}, ${other.id}.`,
  ])
  const shown = await desk.run(['collaboration', 'show', alps.id, '--json'])
  expect(JSON.parse(shown.printed)).toMatchObject({ id: alps.id, workspaces: alps.workspaces, participants: [{}] })
})

test('what a guest may not read of a collaboration is left out, and said', async () => {
  const { portal, desk } = await openInvited()
  portal.plan('participants', { kind: 'body', code: 403 })
  const { code, printed, complaint } = await desk.run(['collaboration', 'show', 'Alps'])
  expect([code, complaint]).toEqual([0, 'Participants are not shown: The portal is busy.'])
  expect(printed).toContain('workspace\t')
})

test('an id that is none is asked for nowhere', async () => {
  const { portal, desk } = await openInvited()
  const sent = portal.calls.length
  const ended = await desk.run(['invitation', 'show', 'Alps', '../../community'])
  expect([ended.code, ended.complaint, portal.calls.length]).toEqual([
    2,
    '../../community is no id of an invitation.',
    sent,
  ])
})

describe('the log of an organization', () => {
  const noon = Date.UTC(2026, 10, 30, 12)

  async function openLog(count: number) {
    const { portal, desk } = await openInvited('online')
    for (let at = 0; at < count; at += 1) {
      portal.log.push({ created: noon + at * 1_000, actor: at % 2 === 0 ? 'anna' : 'bert', action: 'join' })
    }
    return { portal, desk, audit: (...words: readonly string[]) => desk.run(['audit', ...words]) }
  }

  test('has all pages, of what was asked for', async () => {
    const { portal, audit } = await openLog(250)
    const { printed } = await audit()
    expect(printed.split('\n')).toHaveLength(251)
    expect(printed).toMatch(/^time\tactor\taction\t.*\n2026-11-30T12:04:09Z\tbert\tjoin\t/)
    expect(JSON.parse(Buffer.from((await audit('--actor', 'anna', '--json')).bytes).toString()).items).toHaveLength(125)
    await audit('--actor', 'anna', '--actor', 'bert', '--action', 'join', '--since', '2026-11-30')
    expect(parametersOf(portal, 'history').at(-1)).toMatchObject({ actors: 'anna,bert', actions: 'join', all: 'true' })
  })

  test.each([
    ['--since', '2026-11-30', Date.UTC(2026, 10, 30)],
    ['--until', '2026-11-30', Date.UTC(2026, 11, 1) - 1],
    ['--since', '2026-11-30T12:00', noon],
    ['--until', '2026-11-30 13:00:00.5+01:00', noon + 500],
  ])('is read %s %s', async (option, text, time) => {
    const { portal, audit } = await openLog(1)
    expect((await audit(option, text)).code).toBe(0)
    expect(parametersOf(portal, 'history')[0]).toMatchObject({
      [option === '--since' ? 'fromDate' : 'toDate']: String(time),
    })
  })

  test.each(['yesterday', '2026-02-30', '2026-11-30T25:00', '30.11.2026', '2026-13-01', '2026-11-30T12:00Z!'])(
    'is not read since %s',
    async (text) => {
      const { portal, audit } = await openLog(1)
      const sent = portal.calls.length
      expect([(await audit('--since', text)).code, portal.calls.length]).toEqual([2, sent])
    },
  )

  test('is the file of the portal as CSV, whose end is said', async () => {
    const { portal, audit } = await openLog(10_001)
    const { bytes, complaint } = await audit('--csv')
    expect(Buffer.from(bytes).toString()).toMatch(/^\ufeffactor,action\nanna,join\nbert,join\n/)
    expect(Buffer.from(bytes).toString().split('\n')).toHaveLength(10_002)
    expect(complaint).toBe('A file has 10000 entries at most; --until leads to earlier ones.')
    portal.plan('history', { kind: 'html' })
    expect((await audit('--csv')).code).toBe(2)
    portal.plan('history', { kind: 'body', code: 403 })
    expect((await audit('--csv')).code).toBe(1)
  })

  test('is of no Enterprise, which is not asked for it', async () => {
    const { portal, desk } = await openInvited('enterprise')
    expect((await desk.run(['audit'])).code).toBe(2)
    expect(portal.count('history')).toBe(0)
  })
})

test('at Cartulary, a guest gets the file that the host has, until it is refreshed or invalidated', async () => {
  const { portal, desk } = await openCartulary()
  await using _ = portal
  const admin = await portal.admin()
  const path = desk.path('guest.invite')
  const invite = ['invitation', 'create', 'Alps', '--guest', `${guest}/home/`, '--hours', '2']
  expect((await desk.run([...invite, '-o', path])).code).toBe(0)
  const listed = JSON.parse((await desk.run(['invitation', 'list', 'Alps', '--json'])).printed)
  const [invitation] = listed.collaborationInvitations
  expect(invitation).toMatchObject({ guestPortalUrl: guest, status: 'host_created' })
  expect(invitation.expiration - invitation.created).toBe(2 * 3_600_000)
  expect(readFileSync(path, 'utf8')).toBe(invitation.invitationString)

  portal.clock.now += 60_000
  const words = ['Alps', invitation.id]
  const refreshed = await desk.run(['invitation', 'refresh', ...words, '--json'])
  const { file } = JSON.parse(refreshed.printed)
  expect(file).not.toBe(invitation.invitationString)
  const shown = JSON.parse((await desk.run(['invitation', 'show', ...words, '--json'])).printed)
  expect(shown).toMatchObject({ invitationString: file, status: 'host_created' })
  expect((await desk.run(['invitation', 'show', ...words])).printed).toMatch(/\nrefresh\t\d{4}-\S+ admin$/)
  expect((await desk.run(['invitation', 'invalidate', ...words, '--yes'])).code).toBe(0)
  const host = `/portals/self/collaborations/${invitation.collaborationId}/invitations/${invitation.id}`
  expect((await admin.get(host)).status).toBe('host_invalidated')

  const log = JSON.parse(Buffer.from((await desk.run(['audit', '--actor', 'admin', '--json'])).bytes).toString())
  expect(log.items.map(({ data }: { data: { operation: string } }) => data.operation)).toEqual(
    expect.arrayContaining(['inviteParticipant', 'refreshInvitation', 'invalidateInvitation']),
  )
  const csv = Buffer.from((await desk.run(['audit', '--csv', '--action', 'invalidate'])).bytes).toString()
  expect(csv).toContain('invalidateInvitation')
  const { token } = await portal.user('guest')
  const environment = { CARTULARY_URL: portal.url, CARTULARY_TOKEN: token! }
  const refused = await desk.run(['audit', '--csv'], { environment })
  expect([refused.code, refused.bytes.length]).toEqual([1, 0])
})
