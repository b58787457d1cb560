import { expect, test, vi } from 'vitest'
import { ArcgisPortal } from '../support/arcgis/arcgis-portal.ts'
import { seededRandom } from '../support/inputs/seeded-random.ts'
import { countOf } from '../support/length.ts'
import { startListeningPortal } from '../support/portal/listening-portal.ts'
import { adminPassword } from '../support/portal/portal.ts'
import { MeasuredClient } from './measured-client.ts'
import { Secrets } from './secrets.ts'
import { water } from './signed-in.ts'

/** Sizes, by TAKEOVER_ITEMS, TAKEOVER_GROUPS, TAKEOVER_KILLS and TAKEOVER_CHANGED of the environment where these are set. */
const given = (name: string, otherwise: number) => Number(process.env[`TAKEOVER_${name}`] ?? otherwise)
const itemCount = given('ITEMS', countOf({ sample: 150, long: 100_000 }))
const groupCount = given('GROUPS', countOf({ sample: 3, long: 200 }))
const kills = given('KILLS', countOf({ sample: 3, long: 10 }))
const changedCount = given('CHANGED', countOf({ sample: 5, long: 50 }))

// Sources are asked slowly, and machines may be busy.
vi.setConfig({ testTimeout: 600_000 + 200 * itemCount })

function fill(source: ArcgisPortal): readonly string[] {
  for (const name of ['bert', 'carla', 'dora']) source.addUser(name, 'org_user')
  source.schemas.set(source.id, structuredClone(water))
  const groups = Array.from({ length: groupCount }, (_, at) => {
    const group = source.addGroup(`Group ${at}`, ['anna', 'bert', 'dora'][at % 3]!)
    group.users = ['bert', 'carla']
    group.described = { tags: ['maps'], snippet: `Group of maps ${at}`, access: 'org' }
    source.schemas.set(group.id, { categorySchema: [{ title: 'Scale' }] })
    return group
  })
  return Array.from({ length: itemCount }, (_, at) => {
    const item = source.addItem({
      title: `Map ${at}`,
      owner: ['anna', 'bert', 'carla', 'dora'][at % 4]!,
      categories: at % 3 === 0 ? [] : ['/Water/Rivers'],
      // Ties, some of which lie on a border of two pages.
      created: 1_700_000_000_000 + Math.floor(at / 30) * 1_000,
      described: { access: ['private', 'org', 'public'][at % 3], snippet: `About ${at}`, tags: ['map', `t${at % 50}`] },
    })
    if (at % 2 === 0) item.inGroups.set(groups[(at / 2) % groupCount]!.id, at % 4 === 0 ? ['/Scale'] : [])
    return item.id
  })
}

