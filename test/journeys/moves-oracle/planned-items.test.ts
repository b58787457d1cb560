import { expect, test } from 'vitest'
import type { Category } from '../../../src/categories/schema.ts'
import { seededRandom } from '../../support/inputs/seeded-random.ts'
import { countOf, timeoutOf } from '../../support/length.ts'
import { type Body, isReplicated, startPortal } from '../../support/portal/portal.ts'
import { holderKinds } from '../../support/portal/schema-holder.ts'
import { pathsOf } from './category-model.ts'
import { editTrees } from './random-edits.ts'
import { Stage } from './stages.ts'

const changes = countOf({ sample: isReplicated ? 40 : 120, long: 5_000 })
const changesOfWorld = 20
const maxItems = 6

/** The category that an item shows before a change and after it; each item has at most one, so that what moves can be seen. */
interface Shown {
  readonly from: string | undefined
  readonly to: string | undefined
}

const isAtOrBelow = (path: string | undefined, above: string) =>
  path === above || path?.startsWith(`${above}/`) === true

/** Planned until no number is missing: on a busy machine, the second that counting has may not be enough. */
async function planWhole(stage: Stage, operation: string, parameters: object): Promise<Body> {
  for (;;) {
    const plan = await stage.change(operation, { ...parameters, dryRun: 'true' })
    const counts = [...Object.values(plan.impact), ...plan.changes.map(({ items }: Body) => items)]
    if (!counts.includes(null)) return plan
  }
}

/** Impact that a plan has to report for the observed changes. */
function impactOf(shown: readonly Shown[], before: readonly string[], after: readonly string[]) {
  const isLost = ({ from = '', to = '' }: Shown) => before.includes(from) && !after.includes(to)
  const isMoved = ({ from, to }: Shown) => to !== undefined && to !== from
  const lost = [...new Set(shown.filter(isLost).map(({ from }) => from!))].sort()
  const tops = lost.filter((path) => !lost.some((other) => other !== path && isAtOrBelow(path, other)))
  return {
    items: shown.filter((one) => isLost(one) || isMoved(one)).length,
    moved: shown.filter(isMoved).length,
    vanishing: shown.filter(isLost).length,
    unrecognizedBefore: shown.filter(({ from }) => from !== undefined && !before.includes(from)).length,
    unrecognizedAfter: shown.filter(({ to }) => to !== undefined && !after.includes(to)).length,
    byPath: tops.map((path) => ({
      path,
      items: shown.filter((one) => isLost(one) && isAtOrBelow(one.from, path)).length,
    })),
  }
}

test.each(holderKinds)(
  'the items of a plan are those that the change moves or takes categories from (%s)',
  {
    timeout: timeoutOf(changes, 1_000),
  },
  async (kind) => {
    const random = seededRandom(kind === 'group' ? 5 : 6)
    const below = (bound: number) => Math.floor(random() * bound)
    const seen: Record<string, number> = { moved: 0, vanishing: 0, cleared: 0, returned: 0, apart: 0, declared: 0 }
    const see = (what: string, count: number) => {
      seen[what] = seen[what]! + count
    }
    for (let world = 0; world < changes / changesOfWorld; world += 1) {
      await using portal = await startPortal()
      const stage = await Stage.open(await portal.admin(), kind)
      const done: unknown[] = []
      const versions: (readonly Category[])[] = []
      const read = async () => (await stage.listItems()).map(([path]) => path)

      /** Asks for the plan, makes the change, and compares. */
      const change = async (operation: string, parameters: object, trees: readonly Category[]) => {
        done.push({ operation, ...parameters })
        const [before, after] = [pathsOf(versions.at(-1) ?? []), pathsOf(trees)]
        const from = await read()
        const plan = await planWhole(stage, operation, parameters)
        expect({ done, shown: await read() }).toEqual({ done, shown: from })
        const answer = await stage.change(operation, { ...parameters, ifVersion: versions.length })
        expect({ done, answer }).toEqual({ done, answer: { success: true, version: versions.length + 1 } })
        versions.push(trees)
        const to = await read()
        const shown = from.map((path, at) => ({ from: path, to: to[at] }))
        expect({ done, shown, impact: plan.impact }).toEqual({ done, shown, impact: impactOf(shown, before, after) })
        for (const one of plan.changes.filter(({ declared }: { readonly declared?: boolean }) => declared)) {
          const items = shown.filter((item) => isAtOrBelow(item.from, one.path) && isAtOrBelow(item.to, one.to)).length
          expect({ done, shown, one }).toEqual({ done, shown, one: { ...one, items } })
          see('declared', items)
        }
        see('moved', plan.impact.moved)
        see('vanishing', plan.impact.vanishing)
        see('cleared', shown.filter((item) => item.from !== undefined && item.to === undefined).length)
        see('returned', shown.filter((item) => item.from === undefined && item.to !== undefined).length)
        const parted = shown.filter((one) => shown.some((other) => one.from === other.from && one.to !== other.to))
        see('apart', parted.filter((item) => item.from !== undefined).length)
      }

      for (let left = changesOfWorld; left > 0; left -= 1) {
        if (versions.length > 1 && random() < 0.35) {
          const version = 1 + below(versions.length - 1)
          const items = random() < 0.8 ? 'follow' : 'stay'
          await change(`categorySchema/versions/${version}/restore`, { items }, versions[version - 1]!)
        } else {
          const paths = pathsOf(versions.at(-1) ?? [])
          const stale = [...new Set(await read())].filter((path) => path !== undefined && !paths.includes(path))
          const { trees, moves } = editTrees(versions.at(-1) ?? [], stale as string[], random)
          const vanishing = random() < 0.4 ? 'clear' : 'keep'
          const schema = { categorySchema: { categorySchema: trees } }
          await change('assignCategorySchema', { ...schema, moves, vanishing }, trees)
        }
        const at = below(maxItems)
        const paths = pathsOf(versions.at(-1)!)
        const path = paths[below(paths.length)]!
        const known = (await read()).length
        done.push({ item: Math.min(at, known), path })
        await stage.putItem(Math.min(at, known), [path])
      }
    }
    for (const [what, count] of changes < 100 ? [] : Object.entries(seen)) {
      expect({ what, isSeen: count > 0 }).toEqual({ what, isSeen: true })
    }
  },
)
