/**
 * Floor: the minimum cost of a durable write over HTTP. Bare node:http and better-sqlite3, one commit for each
 * request, no sign-in, no parsing, no checks. `node bench/floor.ts <database file>` prints its port, and is called bare;
 * with `--log` it writes a line for each request as well, and is called the floor.
 */
import { writeSync } from 'node:fs'
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import Database from 'better-sqlite3'

const [file, ...options] = process.argv.slice(2)
const isLogged = options.includes('--log')
const database = new Database(file!)
database.pragma('journal_mode = WAL')
database.pragma('synchronous = FULL')
database.exec('create table if not exists documents (path text primary key, document blob not null)')
const put = database.prepare(
  'insert into documents (path, document) values (?, ?) on conflict (path) do update set document = excluded.document',
)
const find = database.prepare<[string], { document: Buffer }>('select document from documents where path = ?')

const server = createServer((request, response) => {
  const begun = performance.now()
  const { method } = request
  const path = request.url!.split('?', 1)[0]!
  // Writing and reading a group's schema have their own paths below the group's.
  const place = path.slice(0, path.lastIndexOf('/'))
  if (method === 'GET') {
    const body = find.get(place)!.document
    answer(response, body)
    if (isLogged) log('GET', path, begun)
    return
  }
  const parts: Buffer[] = []
  request.on('data', (part: Buffer) => parts.push(part))
  request.on('end', () => {
    put.run(place, Buffer.concat(parts))
    answer(response, success)
    if (isLogged) log('POST', path, begun)
  })
})

const success = Buffer.from('{"success":true}')

function answer(response: ServerResponse, body: Buffer): void {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length }).end(body)
}

function log(method: string, path: string, begun: number): void {
  const milliseconds = Math.round((performance.now() - begun) * 100) / 100
  const line = { level: 'info', time: new Date().toISOString(), method, path, status: 200, milliseconds }
  writeSync(1, `${JSON.stringify(line)}\n`)
}

// A long timeout: a disk that stalls for seconds must not make clients look idle.
server.keepAliveTimeout = 60_000
server.listen(0, '127.0.0.1', () => console.log((server.address() as AddressInfo).port))
