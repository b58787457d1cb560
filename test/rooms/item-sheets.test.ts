import { expect, test } from 'vitest'
import { type PlannedRows, type SheetRules, sumUpPlan } from '../../src/item-sheets/plan.ts'

const rules: SheetRules = { mode: 'set', onUnknown: 'refuse', ifUnchanged: true, groupId: undefined }
const part = (row: number): PlannedRows => ({
  changes: [{ row, itemId: `item ${row}`, title: 'Lake', from: [], to: ['/A'] }],
  refused: [{ row: row + 1, itemId: 'x', problem: 'It was changed.', isStale: true }],
  unchanged: 2,
  unknownPaths: [{ path: '/B', rows: 3, meant: '/A/B' }],
})
const sheet = {
  rows: [2, 3, 4, 5, 6, 7, 8, 9].map((row) => ({ row, itemId: `item ${row}`, paths: [] })),
  refused: [{ row: 1, itemId: '', problem: 'The row has no id.' }],
  total: 9,
  notes: [],
}

test('the plan of a table sums up those of its parts, whatever their size', () => {
  const plan = sumUpPlan(rules, sheet, [part(2), part(6)])
  expect(plan).toMatchObject({
    summary: { rows: 9, changed: 2, unchanged: 4, stale: 2, refused: 1, unknownPaths: 1 },
    changes: [{ row: 2 }, { row: 6 }],
    refused: [{ row: 1, isStale: false }, { row: 3 }, { row: 7 }],
    unknownPaths: [{ path: '/B', rows: 6, meant: '/A/B' }],
  })
  const [first, second] = [part(2), part(6)]
  const whole = { ...first, changes: [...first.changes, ...second.changes] }
  expect(sumUpPlan(rules, sheet, [whole]).planId).toBe(plan.planId)
  expect(sumUpPlan(rules, sheet, [second, first]).planId).not.toBe(plan.planId)
})
