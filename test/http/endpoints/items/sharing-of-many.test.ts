import { expect, test } from 'vitest'
import { changeByHand } from '../../../support/portal/add-app.ts'
import { refused } from '../../../support/portal/envelopes.ts'
import { startPortal } from '../../../support/portal/portal.ts'

test('a group with more items than are looked at is not opened', async () => {
  await using portal = await startPortal({ isReused: false })
  const bert = await portal.user('bert')
  const seas = (await bert.createGroup('Seas', { access: 'private' })).id
  const { id: userId, orgId } = await bert.get('/community/self')
  const open = () => bert.post(`/community/groups/${seas}/update`, { membershipAccess: 'none' })
  const link = (from: number, to: number) => `with recursive numbers (n) as
    (select ${from} union all select n + 1 from numbers where n < ${to})`
  const columns = 'title, title_key, type, type_keywords, tags, culture, spatial_reference, url, snippet'
  const texts = "'T', 't', 'PDF', '[]', '[]', '', '', '', ''"
  const add = async (from: number, to: number) => {
    await changeByHand(
      portal,
      `insert into items (id, item_id, portal_id, owner_id, level, access, is_protected, size, created_at, modified_at,
        ${columns}, access_information, documentation, license_info, description)
        ${link(from, to)} select n, 'item ' || n, '${orgId}', '${userId}', 'org', 'org', 0, 0, 1, 1, ${texts}, '', '', '', '' from numbers`,
    )
    await changeByHand(
      portal,
      `insert into item_groups (item_number, group_id, gives_control) ${link(from, to)} select n, '${seas}', 0 from numbers`,
    )
  }
  await add(1_000_001, 1_100_000)
  expect(await open()).toMatchObject({ success: true })
  await bert.post(`/community/groups/${seas}/update`, { membershipAccess: 'org' })
  await add(1_100_001, 1_100_001)
  expect(await open()).toEqual(
    refused(
      'update group',
      'membershipAccess: the group has more than 100,000 items, too many to look for those of owners who are no members; unshare some first.',
    ),
  )
})