test('a portal is taken over by the same command whatever kills it: nothing is made twice or left out', async () => {
  await using source = await ArcgisPortal.open('online')
  const ids = fill(source)
  source.index.settle()
  await using target = await startListeningPortal()
  const admin = await target.admin()
  for (const name of ['bert', 'carla']) await admin.invite(name, 'org_publisher')
  const count = async (path: string, q: string) => (await admin.get(path, { q, num: 1 })).total
  using client = await MeasuredClient.open()
  const login = (url: string, name: string, typed: string, profile: string) =>
    client.run(['login', '--url', url, '--username', name, '--password-stdin', '--profile', profile], typed)
  expect(await login(target.url, 'admin', adminPassword, 'new')).toMatchObject({ code: 0 })

  const version = await client.run(['--version'])
  const figures: string[] = []
  let running: ReturnType<typeof client.start>
  let arrived = 0
  let killAt = Infinity
  let isAnswered = false
  target.server.app.server.on('request', (_, response) => {
    target.arrivals.length = 0
    arrived += 1
    if (arrived !== killAt) return
    const kill = () => void running.child.kill('SIGKILL')
    if (isAnswered) response.on('close', kill)
    else kill()
  })
  /** Runs a command to its end or its kill, and notes what it took. */
  async function run(name: string, ...words: readonly string[]) {
    // Tokens of this portal end after an hour.
    expect(await login(source.url, 'anna', 'password of anna', 'old')).toMatchObject({ code: 0 })
    const [begun, there, asked] = [performance.now(), arrived, source.calls.length]
    running = client.start(['takeover', name, ...words])
    const ended = await running.ended
    const seconds = (performance.now() - begun) / 1_000
    const above = ended.signal ? '' : `, ${Math.round((ended.bytes - version.bytes) / 1024 / 1024)} MiB above --version`
    const [read, sent] = [source.calls.length - asked, arrived - there].map(
      (n) => `${n} (${(n / seconds).toFixed(1)}/s)`,
    )
    figures.push(`${name}: ${(seconds / 60).toFixed(1)} min, ${read} to the source, ${sent} to the target${above}`)
    process.stdout.write(`${figures.at(-1)}\n`)
    return ended
  }

  const planned = await run('plan', '--from', 'old', '--to', 'new', '--members', '--share', '-o', 'takeover.json')
  expect(planned, planned.said).toMatchObject({ code: 0 })
  const random = seededRandom(91)
  const draw = (max: number) => Math.floor(random() * max)
  let killed = 0
  let ended: Awaited<ReturnType<typeof run>> | undefined
  while (!ended || ended.signal === 'SIGKILL') {
    isAnswered = draw(2) === 0
    killAt = killed < kills ? arrived + 1 + draw((3 * itemCount) / kills) : Infinity
    ended = await run('apply', 'takeover.json', '--yes', '--json')
    if (ended.signal === 'SIGKILL') killed += 1
  }
  expect([ended.code, killed], ended.said).toEqual([0, kills])
  expect(JSON.parse(ended.printed).summary).toEqual({ made: itemCount + groupCount, present: 0, refused: 0 })

  // Items by their origins, as the target finds them.
  const origins = new Map<string, number>()
  for (let at = 0; at < ids.length; at += 100) {
    const words = ids.slice(at, at + 100).map((id) => `"source:${source.id}/${id}"`)
    const page = await admin.get('/search', { q: `typekeywords:(${words.join(' OR ')})`, num: 100 })
    for (const { typeKeywords } of page.results) {
      const [origin] = typeKeywords.filter((word: string) => word.startsWith('source:'))
      origins.set(origin, (origins.get(origin) ?? 0) + 1)
    }
  }
  const made = ids.map((id) => origins.get(`source:${source.id}/${id}`) ?? 0)
  expect([made.filter((times) => times > 1).length, made.filter((times) => times === 0).length]).toEqual([0, 0])
  expect(await count('/search', 'typekeywords:source*')).toBe(itemCount)
  expect(await count('/community/groups', 'tags:source')).toBe(groupCount)
  const verified = await run('verify', 'takeover.json', '--json')
  expect(JSON.parse(verified.printed).differences).toEqual([])

  // Others change some, and these are named and kept.
  target.clock.now += 60_000
  const changed: string[] = []
  for (let at = 0; at < changedCount; at += 1) {
    const q = `typekeywords:"source:${source.id}/${ids[Math.floor((at * itemCount) / changedCount)]}"`
    const { id, owner } = (await admin.get('/search', { q })).results[0]
    await admin.post(`/content/users/${owner}/items/${id}/update`, { snippet: 'Ours now' })
    changed.push(id)
  }
  const undone = await run('undo', 'takeover.json', '--yes', '--json')
  expect(undone.code, undone.said.slice(-2_000)).toBe(1)
  const kept: readonly { kind: string; targetId: string }[] = JSON.parse(undone.printed).kept
  expect(
    kept
      .filter(({ kind }) => kind === 'item')
      .map(({ targetId }) => targetId)
      .toSorted(),
  ).toEqual(changed.toSorted())
  expect(await count('/search', 'typekeywords:source*')).toBe(changedCount)

  expect(source.extensionBytes).toBe(0)
  expect(source.calls.filter(({ operation }) => /^(assign|delete|update)/.test(operation))).toEqual([])
  const secrets = new Secrets()
  secrets.add(adminPassword, 'password of anna')
  secrets.requireHidden('takeover', planned.said + ended.said + verified.said + undone.said, client.folder)
  process.stdout.write(`${itemCount} items, ${groupCount} groups, ${killed} kills\n${figures.join('\n')}\n`)
})
