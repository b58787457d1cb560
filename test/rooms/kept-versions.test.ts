import { expect, test } from 'vitest'
import { outdatedOf } from '../../src/categories/retention-operations.ts'
import { excessOf } from '../../src/categories/versions.ts'
import { defaultLimits } from '../../src/limits.ts'

const day = 86_400_000
const limits = { ...defaultLimits, schemaVersions: 160, deletedGroupDays: 90 }

test.each([
  [160, 0],
  [161, 11],
  [200, 50],
])('of %d versions of an owner, %d are beyond the limit, a sixteenth more than has to be', (kept, excess) => {
  expect(excessOf(kept, limits)).toBe(excess)
})

test('at most 63 versions more than have to be are removed, and none where the limit is small', () => {
  expect(excessOf(1_000_001, { schemaVersions: 1_000_000 })).toBe(64)
  expect(excessOf(3, { schemaVersions: 2 })).toBe(1)
})

test.each([
  ['that exists', undefined, 90, undefined],
  ['deleted as long ago as groups are kept', 90 * day, 90, undefined],
  ['deleted longer ago', 90 * day + 1, 90, { versions: 7 }],
  ['deleted long ago, where groups are kept for good', 9_000 * day, 0, undefined],
] as const)('of a group %s, all versions or none are outdated', (_, ago, deletedGroupDays, outdated) => {
  const now = 10_000 * day
  const deletedAt = ago === undefined ? undefined : now - ago
  const kept = { deletedAt, replacedAt: undefined, versions: 7 }
  expect(outdatedOf(kept, { ...limits, deletedGroupDays }, now)).toEqual(outdated)
})

test.each([
  [30, 30 * day, undefined],
  [30, 30 * day + 1, { versions: 0, replacedBefore: 9_970 * day }],
  [0, 9_000 * day, undefined],
  [30, undefined, undefined],
])(
  'with versions kept for %d days, what was replaced %s ms ago is outdated: %o',
  (schemaVersionDays, ago, outdated) => {
    const now = 10_000 * day
    const replacedAt = ago === undefined ? undefined : now - ago
    const kept = { deletedAt: undefined, replacedAt, versions: 7 }
    expect(outdatedOf(kept, { ...limits, schemaVersionDays }, now)).toEqual(outdated)
  },
)

test('of a group deleted lately, what is above the limits is outdated', () => {
  const kept = { deletedAt: 1, replacedAt: undefined, versions: 161 }
  expect(outdatedOf(kept, limits, 2)).toEqual({ versions: 11 })
})
