import { expect } from 'vitest'
import type { SchemaOwner } from '../../../src/categories/store.ts'
import { addPeople, aGroup, noon, type OpenStorage, otherPortal, testOn } from './records.ts'

/** Counts of items by day. */
export function coverageContract(open: OpenStorage): void {
  const test = testOn(open, addPeople)

  const organization: SchemaOwner = { kind: 'portal', portalId: 'PortalOfMaps0001' }
  const other: SchemaOwner = { kind: 'portal', portalId: otherPortal.portalId }
  const group: SchemaOwner = { kind: 'group', groupId: aGroup().groupId }

  test('counts are kept by owner and day, the first of a day, and go with the day', async ({ storage }) => {
    const put = (owner: SchemaOwner, day: string, items: number, uncategorized: number) =>
      storage.items.putCoverage(owner, day, [
        { path: '/A', items },
        { path: 'uncategorized', items: uncategorized },
        { path: '', items },
      ])
    const listDays = (owner: SchemaOwner) => storage.items.listCoverageDays(owner)
    await put(organization, '2026-11-28', 4, 1)
    await put(organization, '2026-11-27', 3, 2)
    await put(organization, '2026-11-28', 9, 9)
    await put(group, '2026-11-28', 2, 2)
    await storage.items.putCoverage(organization, '2026-11-28', [])
    const later = { day: '2026-11-28', items: 4, uncategorized: 1 }
    expect(await listDays(organization)).toEqual([{ day: '2026-11-27', items: 3, uncategorized: 2 }, later])
    expect(await listDays(other)).toEqual([])
    const remove = (max: number) => storage.items.removeCoverageBefore('2026-11-28', max)
    expect([await remove(2), await remove(2), await remove(2)]).toEqual([2, 1, 0])
    expect(await listDays(organization)).toEqual([later])
    expect(await listDays(group)).toEqual([{ day: '2026-11-28', items: 2, uncategorized: 2 }])
  })

  test('owners with a schema are listed until their sum of the day is stored, organizations first', async ({
    categories,
    directory,
    items,
  }) => {
    await directory.addGroup(aGroup())
    for (const owner of [group, organization, other]) await categories.putDocument(owner, '[]', 'anna', noon)
    await categories.removeDocument(other, 'anna', noon)
    const listOwners = (max = 10) => items.listUncounted('2026-11-28', max)
    const put = (owner: SchemaOwner, day: string, path: string) => items.putCoverage(owner, day, [{ path, items: 1 }])
    await put(organization, '2026-11-27', '')
    await put(organization, '2026-11-28', '/A')
    expect(await listOwners()).toEqual([organization, group])
    expect(await listOwners(1)).toEqual([organization])
    await put(organization, '2026-11-28', '')
    expect(await listOwners()).toEqual([group])
  })
}
