import { expect, test } from 'vitest'
import { foldRuns, keyOfNews, sumsOfNews } from '../../../pages/src/news/news.ts'
import { auditedOperationIds } from '../../../pages/src/operations/audited-operations.ts'
import texts from '../../../pages/src/texts/en.json' with { type: 'json' }

type Entry = Parameters<typeof foldRuns>[0][number]
const entryOf = (reqId: string, data: object) => ({ reqId, data: { outcome: 'success', ...data } }) as unknown as Entry

test('steps of a run are one news with all targets; other entries are news each', () => {
  const step = (reqId: string, runId: string, targets?: readonly string[]) =>
    entryOf(reqId, { operation: 'updateItems', runId, targets })
  const entries = [
    step('1', 'run', ['a', 'b']),
    entryOf('2', { operation: 'addItem' }),
    step('3', 'run'),
    step('4', 'other', ['c']),
    entryOf('5', { operation: 'addItem' }),
  ]
  const folded = foldRuns(entries).map(({ entry, count }) => [entry.reqId, count])
  expect(folded).toEqual([['1', 3], ['2', 1], ['4', 1], ['5', 1]]) // biome-ignore format: a row each
})

test.each([
  ['publishPortalSchemaDraft', 7, 'publishSchemaDraft'],
  ['publishGroupSchemaDraft', undefined, 'scheduleSchemaDraft'],
  ['assignGroupCategorySchema', 3, 'assignCategorySchema'],
  ['restorePortalSchemaVersion', 3, 'restoreSchemaVersion'],
  ['createPortalSchemaTemplate', undefined, 'createPortalSchemaTemplate'],
  ['unshareUserItem', undefined, 'unshareItem'],
])('%s with the version %s is said as %s', (operation, version, key) => {
  expect(keyOfNews(entryOf('1', { operation, version }))).toBe(key)
})

test('sums of a schema that are 0 are no news', () => {
  const summary = { added: 0, removed: 2, renamed: 1, moved: 0, merged: 0, changed: 0, reordered: 0 }
  expect(sumsOfNews(entryOf('1', { operation: 'assign', summary }))).toEqual([['removed', 2], ['renamed', 1]]) // biome-ignore format: a row
  expect(sumsOfNews(entryOf('1', { operation: 'assign' }))).toEqual([])
})

test('no words of news are for an operation that there is not', () => {
  const asked = auditedOperationIds.flatMap((operation) =>
    [1, undefined].map((version) => keyOfNews(entryOf('1', { operation, version }))),
  )
  const parts = new Set(['withSums', 'other', 'followed', 'items', 'people', 'anonymous'])
  expect(Object.keys(texts.news).filter((key) => !parts.has(key) && !asked.includes(key))).toEqual([])
})
