/** Directus with the items and categories of a database of Cartulary, with an index for each column that is filtered or grouped by. */
import { DatabaseSync } from 'node:sqlite'
import { startDirectus } from './server.mjs'

const [, , folder, source] = process.argv
const { port, token, file, post } = await startDirectus(folder)
const indexed = { is_indexed: true }
const key = { field: 'id', type: 'integer', schema: { is_primary_key: true, has_auto_increment: true }, meta: {} }

await post('/collections', {
  collection: 'categories',
  schema: {},
  meta: {},
  fields: [key, { field: 'path', type: 'string', schema: indexed, meta: {} }],
})
await post('/collections', {
  collection: 'contents',
  schema: {},
  meta: {},
  fields: [
    key,
    { field: 'title', type: 'string', schema: {}, meta: {} },
    { field: 'type', type: 'string', schema: indexed, meta: {} },
    { field: 'tags', type: 'json', schema: {}, meta: { special: ['cast-json'] } },
    { field: 'snippet', type: 'text', schema: {}, meta: {} },
    { field: 'description', type: 'text', schema: {}, meta: {} },
    { field: 'modified', type: 'bigInteger', schema: indexed, meta: {} },
    { field: 'categories', type: 'alias', schema: null, meta: { special: ['m2m'] } },
  ],
})
await post('/collections', {
  collection: 'contents_categories',
  schema: {},
  meta: { hidden: true },
  fields: [
    key,
    { field: 'contents_id', type: 'integer', schema: indexed, meta: {} },
    { field: 'categories_id', type: 'integer', schema: indexed, meta: {} },
  ],
})
await relate('contents_id', 'contents', { one_field: 'categories', junction_field: 'categories_id' })
await relate('categories_id', 'categories', { one_field: null, junction_field: 'contents_id' })

// As the other side's items are written too: without requests, so that filling takes no time of the measurement.
const database = new DatabaseSync(file)
database.exec('pragma busy_timeout = 60000')
database.prepare('attach database ? as source').run(source)
database.exec(`begin immediate;
  insert into categories (id, path) select id, path from source.category_paths;
  insert into contents (id, title, type, tags, snippet, description, modified)
    select id, title, type, tags, snippet, description, modified_at from source.items;
  insert into contents_categories (contents_id, categories_id)
    select item_number, category_id from source.item_categories;
  commit; analyze`)
database.close()
console.log(`ready ${JSON.stringify({ port, token })}`)

function relate(field, related, meta) {
  return post('/relations', {
    collection: 'contents_categories',
    field,
    related_collection: related,
    schema: { on_delete: 'CASCADE' },
    meta: { many_collection: 'contents_categories', many_field: field, one_collection: related, ...meta },
  })
}
