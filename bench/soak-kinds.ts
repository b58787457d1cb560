/** Members that overload a server, each kind in its own way. */
import { setTimeout as delay } from 'node:timers/promises'
import { slowFile, slowFiles } from '../test/support/inputs/hostile-rdf.ts'
import { post } from './servers.ts'
import type { Member } from './soak-honest.ts'

/** Requests of one kind, as bytes on connections. */
export interface Kind {
  readonly name: string
  readonly connections: number
  /** `aborts` resets the connection while it is answered; `deaf` reads no answers; `silent` sends nothing. */
  readonly way: 'repeats' | 'aborts' | 'deaf' | 'silent'
  /** Number of client addresses that it connects from, beside the shared one. */
  readonly addresses?: number
  /** Creates content before the attack; `at` is another number for each member that prepares it. */
  prepare?(member: Member, at: number): Promise<void>
  /** Next request; for a server of the list, if not for the member's own. */
  next(member: Member, number: number): string
}

const form = 'application/x-www-form-urlencoded'
const json = 'application/json'

function formatRequest(method: string, path: string, member?: Member, body = '', type = form, headers = ''): string {
  const authorization = member === undefined ? '' : `Authorization: Bearer ${member.token}\r\n`
  const content = body === '' ? '' : `Content-Type: ${type}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n`
  return `${method} /sharing/rest${path} HTTP/1.1\r\nHost: localhost\r\n${authorization}${headers}${content}\r\n${body}`
}

const assignTo = ({ groupId }: Member) => `/community/groups/${groupId}/assignCategorySchema`
const schemaOf = ({ groupId }: Member) => `/community/groups/${groupId}/categorySchema`

const longText = encodeURIComponent('地'.repeat(10_000))
const slowTerm = `${'e'.repeat(97)}x`
const slowQuery = Array(9).fill(slowTerm).join('%20')
const longTags = '"a",'.repeat(60_000)
const members = `{${Array.from({ length: 70_000 }, (_, number) => `"${number}":0`).join(',')}}`
const unknown = Array.from({ length: 999 }, (_, number) => `${number}=${'%41'.repeat(340)}`).join('&')
const part = (number: number) => `--b\r\ncontent-disposition: form-data; name="p${number}"\r\n\r\n\r\n`
const parts = `${Array.from({ length: 16_000 }, (_, number) => part(number)).join('')}--b--\r\n`
const largeSchemas = [0, 1].map((number) =>
  JSON.stringify({
    categorySchema: Array.from({ length: 5 }, (_, tree) => ({
      title: `Tree ${tree} ${number}`,
      categories: Array.from({ length: 39 }, (_, leaf) => ({
        title: `${leaf}`,
        description: 'd'.repeat(299),
        source: '地'.repeat(900),
      })),
    })),
  }),
)
const guess = (number: number) =>
  formatRequest('POST', '/generateToken', undefined, `username=invented${number}&password=wrong-password&f=json`)
const smallSchema = (number: number) => JSON.stringify({ categorySchema: [{ title: `Categories ${number}` }] })

/** Adds as many different tags as a user may have; ten consecutive members have different ones. */
async function addTags(member: Member, at: number): Promise<void> {
  const { username, token } = member
  const path = `/content/users/${username}`
  const ids: string[] = []
  for (let first = 0; first < tagsOfUser; first += tagsOfItem) {
    const tags = Array.from({ length: Math.min(tagsOfItem, tagsOfUser - first) }, (_, tag) =>
      `${at % 10}x${first + tag}`.padEnd(lengthOfTag, 'ế'),
    )
    const item = { title: 'x', type: 'x', tags: tags.join(','), token }
    const { id } = await insist(() => post(member, `${path}/addItem`, item))
    ids.push(id)
  }
  for (let first = 0; first < ids.length; first += itemsOfShare) {
    const items = ids.slice(first, first + itemsOfShare).join(',')
    await insist(() => post(member, `${path}/shareItems`, { items, everyone: 'true', token }))
  }
}

/** Retries a write: concurrent writes of many members may exceed the timeout of a write. */
async function insist<Answer>(ask: () => Promise<Answer>, patience = 10): Promise<Answer> {
  try {
    return await ask()
  } catch (error) {
    if (patience === 0) throw error
    await delay(1_000)
    return insist(ask, patience - 1)
  }
}

