import { describe, expect, test } from 'vitest'
import { operatorName } from '../../src/cli/accounts/operator.ts'
import { query } from './beside.ts'
import { before, openRotatable, openWith, settingsFor } from './rotated-database.ts'
import { command } from './run-command.ts'

/** A server, and the commands of its operator beside it. */
async function openServed() {
  const url = await openRotatable()
  const portal = await openWith(url, before)
  const app = (...words: readonly string[]) => command(['app', ...words], settingsFor(url, before))
  const { id } = await (await portal.admin()).get('/portals/self')
  return { url, portal, app, portalId: id as string, [Symbol.asyncDispose]: () => portal[Symbol.asyncDispose]() }
}

const secretOf = (printed: string) => /^Client secret {2}(\S{43})$/m.exec(printed)![1]!
const redirect = ['--redirect-uri', 'https://app.example.com/']

describe('beside a running server', () => {
  test('an app is registered, listed, gets another secret, and ends', async () => {
    await using world = await openServed()
    const { portal, app, portalId, url } = world
    const made = await app('register', '--organization', portalId, '--title', 'Robot', '--type', 'server', ...redirect)
    expect([made.code, made.complaint]).toEqual([0, ''])
    const clientId = /^Client id {6}(\S{16})$/m.exec(made.printed)![1]!
    const secret = secretOf(made.printed)
    const ask = async (client_secret: string) => {
      const asked = { grant_type: 'client_credentials', client_id: clientId, client_secret }
      return 'access_token' in (await portal.anonymous.post('/oauth2/token', asked))
    }
    expect(await ask(secret)).toBe(true)
    const nextYear = /^Ends {11}(\S{10})T/m.exec(made.printed)![1]!
    expect((await app('list')).printed).toContain(`${portalId}  ${clientId}  server    enabled   ${nextYear}  Robot`)

    const second = secretOf((await app('renew-secret', clientId)).printed)
    expect([await ask(secret), await ask(second)]).toEqual([true, true])
    const third = secretOf((await app('renew-secret', clientId, '--end-former')).printed)
    expect([await ask(secret), await ask(second), await ask(third)]).toEqual([false, false, true])

    expect((await app('disable', clientId, '--organization', portalId)).code).toBe(0)
    expect([(await app('list')).printed.includes(`${clientId}  server    disabled`), await ask(third)]).toEqual([
      true,
      false,
    ])
    expect((await app('enable', clientId)).code).toBe(0)
    expect(await ask(third)).toBe(true)

    expect((await app('unregister', clientId)).code).toBe(0)
    expect(await ask(third)).toBe(false)
    const audit = await query(url, "select operation, username from audit where username like 'operator:%'")
    const operations = [
      'registerOperatorApp',
      'renewOperatorSecret',
      'renewOperatorSecret',
      'switchOperatorApp',
      'switchOperatorApp',
      'unregisterOperatorApp',
    ]
    expect(audit).toEqual(operations.map((operation) => ({ operation, username: operatorName() })))
    const stored = JSON.stringify([audit, await query(url, 'select * from audit')])
    for (const one of [secret, second, third]) expect(stored).not.toContain(one)
  })

  test('the application of the server is listed, switched off and on again, as other built-in apps are', async () => {
    await using world = await openServed()
    const { portal, app, portalId } = world
    const admin = await portal.admin()
    const listed = async (clientId: string) =>
      new RegExp(`^${portalId}  ${clientId} +\\S+ +(\\S+)`, 'm').exec((await app('list')).printed)?.[1]
    for (const clientId of ['cartulary', 'pythonapi']) {
      expect(await listed(clientId)).toBe('enabled')
      const { printed } = await app('disable', clientId)
      expect(printed).toContain(`"cartulary app enable ${clientId}" switches it on again.`)
      expect(await listed(clientId)).toBe('disabled')
      expect(await admin.get(`/oauth2/apps/${clientId}`)).toMatchObject({ disabled: true })
      expect((await app('enable', clientId, '--organization', portalId)).printed).toMatch(/ is switched on\.$/)
      expect(await listed(clientId)).toBe('enabled')
    }
  })

  test('a title that would steer the terminal is printed without that', async () => {
    await using world = await openServed()
    const title = 'Küste\u001b]0;x\u0007'
    await world.app('register', '--organization', world.portalId, '--title', title, '--type', 'browser')
    expect((await world.app('list')).printed).toMatch(/ {2}Küste\?\]0;x\?$/m)
  })

  test('what is wrong is said in one sentence, and nothing is registered', async () => {
    await using world = await openServed()
    const { app, portalId } = world
    const named = ['--organization', portalId, '--title', 'Robot']
    for (const [words, sentence] of [
      [['register', '--title', 'Robot'], 'app register needs --organization'],
      [['register', '--organization', portalId], 'app register needs --title.'],
      [['register', '--organization', portalId, '--title', 'x'.repeat(65)], 'The title has 65 letters; at most 64'],
      [['register', ...named, '--type', 'robot'], '--type has to be one of browser, native, server, multiple.'],
      [
        ['register', ...named, '--redirect-uri', 'data:x'],
        '--redirect-uri /0 has the scheme data, which is not allowed.',
      ],
      [['register', ...named, '--privilege', 'all'], '--privilege /0 is not a privilege.'],
      [['register', '--organization', 'none', '--title', 'Robot'], 'There is no organization none;'],
      [['renew-secret', 'none'], 'There is no app none;'],
      [['unregister', 'arcgisonline'], 'There is no app arcgisonline;'],
      [['unregister'], 'app unregister needs a client id.'],
      [['disable'], 'app disable needs a client id.'],
      [['enable', 'none'], 'There is no app none;'],
      [['disable', 'cartulary', '--organization', 'none'], 'There is no organization none;'],
    ] as const) {
      const { code, complaint } = await app(...words)
      expect(code).not.toBe(0)
      expect(complaint).toContain(sentence)
    }
    expect((await app('list')).printed).toMatch(
      /^(?:\S+ {2}(?:cartulary|arcgisonline|pythonapi) .* {2}enabled .*\n?)+$/,
    )
  })
})
