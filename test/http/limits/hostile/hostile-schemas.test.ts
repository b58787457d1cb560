import { measureMemory } from '../../../support/faults/memory.ts'
import { startPortal } from '../../../support/portal/portal.ts'
import { invalidSchema, openHolder, rejection, type SchemaHolder } from '../../../support/portal/schema-holder.ts'
import { describe, expect, test } from '../../../support/portal/test.ts'

const form = 'application/x-www-form-urlencoded'
const json = 'application/json'
const maxBytes = 1024 * 1024
const success = { success: true }
const tooLarge = {
  error: { code: 413, message: 'The request body is too large.', details: [`At most ${maxBytes} bytes are allowed.`] },
}
const tooManyParameters = rejection('The request has more than 1000 parameters.')

const around = (inner: string) => `{"categorySchema":[{"title":"A","extra":${inner}}]}`
const many = (count: number, write: (index: number) => string, between = ',') =>
  Array.from({ length: count }, (_, index) => write(index)).join(between)
/** Lists in lists, as many as fit into so many bytes. */
const nested = (bytes: number) => '['.repeat(bytes / 2) + ']'.repeat(bytes / 2)

interface HostileBody {
  readonly what: string
  readonly type: string
  readonly body: string
  readonly answer: object
}

/** Bodies for each way of taking one out of a request; those with hostile schemas are in test/rooms/schema-hostile.test.ts. */
const bodies: readonly HostileBody[] = [
  { what: 'as many nested lists as fit', type: json, body: nested(maxBytes), answer: invalidSchema },
  { what: 'one nested list more', type: json, body: nested(maxBytes + 2), answer: tooLarge },
  { what: 'a million nested lists', type: json, body: nested(2_000_000), answer: tooLarge },
  { what: 'nested lists in a form', type: form, body: `categorySchema=${nested(1_000_000)}`, answer: invalidSchema },
  { what: 'nested lists without a name', type: form, body: nested(1_000_000), answer: invalidSchema },
  { what: 'nested lists in a dropped member', type: json, body: around(nested(18_000)), answer: success },
  { what: '60,000 trees', type: json, body: `[${many(60_000, () => '{"title":"/"}')}]`, answer: invalidSchema },
  { what: '100,000 form keys', type: form, body: many(100_000, (at) => `k${at}=1`, '&'), answer: tooManyParameters },
  {
    what: '100,000 form keys behind a schema',
    type: form,
    body: `categorySchema=[{"title":"A"}]&${many(100_000, (at) => `k${at}=`, '&')}`,
    answer: tooManyParameters,
  },
  { what: 'a million separators', type: form, body: '&'.repeat(1_000_000), answer: tooManyParameters },
  { what: 'names that are not UTF-8', type: form, body: '%FF=&'.repeat(100_000), answer: tooManyParameters },
  { what: 'a million equals signs', type: form, body: '='.repeat(1_000_000), answer: invalidSchema },
  {
    what: '500 times the schema',
    type: form,
    body: many(500, () => 'categorySchema=[]', '&'),
    answer: rejection('categorySchema: given 500 times; give it once.'),
  },
  {
    what: '10,000 parts',
    type: 'multipart/form-data; boundary=X',
    body: `${many(10_000, (at) => `--X\r\nContent-Disposition: form-data; name="k${at}"\r\n\r\n1\r\n`, '')}--X--\r\n`,
    answer: rejection('The multipart body has more than 100 parts.'),
  },
  {
    what: '__proto__ at every place',
    type: json,
    body: `{"__proto__":{"polluted":1},"categorySchema":[{"__proto__":{"polluted":1},"title":"A","constructor":{"prototype":{"polluted":1}}}]}`,
    answer: success,
  },
  {
    what: '__proto__ as names of form fields',
    type: form,
    body: '__proto__=1&__proto__[polluted]=1&constructor.prototype.polluted=1&categorySchema=[{"title":"A"}]',
    answer: {
      success: true,
      warnings: [
        '__proto__ is unknown.',
        '__proto__…polluted… is unknown.',
        'constructor.prototype.polluted is unknown.',
      ],
    },
  },
  {
    what: 'a title of a megabyte',
    type: json,
    body: `[{"title":"${'x'.repeat(1_000_000)}"}]`,
    answer: rejection('Title at /categorySchema/0/title has 1000000 characters; at most 99 are allowed.'),
  },
  {
    what: 'percent escapes',
    type: form,
    body: `categorySchema=${'%5B'.repeat(170_000)}${'%5D'.repeat(170_000)}`,
    answer: invalidSchema,
  },
  {
    what: 'broken percent escapes',
    type: form,
    body: `categorySchema=${'%'.repeat(1_000_000)}`,
    answer: invalidSchema,
  },
  { what: 'a million plus signs', type: form, body: `categorySchema=${'+'.repeat(1_000_000)}`, answer: invalidSchema },
  { what: 'a million spaces before a bare list', type: form, body: `${' '.repeat(1_000_000)}[`, answer: invalidSchema },
  { what: 'backslashes', type: json, body: around(`"${'\\\\'.repeat(500_000)}"`), answer: success },
  { what: 'NUL', type: json, body: '\0'.repeat(1_000_000), answer: invalidSchema },
  { what: 'NUL in a form', type: form, body: `categorySchema=${'%00'.repeat(300_000)}`, answer: invalidSchema },
]

/** The limits of an organization have their own tables: what is done with a body is the same. */
describe('a hostile body gets its answer: more than a few looks at each byte would take longer than a test may', () => {
  test.for(bodies)('$what', async ({ type, body, answer }, { portal }) => {
    const holder = await openHolder(portal, 'group')
    expect(await holder.assignBody(body, type)).toEqual(answer)
    const isAccepted = 'success' in answer
    expect(await holder.readText()).toBe(`{"categorySchema":[${isAccepted ? '{"title":"A"}' : ''}]}`)
  })
})

test('megabytes that are not UTF-8 are refused', async ({ portal }) => {
  const holder = await openHolder(portal, 'group')
  for (const byte of [0x80, 0xc0, 0xed, 0xff]) {
    const raw = Buffer.alloc(1_000_000, byte)
    expect(await holder.assignBody(raw, json)).toMatchObject(invalidSchema)
    expect(await holder.assignBody(Buffer.concat([Buffer.from('categorySchema='), raw]), form)).toMatchObject(
      invalidSchema,
    )
  }
})

test('hostile bodies leave no memory behind, and Object.prototype as it was', async () => {
  const before = Reflect.ownKeys(Object.prototype)
  await using portal = await startPortal()
  const holder = await openHolder(portal, 'group')
  await sendAll(holder)
  const start = await measureMemory()
  await sendAll(holder)
  const end = await measureMemory()
  expect(end.heap - start.heap).toBeLessThan(2)
  expect(end.buffers - start.buffers).toBeLessThan(2)
  expect(end.process - start.process).toBeLessThan(150)
  expect(Reflect.ownKeys(Object.prototype)).toEqual(before)
  expect({}).not.toHaveProperty('polluted')
})

async function sendAll({ assignBody }: SchemaHolder): Promise<void> {
  for (const { type, body } of bodies) await assignBody(body, type)
}