/** Default limits of the server. */
const [tagsOfUser, tagsOfItem, lengthOfTag] = [10_000, 128, 128]
/** Items in a share; a larger batch may exceed the timeout of a write. */
const itemsOfShare = 10

const files = [slowFile, ...slowFiles].map(
  (file) => `--b\r\ncontent-disposition: form-data; name="file"; filename="a"\r\n\r\n${file}\r\n--b--\r\n`,
)

/** An honest program that keeps this many requests in progress. */
export const manyAtOnce: Kind = {
  name: 'many at once',
  connections: 200,
  way: 'repeats',
  next: (member, number) =>
    number % 4 === 0
      ? formatRequest('POST', assignTo(member), member, smallSchema(number), json)
      : formatRequest('GET', `${schemaOf(member)}?f=json`, member),
}

export const hostileKinds: readonly Kind[] = [
  {
    name: 'large groups',
    connections: 8,
    way: 'repeats',
    next: (member) =>
      formatRequest('POST', '/community/createGroup', member, `title=a&access=public&description=${longText}`),
  },
  {
    name: 'own view',
    connections: 4,
    way: 'repeats',
    next: (member) => formatRequest('GET', '/community/self?f=html', member),
  },
  {
    name: 'pages of groups',
    connections: 8,
    way: 'repeats',
    next: (member) => formatRequest('GET', '/community/groups?num=100&f=html', member),
  },
  {
    name: 'slow searches',
    connections: 8,
    way: 'repeats',
    next: (member, number) =>
      number < 200
        ? formatRequest('POST', '/community/createGroup', member, `title=a&description=${'e'.repeat(2_000)}`)
        : formatRequest('GET', `/community/groups?q=${slowQuery}&num=100`, member),
  },
  {
    name: 'large schemas',
    connections: 8,
    way: 'repeats',
    next: (member, number) => formatRequest('POST', assignTo(member), member, largeSchemas[number % 2]!, json),
  },
  {
    name: 'invalid schemas',
    connections: 4,
    way: 'repeats',
    next: (member) => formatRequest('POST', assignTo(member), member, members, json),
  },
  {
    name: 'refusals',
    connections: 30,
    way: 'repeats',
    next: (member) =>
      formatRequest('POST', '/portals/self/assignCategorySchema', member, 'categorySchema=%5B%5D').repeat(10),
  },
  { name: 'guesses', connections: 20, way: 'repeats', next: (_, number) => guess(number) },
  { name: 'aborted guesses', connections: 4, way: 'aborts', next: (_, number) => guess(number) },
  {
    name: 'a million parameters',
    connections: 2,
    way: 'repeats',
    next: (member) => formatRequest('POST', '/portals/self/assignCategorySchema', member, '&'.repeat(1_000_000)),
  },
  {
    name: 'unknown parameters',
    connections: 4,
    way: 'repeats',
    next: (member) => formatRequest('POST', assignTo(member), member, unknown),
  },
  {
    name: '16,000 parts',
    connections: 4,
    way: 'repeats',
    next: (member) => formatRequest('POST', assignTo(member), member, parts, 'multipart/form-data; boundary=b'),
  },
  {
    name: 'long headers',
    connections: 8,
    way: 'repeats',
    next: (member) => formatRequest('GET', schemaOf(member), member, '', form, `If-None-Match: ${longTags}"b"\r\n`),
  },
  {
    name: 'deaf, own schema',
    connections: 20,
    way: 'deaf',
    next: (member) => formatRequest('GET', schemaOf(member), member),
  },
  {
    name: 'deaf, pages of groups',
    connections: 20,
    way: 'deaf',
    next: (member) => formatRequest('GET', '/community/groups?num=100', member),
  },
  {
    name: 'counts of tags',
    connections: 20,
    way: 'repeats',
    addresses: 20,
    prepare: addTags,
    next: () => formatRequest('GET', '/search?countFields=tags&num=0&f=json'),
  },
  {
    name: 'files',
    connections: 2,
    way: 'repeats',
    next: (member, number) =>
      formatRequest(
        'POST',
        `${schemaOf(member)}/import?f=json`,
        member,
        files[number % files.length]!,
        'multipart/form-data; boundary=b',
      ),
  },
  // Exceeds the number that a server has for all callers.
  { name: 'silent connections', connections: 10_500, way: 'silent', addresses: 1, next: () => '' },
]

export function findKind(name: string): Kind {
  return [manyAtOnce, ...hostileKinds].find((kind) => kind.name === name)!
}
