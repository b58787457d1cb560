import { expect, test } from '../../../support/portal/test.ts'

test('a template is assigned as it is read, without and with URIs', async ({ portal, admin }) => {
  const list = await portal.anonymous.get('/categorySchemaTemplates', { language: 'de' })
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

test('an unknown template is 404', async ({ portal }) => {
  expect(await portal.anonymous.get('/categorySchemaTemplates/dewey')).toMatchObject({ error: { code: 404 } })
})
