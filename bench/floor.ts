/**
 * The floor: the least that a durable write over HTTP can be. Bare node:http and better-sqlite3, one commit for each
 * request, no sign-in, no parsing, no checks. `node bench/floor.ts <database file>`; prints its port.
 */
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import Database from 'better-sqlite3'

const database = new Database(process.argv[2]!)
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')
database.exec('create table if not exists documents (path text primary key, document blob not null)')
const put = database.prepare(
  'insert into documents (path, document) values (?, ?) on conflict (path) do update set document = excluded.document',
)
const find = database.prepare<[string], { document: Buffer }>('select document from documents where path = ?')

const server = createServer((request, response) => {
  const path = request.url!.split('?', 1)[0]!
  if (request.method === 'GET') {
    const body = find.get(path)!.document
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
    return
  }
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    put.run(path, Buffer.concat(parts))
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': 16 }).end('{"success":true}')
  })
})
// A disk that stalls for seconds is not a client that has gone away.
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
