/** A project of Strapi with one content type, without its web pages; an API token is the caller's. */
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { createServer } from 'node:net'
import { join } from 'node:path'

const { createStrapi } = createRequire(import.meta.url)('@strapi/strapi')
const folder = process.argv[2]
const uid = 'api::group.group'
const port = await findFreePort()
const secret = 'a secret of no importance whatsoever'

write('package.json', JSON.stringify({ name: 'peer', version: '0.0.0', strapi: { uuid: 'none' } }))
config('database', {
  connection: {
    client: 'sqlite',
    connection: { filename: join(folder, 'strapi.db') },
    useNullAsDefault: true,
  },
})
config('server', { host: '127.0.0.1', port, app: { keys: [secret] } })
config('admin', {
  serveAdminPanel: false,
  auth: { secret },
  apiToken: { salt: secret },
  transfer: { token: { salt: secret } },
  secrets: { encryptionKey: secret },
})
config('api', {})
config('plugins', {})
// Those of a new project, but for the log of requests, which is off everywhere here.
const middlewares = 'errors security cors poweredBy query body session favicon public'
config(
  'middlewares',
  middlewares.split(' ').map((name) => `strapi::${name}`),
)
write(
  'src/api/group/content-types/group/schema.json',
  JSON.stringify({
    kind: 'collectionType',
    collectionName: 'groups',
    info: { singularName: 'group', pluralName: 'groups', displayName: 'Group' },
    options: { draftAndPublish: false },
    attributes: { categorySchema: { type: 'json' } },
  }),
)
for (const part of ['controller', 'service', 'router']) {
  const create = `createCore${part[0].toUpperCase()}${part.slice(1)}`
  write(
    `src/api/group/${part === 'router' ? 'routes' : `${part}s`}/group.js`,
    `module.exports = require('@strapi/strapi').factories.${create}('${uid}')`,
  )
}
symlinkSync(new URL('node_modules', import.meta.url), join(folder, 'node_modules'))
mkdirSync(join(folder, 'public/uploads'), { recursive: true })

process.chdir(folder)
const strapi = await createStrapi({ appDir: folder, distDir: folder }).start()
const { accessKey } = await strapi
  .service('admin::api-token')
  .create({ name: 'bench', description: '', type: 'full-access', lifespan: null })
const groupIds = []
while (groupIds.length < 200) {
  groupIds.push((await strapi.documents(uid).create({ data: { categorySchema: [] } })).documentId)
}
console.log(`ready ${JSON.stringify({ port, token: accessKey, groupIds })}`)

function config(name, value) {
  write(`config/${name}.js`, `module.exports = ${JSON.stringify(value)}`)
}

function write(path, text) {
  mkdirSync(join(folder, path, '..'), { recursive: true })
  writeFileSync(join(folder, path), text)
}

function findFreePort() {
  return new Promise((resolve) => {
    const server = createServer().listen(0, '127.0.0.1', () => {
      const { port } = server.address()
      server.close(() => resolve(port))
    })
  })
}
