import { expect } from 'vitest'
import type { StoredTemplate } from '../../../src/schema-files/templates/store.ts'
import type { WorkStorage } from '../work-storage.ts'
import { addPeople, aTemplate, type OpenStorage, otherPortal, testOn } from './records.ts'

/** Templates of organizations. */
export function templatesContract(open: OpenStorage): void {
  const test = testOn(open, addPeople)

  async function add({ templates }: WorkStorage, ...given: readonly StoredTemplate[]): Promise<void> {
    for (const template of given) await templates.addTemplate(template)
  }

  test('templates are listed by name, without their documents', async ({ templates, storage }) => {
    const named = ['b', 'a-c', 'a1', 'a'].map((name) => aTemplate({ name }))
    await add(storage, ...named, aTemplate({ portalId: otherPortal.portalId }))
    const listed = await templates.listTemplates(aTemplate().portalId)
    expect(listed.map(({ name }) => name)).toEqual(['a', 'a-c', 'a1', 'b'])
    const { document: _, ...summary } = named.at(-1)!
    expect(listed[0]).toStrictEqual(summary)
  })

  test('a name is taken once in an organization', async ({ templates, storage }) => {
    await add(storage, aTemplate())
    await expect(templates.addTemplate(aTemplate())).rejects.toThrow()
  })

  test('a template is removed once', async ({ templates }) => {
    await templates.addTemplate(aTemplate())
    const remove = () => templates.removeTemplate(aTemplate().portalId, aTemplate().name)
    expect([await remove(), await remove()]).toEqual([true, false])
  })
}
