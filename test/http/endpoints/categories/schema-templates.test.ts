import { expect, test } from '../../../support/portal/test.ts'

test('a template is assigned as it is read, without and with URIs', async ({ portal, admin }) => {
  const list = await portal.anonymous.get('/categorySchemaTemplates')
  expect(list.templates).toMatchObject([{ name: 'iso19115' }, { name: 'inspire' }, { name: 'inspire-annexes' }])
  for (const { name } of list.templates) {
    for (const keepUris of ['false', 'true']) {
      const { categorySchema, concepts } = await portal.anonymous.get(`/categorySchemaTemplates/${name}`, { keepUris })
      expect(JSON.stringify(categorySchema).split('"source"')).toHaveLength(
        keepUris === 'true' ? concepts.length + 1 : 1,
      )
      expect(await admin.post('/portals/self/assignCategorySchema', { categorySchema: { categorySchema } })).toEqual({
        success: true,
      })
      expect(await admin.get('/portals/self/categorySchema')).toEqual({ categorySchema })
    }
  }
})

test.for([
  ['de-AT', 'INSPIRE-Themen', 'Gewässernetz'],
  ['ar', 'موضوعات INSPIRE', 'الهيدروغرافيا'],
  ['pt', 'INSPIRE themes', 'Hydrography'],
] as const)('a template has its titles in %s, or in English', async ([language, title, theme], { portal }) => {
  const { templates } = await portal.anonymous.get('/categorySchemaTemplates', { language })
  expect(templates).toContainEqual(expect.objectContaining({ name: 'inspire', title }))
  const template = await portal.anonymous.get('/categorySchemaTemplates/inspire', { language })
  expect(template).toMatchObject({ title, categorySchema: [{ title }] })
  expect(template.concepts).toContainEqual(
    expect.objectContaining({ code: 'hy', label: theme, path: `/${title}/${theme}` }),
  )
})

test('an unknown template is 404', async ({ portal }) => {
  expect(await portal.anonymous.get('/categorySchemaTemplates/dewey')).toMatchObject({ error: { code: 404 } })
})
