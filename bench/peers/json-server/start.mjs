/** json-server as a module, as its README shows it: a JSON file that is written anew with every change. */
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import jsonServer from 'json-server'

const ids = Array.from({ length: 200 }, (_, id) => String(id).padStart(32, '0'))
const file = join(process.argv[2], 'db.json')
writeFileSync(file, JSON.stringify({ groups: ids.map((id) => ({ id, categorySchema: [] })) }))

const server = jsonServer.create()
server.use(jsonServer.defaults({ logger: false }))
server.use(jsonServer.router(file))
const listening = server.listen(0, '127.0.0.1', () => {
  console.log(`ready ${JSON.stringify({ port: listening.address().port, token: '', groupIds: ids })}`)
})
