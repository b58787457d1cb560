import type { Fault } from './fault.ts'

const arcgis = 'src/client/portals/arcgis'

/** The client at portals of ArcGIS, where nothing is undone and nothing is in one transaction. */
export const client: readonly Fault[] = [
  {
    name: 'A search at ArcGIS counts and moves the items of all organizations',
    file: 'src/client/portals/item-search.ts',
    find: '(ofOrganization ? [',
    replace: "(this.#portalId === '' ? [",
    tests: ['test/client/arcgis/moves.test.ts'],
  },
  {
    name: 'What is written at ArcGIS is not read back',
    file: `${arcgis}/arcgis-portal.ts`,
    find: 'if (present?.hash === hashOf(after)) return',
    replace: 'if (!failure || present?.hash === hashOf(after)) return',
    tests: ['test/client/arcgis/writes.test.ts'],
  },
  {
    name: 'What another has written since the plan is overwritten at ArcGIS',
    file: `${arcgis}/arcgis-portal.ts`,
    find: 'if (present.hash !== before.hash && present.hash !== hashOf(after)) throw new ChangedMeanwhile()',
    replace: '',
    tests: ['test/client/arcgis/writes.test.ts'],
  },
  {
    name: 'An apply at ArcGIS that is cut off is not resumed, as its journal is lost',
    file: `${arcgis}/move-journal.ts`,
    find: 'if (!Array.isArray(head?.moves)) return undefined',
    replace: 'if (Array.isArray(head?.moves) || lines.length > 0) return undefined',
    tests: ['test/client/arcgis/moves.test.ts'],
  },
  {
    name: 'Items that the index of ArcGIS did not have yet are left behind',
    file: `${arcgis}/item-mover.ts`,
    find: 'const changed = isQuiet ?',
    replace: 'const changed = isQuiet && head.begun === 0 ?',
    tests: ['test/client/arcgis/moves.test.ts'],
  },
  {
    name: 'A path that ArcGIS drops with success counts as moved',
    file: `${arcgis}/item-mover.ts`,
    find: 'return to.every((path) => item.categories.includes(path)) && this.#isKept(item)',
    replace: 'return to.length >= 0 && this.#isKept(item)',
    tests: ['test/client/arcgis/moves.test.ts'],
  },
  {
    name: 'Items of later pages than ArcGIS has are left out',
    file: 'src/client/portals/item-search.ts',
    find: 'if (read >= total) return whole ?? total',
    replace: 'if (read >= total || from === 0) return Math.min(whole ?? total, windowSize)',
    tests: ['test/client/arcgis/many-items.test.ts'],
  },
  {
    name: 'An extension is sent to ArcGIS',
    file: `${arcgis}/arcgis-portal.ts`,
    find: "'assignCategorySchema', { categorySchema: documentOf(after) })",
    replace: "'assignCategorySchema', { categorySchema: documentOf(after), ifHash: before.hash })",
    tests: ['test/client/histories.test.ts'],
  },
]
