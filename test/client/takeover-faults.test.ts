import { copyFileSync, readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { afterEach, expect, onTestFinished, test, vi } from 'vitest'
import { seededRandom } from '../support/inputs/seeded-random.ts'
import { closeAll, openBoth } from './both-portals.ts'
import { findFiles } from './signed-in.ts'

afterEach(closeAll)

test('cut off at any of its requests, the same command does the rest: nothing is made twice or left out', async () => {
  let isWhole = false
  for (let request = 1; !isWhole; request += 1) {
    const { source, admin, desk, run, plan, found } = await openBoth('online', { hasUnstableOrder: true }, 12)
    expect(await plan('--members')).toMatchObject({ code: 0 })
    source.plan('*', { kind: 'lost', when: 'before' }, request)
    const first = await run('takeover apply %takeover.json --yes --retries 0')
    isWhole = source.mend() > 0
    expect(first.code === 0, first.complaint).toBe(isWhole)
    const again = await run('takeover apply %takeover.json --yes --json')
    expect(JSON.parse(again.printed).summary).toMatchObject({ made: 14, refused: 0 })
    expect((await found('map')).total).toBe(12)
    expect((await admin.get('/community/groups', { q: 'tags:source' })).total).toBe(2)
    expect(await run('takeover verify %takeover.json')).toMatchObject({ code: 0 })
    expect(findFiles(desk.home, /\.jsonl$/).length).toBe(1)
    await closeAll()
  }
})

/** Commands of one takeover, and what the target has of it. */
async function openSmall(count = 12) {
  const both = await openBoth('online', {}, count)
  const { admin, run, found } = both
  expect(await both.plan('--members --share --data')).toMatchObject({ code: 0 })
  const apply = (options = '') => run(`takeover apply %takeover.json --yes --json ${options}`.trim())
  const countGroups = async () => (await admin.get('/community/groups', { q: 'tags:source' })).total
  const countItems = async () => (await found('typekeywords:source*')).total
  return { ...both, apply, countGroups, countItems }
}

test.each(['before', 'after'] as const)(
  'a group whose answer is lost %s it is made, with the command, is found by the same command, and counts as made',
  async (when) => {
    const { line, run, apply, countGroups } = await openSmall()
    const pass = line.at
    let asked = 0
    line.at = async (passing) => {
      // After the lost answer, the line is dead: the command ends as if it were killed.
      if (asked === 0 && !passing.path.endsWith('/createGroup')) return pass(passing)
      asked += 1
      if (asked === 1 && when === 'after') await passing.pass()
      passing.cut()
    }
    expect((await apply('--retries 0')).code).not.toBe(0)
    expect(asked).toBeGreaterThan(1)
    line.at = pass
    expect(JSON.parse((await apply()).printed).summary).toEqual({ made: 14, present: 0, refused: 0 })
    expect(await countGroups()).toBe(2)
    expect(await run('takeover verify %takeover.json')).toMatchObject({ code: 0 })
    expect(await run('takeover undo %takeover.json --yes')).toMatchObject({ code: 0 })
    expect(await countGroups()).toBe(0)
  },
)

test('a group that is made late or twice is deleted again, unless someone has changed it', async () => {
  const { line, admin, run, apply, target, countGroups } = await openSmall()
  const pass = line.at
  const late: (() => Promise<string>)[] = []
  line.at = async (passing) => {
    if (!passing.path.endsWith('/createGroup')) return pass(passing)
    if (late.length === 0) {
      late.push(passing.pass)
      return passing.cut()
    }
    // Another answer comes twice.
    await passing.pass()
    return pass(passing)
  }
  expect((await apply()).code).toBe(1)
  expect((await apply()).code).toBe(0)
  expect(await countGroups()).toBe(2)
  await late[0]!()
  expect((await run('takeover verify %takeover.json')).printed).toMatch(/made twice/)
  expect((await apply()).code).toBe(0)
  expect(await countGroups()).toBe(2)
  expect(await run('takeover verify %takeover.json')).toMatchObject({ code: 0 })
  const { group } = JSON.parse(await late[0]!())
  target.clock.now += 1_000
  await admin.post(`/community/groups/${group.id}/update`, { snippet: 'Ours' })
  expect((await apply()).code).toBe(0)
  expect(await countGroups()).toBe(3)
})

test.each([1, 2, 3, 4])(
  'requests to the target that are lost, late or sent twice: the same command does the rest, once (%i)',
  async (seed) => {
    const { line, run, apply, countGroups, countItems } = await openSmall()
    const random = seededRandom(seed)
    const pass = line.at
    line.at = async (passing) => {
      const fault = Math.floor(random() * 25)
      if (fault === 0) return passing.cut()
      if (fault <= 2) await passing.pass()
      if (fault === 1) return passing.cut()
      return pass(passing)
    }
    let tries = 0
    while ((await apply('--retries 0')).code !== 0 && tries < 100) tries += 1
    line.at = pass
    expect(tries).toBeGreaterThan(0)
    const ended = await apply()
    expect(JSON.parse(ended.printed).summary, ended.printed).toEqual({ made: 14, present: 0, refused: 0 })
    expect([await countItems(), await countGroups()]).toEqual([12, 2])
    const verified = await run('takeover verify %takeover.json')
    expect(verified, verified.printed).toMatchObject({ code: 0 })
    const undone = await run('takeover undo %takeover.json --yes')
    expect(undone, undone.complaint).toMatchObject({ code: 0 })
    expect([await countItems(), await countGroups()]).toEqual([0, 0])
  },
)

test('quotas of the target refuse what does not fit; the same command takes it once there is room', async () => {
  const { admin, run, plan } = await openBoth('online', {}, 12, { LIMIT_ITEMS_OWNED: '6', LIMIT_GROUPS_OWNED: '2' })
  const own = [await admin.createGroup('Ours'), await admin.createGroup('Ours too')]
  expect(await plan()).toMatchObject({ code: 0 })
  const apply = async () => JSON.parse((await run('takeover apply %takeover.json --yes --json')).printed)
  const first = await apply()
  expect(first.summary).toEqual({ made: 6, present: 0, refused: 8 })
  expect(first.refused[0].reason).toMatch(/6 items/)
  for (const { id } of own) await admin.post(`/community/groups/${id}/delete`)
  // Items leave room where they go to their owners.
  expect((await apply()).summary).toMatchObject({ made: 6 + 4 + 2, refused: 2 })
  expect((await apply()).summary).toEqual({ made: 14, present: 0, refused: 0 })
  expect(await run('takeover verify %takeover.json')).toMatchObject({ code: 0 })
})

test('plans that were cut, and journals of another takeover, are refused', async () => {
  const { desk, run, plan, found } = await openBoth('online', {}, 3)
  expect(await plan()).toMatchObject({ code: 0 })
  const text = readFileSync(desk.path('takeover.json'), 'utf8')
  desk.file('cut.json', text.slice(0, -20))
  expect(await run('takeover apply %cut.json --yes')).toMatchObject({
    code: 2,
    complaint: expect.stringMatching(/no plan of a takeover/),
  })
  expect(await run('takeover plan --from new --to old -o %back.json')).toMatchObject({ code: 2 })
  await run('takeover apply %takeover.json --yes')
  const [journal] = findFiles(desk.home, /takeovers.*\.jsonl$/)
  expect(await plan('--keep-ids')).toMatchObject({ code: 0 })
  const { digest } = JSON.parse(readFileSync(desk.path('takeover.json'), 'utf8'))
  for (const end of ['', '.seal']) {
    copyFileSync(`${journal}${end}`, `${dirname(journal!)}/${digest.slice(7, 23)}.jsonl${end}`)
  }
  for (const command of ['apply', 'status', 'undo']) {
    expect(await run(`takeover ${command} %takeover.json${command === 'status' ? '' : ' --yes'}`)).toMatchObject({
      code: 2,
      complaint: expect.stringMatching(/journal of another takeover/),
    })
  }
  expect((await found('typekeywords:source*')).total).toBe(3)
})

test('what is taken: items of groups or none, named groups, schemas that are merged or replaced, owners that are not known', async () => {
  const { admin, maps, run, plan, found } = await openBoth('online', {}, 12)
  const soil = { categorySchema: [{ title: 'Soil' }] }
  await admin.post('/portals/self/assignCategorySchema', { categorySchema: soil })
  const other = await plan()
  expect(other).toMatchObject({ code: 4, complaint: expect.stringMatching(/--replace-schema or --merge-schema/) })
  const titles = async () =>
    (await admin.get('/portals/self/categorySchema')).categorySchema.map(({ title }: { title: string }) => title)
  const take = async (options: string) => {
    expect(await plan(options)).toMatchObject({ code: 0 })
    const { summary } = JSON.parse((await run('takeover apply %takeover.json --yes --json')).printed)
    const verified = await run('takeover verify %takeover.json')
    expect(verified, verified.printed).toMatchObject({ code: 0 })
    const undone = await run('takeover undo %takeover.json --yes')
    expect(undone, undone.printed).toMatchObject({ code: 0 })
    expect([await titles(), (await found('typekeywords:source*')).total]).toEqual([['Soil'], 0])
    return summary
  }
  expect(await take(`--merge-schema --items groups`)).toEqual({ made: 2 + 3, present: 0, refused: 0 })
  expect(await take(`--replace-schema --items none --groups ${maps.id}`)).toEqual({ made: 1, present: 0, refused: 0 })
})

test('a source gets five requests a second at most, and a wait that it asks for', async () => {
  vi.useFakeTimers({ toFake: ['performance'] })
  onTestFinished(() => void vi.useRealTimers())
  const { source, desk, run, plan } = await openBoth('online', { hasUnstableOrder: true }, 230)
  desk.meanwhile = async () => void vi.advanceTimersByTime(desk.waits.at(-1)!)
  const times: number[] = []
  const note = source.calls.push.bind(source.calls)
  source.calls.push = (...calls) => {
    times.push(performance.now())
    return note(...calls)
  }
  source.plan('search', { kind: 'status', code: 429, retryAfter: 30 }, 2)
  expect(await plan('--members')).toMatchObject({ code: 0 })
  expect(desk.waits).toContain(30_000)
  for (const command of ['apply %takeover.json --yes', 'verify %takeover.json']) {
    vi.advanceTimersByTime(1_000)
    expect(await run(`takeover ${command}`)).toMatchObject({ code: 0 })
  }
  const inSecond = times.map((time) => times.filter((one) => one > time - 1_000 && one <= time).length)
  expect([Math.max(...inSecond), inSecond.length > 20]).toEqual([5, true])
})
