/** Directus with one collection of documents. */
import { startDirectus } from './server.mjs'

const { port, token, post } = await startDirectus(process.argv[2])
await post('/collections', {
  collection: 'groups',
  schema: {},
  meta: {},
  fields: [
    { field: 'id', type: 'uuid', schema: { is_primary_key: true }, meta: { special: ['uuid'] } },
    { field: 'categorySchema', type: 'json', schema: {}, meta: { special: ['cast-json'] } },
  ],
})
const { data } = await post(
  '/items/groups',
  Array.from({ length: 200 }, () => ({ categorySchema: [] })),
)
console.log(`ready ${JSON.stringify({ port, token, groupIds: data.map(({ id }) => id) })}`)
