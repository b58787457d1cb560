/** Requests of the benchmarks: writing and reading category schemas of groups. */
import { fire, type Outcome } from './load.ts'

export interface Target {
  readonly port: number
  readonly token: string
  /** Groups that the bearer of the token owns; their ids have the same length. */
  readonly groupIds: readonly string[]
}

export interface Round {
  readonly connections: number
  readonly milliseconds: number
  /** Minimum number of requests, sent even if they take longer. */
  readonly atLeast?: number
  /** Order of the groups: round-robin or random. */
  readonly order: 'sequential' | 'random'
}

/** Placeholder for the number that makes every document unique: SQLite writes nothing where nothing changes. */
const numberMark = '00000000'
/** Placeholder for the id of a group. */
const groupMark = '{group}'

/** 200 categories with descriptions, about 16 KB as a form. */
export const largeSchema = schemaOf(5, 39, 'What it has')
/** 14 categories with descriptions, about 1 KB as a form. */
export const smallSchema = schemaOf(1, 13, 'Here')

function schemaOf(trees: number, leaves: number, description: string): string {
  return JSON.stringify({
    categorySchema: Array.from({ length: trees }, (_, tree) => ({
      title: tree === 0 ? `Tree ${numberMark}` : `Tree ${tree}`,
      categories: Array.from({ length: leaves }, (_, leaf) => ({ title: `Category ${tree} ${leaf}`, description })),
    })),
  })
}

/** Assigns a schema to the groups, round-robin or at random, with a different document each time. */
export function assign(target: Target, categorySchema: string, round: Round): Promise<Outcome> {
  const body = new URLSearchParams({ categorySchema, token: target.token }).toString()
  const path = `/sharing/rest/community/groups/${groupMark}/assignCategorySchema`
  return send(target, round, { method: 'POST', path, type: 'application/x-www-form-urlencoded', body })
}

export function read(target: Target, round: Round): Promise<Outcome> {
  return send(target, round, { method: 'GET', path: `${readPath}?token=${target.token}` })
}

/** Stores documents where a server that parses none of them reads them. */
export function putForReading(target: Target, schema: string, round: Round): Promise<Outcome> {
  return send(target, round, { method: 'POST', path: readPath, type: 'application/json', body: schema })
}

/** Document of one group as it is read. */
export async function readOne({ port, token, groupIds }: Target): Promise<string> {
  const path = readPath.replace(groupMark, groupIds[0]!)
  return (await fetch(`http://127.0.0.1:${port}${path}?token=${token}`)).text()
}

const readPath = `/sharing/rest/community/groups/${groupMark}/categorySchema`

/** A request, with `{group}` in its path. */
interface Request {
  readonly method: 'GET' | 'POST'
  readonly path: string
  readonly type?: string
  readonly body?: string
}

/** Sends a request for each group, round-robin or at random. */
function send({ port, groupIds }: Target, { order, ...round }: Round, request: Request): Promise<Outcome> {
  const placeholder = 'g'.repeat(groupIds[0]!.length)
  const text = format({ ...request, path: request.path.replace(groupMark, placeholder) })
  const groupAt = text.indexOf(placeholder)
  const numberAt = text.indexOf(numberMark)
  // No request is in flight on a connection when the next one overwrites its buffer.
  const buffers = Array.from({ length: round.connections }, () => Buffer.from(text))
  let turn = 0
  return fire({
    port,
    ...round,
    next(connection) {
      turn = order === 'random' ? Math.floor(Math.random() * groupIds.length) : (turn + 1) % groupIds.length
      const bytes = buffers[connection]!
      bytes.write(groupIds[turn]!, groupAt, 'latin1')
      if (numberAt !== -1) {
        documents += 1
        bytes.write(String(documents).padStart(numberMark.length, '0'), numberAt, 'latin1')
      }
      return bytes
    },
    isSuccess: (body) => success.test(body),
  })
}

let documents = 0

/** Success of an assign, or a document. */
const success = /^\{"success":true\}$|"categorySchema"/

function format({ method, path, type, body }: Request): string {
  return [
    `${method} ${path} HTTP/1.1`,
    'Host: localhost',
    ...(body === undefined ? [] : [`Content-Type: ${type}`, `Content-Length: ${Buffer.byteLength(body)}`]),
    `\r\n${body ?? ''}`,
  ].join('\r\n')
}
