import { afterEach, expect, test } from 'vitest'
import { seededRandom } from '../support/inputs/seeded-random.ts'
import { closeAll, openBoth } from './both-portals.ts'

afterEach(closeAll)

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
