import { readFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import type { Category } from '../../src/categories/schema.ts'
import { lead, pathsOf } from '../journeys/moves-oracle/category-model.ts'
import { editTrees } from '../journeys/moves-oracle/random-edits.ts'
import { Stage as Cartulary } from '../journeys/moves-oracle/stages.ts'
import type { Quirks } from '../support/arcgis/world.ts'
import { seededRandom } from '../support/inputs/seeded-random.ts'
import { countOf, timeoutOf } from '../support/length.ts'
import { startListeningPortal } from '../support/portal/listening-portal.ts'
import { Stage } from './arcgis/stage.ts'
import { Desk } from './run-client.ts'

/** Histories of each owner; in the long form, 2,000 at Cartulary and 2,000 at ArcGIS. */
const histories = {
  cartulary: countOf({ sample: 3, system: 4, long: 1_000 }),
  online: countOf({ sample: 3, system: 4, long: 500 }),
  enterprise: countOf({ sample: 3, system: 4, long: 500 }),
}
const changesOfHistory = 5
const maxItems = 6

type Owner = 'org' | 'group'

/** A portal with one place that changes. */
interface World extends AsyncDisposable {
  readonly place: string
  readonly address: { readonly CARTULARY_URL: string; readonly CARTULARY_TOKEN: string }
  /** Whether a path that the schema does not have finds items. */
  readonly findsLostPaths: boolean
  put(trees: readonly Category[]): Promise<unknown>
  addItem(at: number, paths: readonly string[]): Promise<unknown>
  /** Categories of the place that each item has, once the index has all of them. */
  listItems(): Promise<readonly (readonly string[])[]>
}

async function openCartulary(owner: Owner): Promise<World> {
  const server = await startListeningPortal()
  const admin = await server.admin()
  const stage = await Cartulary.open(admin, owner === 'org' ? 'organization' : 'group')
  return {
    place: owner === 'org' ? owner : `group:${stage.groupId}`,
    address: { CARTULARY_URL: server.url, CARTULARY_TOKEN: admin.token! },
    findsLostPaths: true,
    put: (trees) => stage.change('assignCategorySchema', { categorySchema: { categorySchema: trees } }),
    addItem: (at, paths) => stage.putItem(at, paths),
    listItems: () => stage.listItems(),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  }
}

async function openArcgis(kind: 'online' | 'enterprise', owner: Owner, history: number): Promise<World> {
  // Half of the portals have an index that is behind by some searches, and forget lost paths.
  const quirks: Quirks = history % 2 === 0 ? {} : { indexLag: 2, forgetsLostPaths: true, losesEmptyLists: true }
  const stage = await Stage.open(kind, quirks)
  const place = owner === 'org' ? stage.org : stage.group()
  return {
    place: place.key,
    address: { CARTULARY_URL: stage.stub.url, CARTULARY_TOKEN: stage.stub.tokenOf('anna') },
    findsLostPaths: quirks.forgetsLostPaths !== true,
    put: async (trees) => stage.put(place, trees),
    addItem: async (_, paths) => stage.item(place, ...paths),
    listItems: async () => {
      stage.stub.index.settle()
      return stage.categories(place)
    },
    [Symbol.asyncDispose]: async () => {
      expect(stage.stub.extensions).toEqual([])
      await stage[Symbol.asyncDispose]()
    },
  }
}

const isAtOrBelow = (path: string, above: string) => `${path}/`.startsWith(`${above}/`)

/** Impact that a plan has to report for items with these paths before and after. */
function impactOf(
  items: readonly (readonly [from: readonly string[], to: readonly string[]])[],
  before: readonly string[],
  after: readonly string[],
) {
  const lost = ([from, to]: (typeof items)[number]) =>
    from.filter((path, at) => before.includes(path) && !after.includes(to[at]!))
  const all = [...new Set(items.flatMap(lost))].sort()
  const tops = all.filter((path) => !all.some((other) => other !== path && isAtOrBelow(path, other)))
  const isMoved = ([from, to]: (typeof items)[number]) => from.some((path, at) => path !== to[at])
  return {
    items: items.filter((one) => isMoved(one) || lost(one).length > 0).length,
    moved: items.filter(isMoved).length,
    vanishing: items.filter((one) => lost(one).length > 0).length,
    unrecognizedBefore: items.filter(([from]) => from.some((path) => !before.includes(path))).length,
    unrecognizedAfter: items.filter(([, to]) => to.some((path) => !after.includes(path))).length,
    byPath: tops.map((path) => ({
      path,
      items: items.filter((one) => lost(one).some((own) => isAtOrBelow(own, path))).length,
    })),
  }
}

const kinds = ['cartulary', 'online', 'enterprise'] as const

test.each(kinds.flatMap((kind) => (['org', 'group'] as const).map((owner) => [kind, owner] as const)))(
  'what a plan counts is what an apply does, and the next plan is empty (%s, %s)',
  { timeout: timeoutOf(histories.cartulary, 20_000) },
  async (kind, owner) => {
    const random = seededRandom(3 + kind.length + owner.length)
    const seen = { moves: 0, moved: 0, vanishing: 0 }
    for (let history = 0; history < histories[kind]; history += 1) {
      await using world = await (kind === 'cartulary' ? openCartulary(owner) : openArcgis(kind, owner, history))
      const desk = new Desk()
      const run = (...words: readonly string[]) => desk.run(words, { environment: world.address })
      let trees: readonly Category[] = [{ title: 'Water', categories: [{ title: 'Rivers' }] }, { title: 'Soil' }]
      await world.put(trees)
      for (let item = 0; item < maxItems; item += 1) {
        const paths = pathsOf(trees).filter(() => random() < 0.5)
        await world.addItem(item, paths)
      }
      for (let change = 0; change < changesOfHistory; change += 1) {
        const items = await world.listItems()
        const before = pathsOf(trees)
        // A path that no search finds any more cannot be moved.
        const stale = world.findsLostPaths ? items.flat().filter((path) => !before.includes(path)) : []
        const edited = editTrees(trees, stale, random)
        const told = { trees, edited, items, kind, history }
        const schema = [desk.file('schema.json', { categorySchema: edited.trees }), '--to', world.place]
        const moves = edited.moves.length > 0 ? ['--moves', desk.file('moves.json', edited.moves)] : []
        const planned = await run('plan', ...schema, ...moves, '-o', desk.path('plan.json'))
        expect(planned, planned.complaint).toMatchObject({ code: 0 })
        const { impact } = JSON.parse(readFileSync(desk.path('plan.json'), 'utf8'))
        const wanted = items.map((from) => [from, from.map((path) => lead(edited.moves, path).to)] as const)
        const counted = impactOf(wanted, before, pathsOf(edited.trees))
        // Searches of ArcGIS do not find categories that no schema has.
        const uncounted = kind !== 'cartulary' && { unrecognizedBefore: null, unrecognizedAfter: null }
        expect({ told, impact }).toEqual({ told, impact: { ...counted, ...uncounted } })
        seen.moves += edited.moves.length
        seen.moved += counted.moved
        seen.vanishing += counted.vanishing
        const applied = await run('apply', desk.path('plan.json'), '--move-items')
        expect(applied, applied.complaint).toMatchObject({ code: 0 })
        const shown = (await world.listItems()).map((paths) => [...paths].sort())
        expect({ told, shown }).toEqual({ told, shown: wanted.map(([, to]) => [...new Set(to)].sort()) })
        const again = await run('plan', ...schema, '--detailed-exitcode')
        expect({ told, again: [again.code, again.printed] }).toEqual({ told, again: [0, 'No change.'] })
        trees = edited.trees
      }
    }
    expect(Math.min(...Object.values(seen)), JSON.stringify(seen)).toBeGreaterThan(0)
  },
)
