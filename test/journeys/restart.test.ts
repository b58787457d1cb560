import { readdirSync } from 'node:fs'
import { basename, dirname } from 'node:path'
import { expect, test } from 'vitest'
import { temporaryFile } from '../storage/sqlite/temporary-file.ts'
import { adminPassword, type Client, startPortal } from '../support/portal/portal.ts'

const categorySchema = {
  categorySchema: [{ title: 'Categories', categories: [{ title: 'Coast' }, { title: 'Alps' }] }],
}

/** Reads all that was written, as an administrator. */
async function lookAround(admin: Client, groupId: string): Promise<readonly unknown[]> {
  const paths = [
    '/portals/self/users',
    '/portals/self/roles',
    '/portals/self/collaborations',
    '/portals/self/categorySchema',
    `/community/groups/${groupId}`,
    `/community/groups/${groupId}/categorySchema`,
  ]
  const answers = await Promise.all(paths.map((path) => admin.get(path)))
  for (const answer of answers) expect(answer).not.toHaveProperty('error')
  return answers
}

test('a server that starts on a file finds what was written before, and ending leaves nothing beside it', async () => {
  const file = temporaryFile()
  const environment = { DATABASE_URL: `file:${file}` }
  const first = await startPortal({ environment })
  const admin = await first.admin()
  const { id } = await admin.createGroup('Land cover', { access: 'org' })
  await admin.createRole('Cataloguer', ['portal:admin:updateItemCategorySchema'])
  const schemas = ['/portals/self', `/community/groups/${id}`].map((owner) =>
    admin.post(`${owner}/assignCategorySchema`, { categorySchema }),
  )
  expect(await Promise.all(schemas)).toEqual([{ success: true }, { success: true }])
  await Promise.all(Array.from({ length: 3 }, (_, at) => admin.invite(`user${at}`)))
  const before = await lookAround(admin, id)
  await first[Symbol.asyncDispose]()
  const beside = readdirSync(dirname(file)).filter((name) => /-(wal|shm)$/.test(name))
  expect([basename(file), beside]).toEqual(['cartulary.db', []])

  await using second = await startPortal({ environment })
  expect(second.server.firstRun).toBeUndefined()
  const again = await second.signIn('admin', adminPassword)
  expect(await lookAround(again, id)).toEqual(before)
})
