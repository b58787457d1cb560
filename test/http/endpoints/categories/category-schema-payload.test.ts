import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { startPortal, type TestPortal } from '../../../support/portal/portal.ts'
import { aSchema } from '../../../support/portal/schema-builder.ts'
import { invalidSchema, openHolder } from '../../../support/portal/schema-holder.ts'

const form = 'application/x-www-form-urlencoded'
const ofParts = 'multipart/form-data; boundary=X'
const schema = aSchema({ title: 'Land & sea = 100 % + more', description: '"}]&f=x\u2028ü🗺' }, { title: 'B' })
const document = JSON.stringify(schema)
const part = (value: string, file = '') =>
  `--X\r\nContent-Disposition: form-data; name="categorySchema"${file}\r\n\r\n${value}\r\n`
const multipart = (value: string, file = '') => `${part(value, file)}--X--\r\n`
const asFile = '; filename="schema.json"'

/** Group and organization take the same ways. */
describe('the schema is taken', () => {
  let portal: TestPortal
  /** For what is refused. */
  let refusing: Awaited<ReturnType<typeof openHolder>>

  beforeAll(async () => {
    portal = await startPortal()
    refusing = await openHolder(portal, 'group')
  })
  afterAll(() => portal[Symbol.asyncDispose]())

  test.each<[way: string, type: string, body: string, query?: string]>([
    ['as the parameter categorySchema', form, `categorySchema=${encodeURIComponent(document)}`],
    ['as the body without a parameter name', form, document],
    ['as the body without a Content-Type', '', document],
    ['as application/json with white space around', 'application/json', `\n ${document} \n`],
    ['as multipart', ofParts, multipart(document)],
    ['as a file', ofParts, multipart(document, asFile)],
    ['from a field rather than a file', ofParts, part('[]', asFile) + multipart(document)],
    ['in the query, without any body', '', '', `?categorySchema=${encodeURIComponent(document)}`],
  ])('%s', async (_way, type, body, query = '') => {
    const holder = await openHolder(portal, 'group')
    expect(await holder.assignBody(Buffer.from(body), type, query)).toEqual({ success: true })
    expect(await holder.readText()).toBe(document)
  })

  test.each([
    ['no parameter', form, 'f=json'],
    ['JSON encoded twice', form, `categorySchema=${encodeURIComponent(JSON.stringify(document))}`],
    ['the parameter inside application/json', 'application/json', JSON.stringify({ categorySchema: document })],
    ['application/json with a byte order mark', 'application/json', `\ufeff${document}`],
    ['a form body with a byte order mark', form, '\ufeff[{"title":"A"}]'],
    ['a parameter with a byte order mark', form, `categorySchema=%EF%BB%BF${encodeURIComponent(document)}`],
  ])('not with %s', async (_way, type, body) => {
    expect(await refusing.assignBody(Buffer.from(body), type)).toMatchObject(invalidSchema)
    expect(await refusing.readText()).toBe('{"categorySchema":[]}')
  })

  test.each([
    ['a byte that begins no character', 'ff'],
    ['an overlong slash', 'c0af'],
    ['half a character', 'e697'],
  ])('not with %s in place of UTF-8', async (_what, hex) => {
    const bytes = Buffer.from(hex, 'hex')
    const raw = Buffer.concat([Buffer.from('[{"title":"A'), bytes, Buffer.from('"}]')])
    const named = Buffer.concat([Buffer.from('categorySchema='), raw])
    const escaped = `categorySchema=[{"title":"A${[...bytes].map((byte) => `%${byte.toString(16)}`).join('')}"}]`
    for (const [body, type] of [
      [raw, 'application/json'],
      [raw, form],
      [named, form],
      [escaped, form],
    ] as const) {
      expect(await refusing.assignBody(body, type)).toMatchObject(invalidSchema)
    }
    const whole = Buffer.concat([Buffer.from(multipart('@').split('@')[0]!), raw, Buffer.from('\r\n--X--\r\n')])
    expect(await refusing.assignBody(whole, ofParts)).toMatchObject(invalidSchema)
  })
})
