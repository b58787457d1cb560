import { expect, test } from 'vitest'
import { countOf, timeoutOf } from '../support/length.ts'
import { startListeningPortal } from '../support/portal/listening-portal.ts'
import { Desk } from './run-client.ts'

/** Numbers from 0 to below a limit, the same in each run. */
function drawerOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}

interface Node {
  title: string
  description?: string
  categories?: Node[]
}

const rounds = countOf({ sample: 12, system: 100, long: 2_000 })

test(
  'what a plan counts is what an apply does, and the next plan is empty, items and moves included',
  async () => {
    await using server = await startListeningPortal()
    const admin = await server.admin()
    const { id } = await admin.createGroup('Random')
    const place = `group:${id}`
    const desk = new Desk()
    await desk.login(server.url)
    const draw = drawerOf(7)
    let next = 0
    const fresh = (): Node => ({ title: `T${next++}` })
    const tree: Node = { title: 'Root', categories: [fresh(), fresh(), fresh()] }
    const children = () => tree.categories!
    const apply = async (...words: readonly string[]) => {
      const file = desk.file('a.json', { categorySchema: [tree] })
      const ended = await desk.run(['apply', file, '--to', place, '--yes', ...words])
      expect(ended.code, ended.complaint).toBe(0)
    }
    await apply()
    const itemIds: string[] = []
    for (let item = 0; item < 6; item += 1) {
      const made = await admin.post('/content/users/admin/addItem', { title: `Item ${item}`, type: 'Web Map' })
      await admin.post(`/content/users/admin/items/${made.id}/share`, { groups: id })
      itemIds.push(made.id)
    }
    const carried = async () => {
      const { results } = await admin.get(`/content/groups/${id}/search`, { num: 100 })
      return results.flatMap((one: { groupCategories: string[] }) => one.groupCategories).sort() as string[]
    }
    for (let round = 0; round < rounds; round += 1) {
      const target = children()[draw(children().length)]!
      const items = [{ [itemIds[draw(itemIds.length)]!]: { categories: [`/Root/${target.title}`] } }]
      await admin.post(`/content/groups/${id}/updateCategories`, { items })
      const moves: { from: string; to: string }[] = []
      const before = await carried()
      switch (draw(5)) {
        case 0:
          children().splice(draw(children().length + 1), 0, fresh())
          break
        case 1:
          if (children().length > 2) children().splice(draw(children().length), 1)
          break
        case 2:
          target.description = `D${next++}`
          break
        case 3:
          children().push(children().shift()!)
          break
        default: {
          const from = `/Root/${target.title}`
          target.title = `T${next++}`
          moves.push({ from, to: `/Root/${target.title}` })
        }
      }
      if (children().length > 20) children().splice(3)
      const file = desk.file('a.json', { categorySchema: [tree] })
      const words = moves.length > 0 ? ['--moves', desk.file('m.json', moves)] : []
      const { code, printed, complaint } = await desk.run(['plan', file, '--to', place, '--json', ...words])
      expect(code, complaint).toBe(0)
      const plan = JSON.parse(printed)
      await apply(...words)
      const after = await carried()
      const moved = before.map((path) => moves.find(({ from }) => from === path)?.to ?? path)
      expect(after, `round ${round}`).toEqual(moved.sort())
      expect(plan.impact.moved).toBe(before.filter((path) => moves.some(({ from }) => from === path)).length)
      const known = new Set(['/Root', ...children().map(({ title }) => `/Root/${title}`)])
      expect(plan.impact.unrecognizedAfter).toBe(after.filter((path) => !known.has(path)).length)
      const again = await desk.run(['plan', file, '--to', place, '--detailed-exitcode'])
      expect([again.code, again.printed]).toEqual([0, 'No change.'])
    }
  },
  timeoutOf(rounds, 30_000),
)
