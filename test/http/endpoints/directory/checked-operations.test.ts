import { endpointTable } from '../../../../src/http/endpoints/table.ts'
import { startPortal } from '../../../support/portal/portal.ts'
import { expect, test } from '../../../support/portal/test.ts'

const { choices } = endpointTable.find(({ id }) => id === 'checkPermission')!.parameters['operation']!

test('permission can be asked for each operation that is listed, with the ids of its target, and for no other', async () => {
  await using portal = await startPortal()
  const { operations } = await portal.anonymous.get('/checkedOperations')
  expect(operations.map(({ id }: { id: string }) => id)).toEqual(choices)
  const admin = await portal.admin()
  for (const { id, target: names } of operations) {
    const target = JSON.stringify(Object.fromEntries(names.map((name: string) => [name, 'x'])))
    const verdict = await admin.get('/portals/self/permissionCheck', { operation: id, target })
    expect(verdict, id).toMatchObject({ operation: id, user: 'admin' })
    const withoutLast = JSON.stringify(Object.fromEntries(names.slice(1).map((name: string) => [name, 'x'])))
    if (names.length === 0) continue
    const refused = await admin.get('/portals/self/permissionCheck', { operation: id, target: withoutLast })
    expect(refused, id).toMatchObject({ error: { details: [`target: give ${names[0]} for ${id}.`] } })
  }
})

test('parameters are those that may be given: none of a query, and no secret', async ({ portal }) => {
  const { operations } = await portal.anonymous.get('/checkedOperations')
  const parametersOf = (id: string) => operations.find((one: { id: string }) => one.id === id).parameters
  expect(parametersOf('readGroup')).toEqual([])
  expect(parametersOf('deletePortalCategorySchema')).toEqual(['ifVersion', 'ifHash', 'comment', 'dryRun'])
  expect(parametersOf('changePassword')).toEqual([])
})
