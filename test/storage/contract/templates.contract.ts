import { expect, test } from 'vitest'
import type { StoredTemplate } from '../../../src/schema-files/templates/store.ts'
import { addPeople, aTemplate, type OpenStorage, otherPortal } from './records.ts'

/** Templates of organizations. */
export function templatesContract(open: OpenStorage): void {
  async function openWith(...templates: readonly StoredTemplate[]) {
    const storage = await open()
    await addPeople(storage)
    for (const template of templates) await storage.write((stores) => stores.templates.addTemplate(template))
    return storage
  }

  test('a template is found as it was added, in its own organization', async () => {
    const given = aTemplate({
      title: 'Łódź 🌍',
      document: '{"categorySchema":[{"title":"\\u0000 🌍"}]}',
      source: undefined,
    })
    const storage = await openWith(given, aTemplate({ portalId: otherPortal.portalId, title: 'Of the others' }))
    const find = (portalId: string, name: string) =>
      storage.read((stores) => stores.templates.findTemplate(portalId, name))
    expect(await find(given.portalId, given.name)).toStrictEqual(given)
    expect(await find(otherPortal.portalId, given.name)).toMatchObject({ title: 'Of the others', source: 'org@1' })
    expect(await find(given.portalId, 'rivers')).toBeUndefined()
  })

  test('templates are listed by name, without their documents', async () => {
    const named = ['b', 'a-c', 'a1', 'a'].map((name) => aTemplate({ name }))
    const storage = await openWith(...named, aTemplate({ portalId: otherPortal.portalId }))
    const listed = await storage.read((stores) => stores.templates.listTemplates(aTemplate().portalId))
    expect(listed.map(({ name }) => name)).toEqual(['a', 'a-c', 'a1', 'b'])
    const { document: _, ...summary } = named.at(-1)!
    expect(listed[0]).toStrictEqual(summary)
  })

  test('a name is taken once in an organization', async () => {
    const storage = await openWith(aTemplate())
    await expect(storage.write((stores) => stores.templates.addTemplate(aTemplate()))).rejects.toThrow()
  })

  test('a template is removed once, and no other', async () => {
    const storage = await openWith(
      aTemplate(),
      aTemplate({ name: 'rivers' }),
      aTemplate({ portalId: otherPortal.portalId }),
    )
    const remove = () => storage.write((stores) => stores.templates.removeTemplate(aTemplate().portalId, 'lakes'))
    expect([await remove(), await remove()]).toEqual([true, false])
    const count = (portalId: string) =>
      storage.read(async ({ templates }) => (await templates.listTemplates(portalId)).length)
    expect([await count(aTemplate().portalId), await count(otherPortal.portalId)]).toEqual([1, 1])
  })
}
