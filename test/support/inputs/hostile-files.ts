import { createHmac, generateKeyPairSync } from 'node:crypto'
import {
  base64url,
  type Differences,
  invitationNames,
  type Names,
  responseNames,
  type Signatory,
  signatory,
  writeFile,
  writeHeader,
} from './signed-files.ts'

/** A file that would be good, to be made bad. */
export interface GoodFile {
  readonly names: Names
  readonly document: object
  readonly by: Signatory
  readonly text: string
}

export function aGoodFile(names: Names, document: object, by = signatory(1)): GoodFile {
  return { names, document, by, text: writeFile(names, document, by) }
}

/** A bad file, and the sentence by which it is refused. */
export interface HostileFile {
  readonly what: string
  readonly text: string
  readonly why: string
}

const notJson = 'The file is not JSON.'
const notObject = 'The file is not a JSON object.'
const cure = 'Ask for the original file, or for a zip archive of it.'
const notAsWritten = 'The file is not in the form in which it was written.'
const otherForm = `${notAsWritten} It was changed on its way, perhaps by a mail program or an editor. ${cure}`
const padded = `${notAsWritten} There is a line end, a space or a byte order mark before or behind it, as mail programs and editors add them. ${cure}`
const notEd25519 = 'The key in the file is not a public Ed25519 key.'
const malformedKey = 'The key in the file is malformed.'
const notJws = 'The signature is not a compact JWS.'
const badHeader = 'The header of the signature is not JSON, or has a member twice.'
const otherAlgorithm = 'The algorithm of the signature is not Ed25519.'
const otherKey = 'The key in the signature is not the key in the file.'
const otherMembers = 'The header of the signature has other members than alg, typ and jwk.'
const noMatch = 'The signature does not match.'
const otherDocument = 'The signature is for another document than the one in the file.'

/** Every way of being bad that does not depend on what the document says. */
export function hostileFiles(good: GoodFile): readonly HostileFile[] {
  return [...badForms(good), ...badKeys(good), ...badHeaders(good), ...badJws(good), ...badSignatures(good)]
}

/** One of each group, for what only passes on why a file is bad. */
export function hostileOfEachGroup(good: GoodFile): readonly HostileFile[] {
  const groups = new Map(hostileFiles(good).map((file) => [file.what.split(':')[0], file]))
  return [...groups.values()]
}

type Row = readonly [what: string, text: string, why: string]

function hostile(group: string, rows: readonly Row[]): readonly HostileFile[] {
  return rows.map(([what, text, why]) => ({ what: `${group}: ${what}`, text, why }))
}

function badForms({ names, document, by, text }: GoodFile): readonly HostileFile[] {
  const file = JSON.parse(text)
  const { [names.document]: _, ...noDocument } = file
  const { [names.publicKey]: __, ...noKey } = file
  const { signature, ...unsigned } = file
  const other = names === responseNames ? invitationNames : responseNames
  const nested = (open: string, close: string) =>
    text.replace(JSON.stringify(document), `{"a":${open.repeat(5000)}1${close.repeat(5000)}}`)
  const tooLarge = `${text}${' '.repeat(65_537 - Buffer.byteLength(text))}`
  const missing = (member: string) => `The file has no ${member}.`
  return hostile('form', [
    ['words', 'Welcome!', notJson],
    ['one byte short', text.slice(0, -1), notJson],
    ['half of it', text.slice(0, text.length / 2), notJson],
    ['twice', text + text, notJson],
    ['a byte order mark', `\ufeff${text}`, padded],
    ['a line end behind', `${text}\n`, padded],
    ['a space before', ` ${text}`, padded],
    ['laid out', JSON.stringify(file, null, 2), otherForm],
    ['null', 'null', notObject],
    ['a number', '1', notObject],
    ['text', JSON.stringify(text), notObject],
    ['a list', `[${text}]`, notObject],
    ['no members', '{}', missing(names.document)],
    ['no document', JSON.stringify(noDocument), missing(names.document)],
    ['no key', JSON.stringify(noKey), missing(names.publicKey)],
    ['no signature', JSON.stringify(unsigned), missing('signature')],
    ['the other kind', writeFile(other, document, by), missing(names.document)],
    ['null for a document', JSON.stringify({ ...file, [names.document]: null }), missing(names.document)],
    ['a list for a document', JSON.stringify({ ...file, [names.document]: [document] }), missing(names.document)],
    ['text for a document', JSON.stringify({ ...file, [names.document]: 'x' }), missing(names.document)],
    ['text for a key', JSON.stringify({ ...file, [names.publicKey]: by.jwk.x }), missing(names.publicKey)],
    ['null for a key', JSON.stringify({ ...file, [names.publicKey]: null }), missing(names.publicKey)],
    ['a list for a key', JSON.stringify({ ...file, [names.publicKey]: [by.jwk] }), missing(names.publicKey)],
    ['a number for a signature', JSON.stringify({ ...file, signature: 1 }), missing('signature')],
    ['a list for a signature', JSON.stringify({ ...file, signature: [signature] }), missing('signature')],
    ['a further member', JSON.stringify({ ...file, more: 1 }), otherForm],
    ['a member __proto__', text.replace(/}$/, ',"__proto__":{}}'), otherForm],
    ['a document twice', text.replace(/}$/, `,"${names.document}":${JSON.stringify(document)}}`), otherForm],
    ['a signature twice', text.replace(/}$/, `,"signature":"${signature}"}`), otherForm],
    ['a member of the document twice', text.replace('{"id":', '{"id":"x","id":'), otherForm],
    ['members in another order', JSON.stringify({ signature, ...unsigned }), otherForm],
    ['an escape that is not needed', text.replace('"id"', '"\\u0069d"'), otherForm],
    ['a number with a fraction', text.replace(/"created":(\d+)/, '"created":$1.0'), otherForm],
    ['lists 5,000 levels deep', nested('[', ']'), otherForm],
    ['objects 5,000 levels deep', nested('{"a":', '}'), notEd25519ButDeep(nested('{"a":', '}'))],
    ['one byte too large', tooLarge, 'The file has 65537 bytes; at most 65536 are allowed.'],
  ])
}

/** Where the engine writes so many levels, the signature is what refuses them. */
function notEd25519ButDeep(text: string): string {
  try {
    JSON.stringify(JSON.parse(text))
    return otherDocument
  } catch {
    return otherForm
  }
}

function badKeys({ names, document, by }: GoodFile): readonly HostileFile[] {
  const jwkOf = (pair: { publicKey: { export(options: { format: 'jwk' }): object } }) =>
    pair.publicKey.export({ format: 'jwk' })
  const { crv, kty, x } = by.jwk
  const bytes = Buffer.from(x, 'base64url')
  const write = (jwk: object) => writeFile(names, document, by, { jwk })
  return hostile('key', [
    ['RSA', write(jwkOf(generateKeyPairSync('rsa', { modulusLength: 2048 }))), notEd25519],
    ['P-256', write(jwkOf(generateKeyPairSync('ec', { namedCurve: 'P-256' }))), notEd25519],
    ['X25519', write(jwkOf(generateKeyPairSync('x25519'))), notEd25519],
    ['Ed448', write(jwkOf(generateKeyPairSync('ed448'))), notEd25519],
    ['its bytes as X25519', write({ crv: 'X25519', x, kty }), notEd25519],
    ['its bytes as a secret', write({ kty: 'oct', k: x }), notEd25519],
    ['a private member', write({ crv, x, kty, d: by.d }), notEd25519],
    ['an alg', write({ crv, x, kty, alg: 'Ed25519' }), notEd25519],
    ['a kid', write({ crv, x, kty, kid: '1' }), notEd25519],
    ['no x', write({ crv, kty }), notEd25519],
    ['no members', write({}), notEd25519],
    ['kty in lower case', write({ crv, x, kty: 'okp' }), notEd25519],
    ['crv in lower case', write({ crv: 'ed25519', x, kty }), notEd25519],
    ['a list for crv', write({ crv: [crv], x, kty }), notEd25519],
    ['x with padding', write({ crv, x: `${x}=`, kty }), malformedKey],
    ['x with stray bits', write({ crv, x: nextLetter(x), kty }), malformedKey],
    ['x with a line end', write({ crv, x: `${x}\n`, kty }), malformedKey],
    ['x in hex', write({ crv, x: bytes.toString('hex'), kty }), malformedKey],
    ['x of 31 bytes', write({ crv, x: base64url(bytes.subarray(1)), kty }), malformedKey],
    ['x of 33 bytes', write({ crv, x: base64url(Buffer.concat([bytes, bytes.subarray(0, 1)])), kty }), malformedKey],
    ['x empty', write({ crv, x: '', kty }), malformedKey],
    ['a list for x', write({ crv, x: [x], kty }), malformedKey],
    ...smallOrder.map(
      (y): Row => [`of small order, ${y.slice(0, 4)}…${y.slice(-2)}`, write({ crv, x: hex(y), kty }), noMatch],
    ),
    ...smallOrder.map((y): Row => {
      const jwk = { crv, x: hex(y), kty }
      const sign = () => Buffer.from(`01${'00'.repeat(63)}`, 'hex')
      return [
        `of small order with a signature of zero, ${y.slice(0, 4)}…${y.slice(-2)}`,
        writeFile(names, document, by, { jwk, sign }),
        noMatch,
      ]
    }),
  ])
}

/** Points under which a signature holds for many documents, or for all. */
const smallOrder = [
  `01${'00'.repeat(31)}`,
  '00'.repeat(32),
  `${'00'.repeat(31)}80`,
  `ec${'ff'.repeat(30)}7f`,
  '26e8958fc2b227b045c3f489f2ef98f0d5dfac05d3c63339b13802886d53fc05',
  'c7176a703d4dd84fba3c0b760d10670f2a2053fa2c39ccc64ec7fd7792ac037a',
  `ed${'ff'.repeat(30)}7f`,
  `ee${'ff'.repeat(30)}7f`,
]

function hex(text: string): string {
  return Buffer.from(text, 'hex').toString('base64url')
}

function badHeaders({ names, document, by }: GoodFile): readonly HostileFile[] {
  const { jwk } = by
  const write = (header: string | Buffer, differences: Differences = {}) =>
    writeFile(names, document, by, { header, ...differences })
  const header = (changes: object) => write(writeHeader(names, jwk, changes))
  const good = writeHeader(names, jwk)
  const other = names === responseNames ? invitationNames : responseNames
  const otherType = `The signature is not of the type ${names.type}.`
  const algorithm = (alg: unknown, sign?: (input: string) => string | Buffer) =>
    write(writeHeader(names, jwk, { alg }), sign ? { sign } : {})
  const hmac = (hash: string, secret: string | Buffer) => (input: string) =>
    createHmac(hash, secret).update(input).digest()
  const publicBytes = Buffer.from(jwk.x, 'base64url')
  const deep = `{"alg":"Ed25519","typ":"${names.type}","jwk":${'['.repeat(8000)}${']'.repeat(8000)}}`
  return hostile('header', [
    ...['none', 'None', 'NONE', 'nOnE'].map((alg): Row => [`alg ${alg}`, algorithm(alg, () => ''), otherAlgorithm]),
    ['HS256 with the key as secret', algorithm('HS256', hmac('sha256', publicBytes)), otherAlgorithm],
    ['HS256 with the JWK as secret', algorithm('HS256', hmac('sha256', JSON.stringify(jwk))), otherAlgorithm],
    ['HS512 with the key as secret', algorithm('HS512', hmac('sha512', publicBytes)), otherAlgorithm],
    ['Ed25519 with an HMAC', algorithm('Ed25519', hmac('sha512', publicBytes)), noMatch],
    ['EdDSA, the older name', algorithm('EdDSA'), otherAlgorithm],
    ['ES256', algorithm('ES256'), otherAlgorithm],
    ['RS256', algorithm('RS256'), otherAlgorithm],
    ['alg in lower case', algorithm('ed25519'), otherAlgorithm],
    ['alg as a list', algorithm(['Ed25519']), otherAlgorithm],
    ['alg null', algorithm(null), otherAlgorithm],
    ['alg missing', header({ alg: undefined }), otherAlgorithm],
    ['typ missing', header({ typ: undefined }), otherType],
    ['typ of the other kind', header({ typ: other.type }), otherType],
    ['typ JWT', header({ typ: 'JWT' }), otherType],
    ['typ in upper case', header({ typ: names.type.toUpperCase() }), otherType],
    ['typ with application/', header({ typ: `application/${names.type}` }), otherType],
    ['typ with a space', header({ typ: `${names.type} ` }), otherType],
    ['jwk missing', header({ jwk: undefined }), otherKey],
    ['jwk null', header({ jwk: null }), otherKey],
    ['jwk of somebody else', header({ jwk: signatory(2).jwk }), otherKey],
    ['jwk with a private member', header({ jwk: { ...jwk, d: by.d } }), otherKey],
    ['jwk as text', header({ jwk: JSON.stringify(jwk) }), otherKey],
    ['jwk 8,000 levels deep', write(deep), otherKey],
    ['crit empty', header({ crit: [] }), otherMembers],
    ['crit and b64', header({ crit: ['b64'], b64: false }), otherMembers],
    ['b64 true', header({ b64: true }), otherMembers],
    ['crit of an unknown member', header({ crit: ['exp'], exp: 1 }), otherMembers],
    ['kid', header({ kid: '../../etc/passwd' }), otherMembers],
    ['jku', header({ jku: 'https://evil.example.net/jwks' }), otherMembers],
    ['x5u', header({ x5u: 'https://evil.example.net/x5u' }), otherMembers],
    ['x5c', header({ x5c: [] }), otherMembers],
    ['cty', header({ cty: 'JWT' }), otherMembers],
    ['zip', header({ zip: 'DEF' }), otherMembers],
    ['alg twice', write(good.replace('{', '{"alg":"none",')), badHeader],
    ['alg twice, alike', write(good.replace('{', '{"alg":"Ed25519",')), badHeader],
    ['typ twice', write(good.replace('{', `{"typ":"${other.type}",`)), badHeader],
    ['jwk twice', write(good.replace('{', `{"jwk":${JSON.stringify(signatory(2).jwk)},`)), badHeader],
    ['a member of jwk twice', write(good.replace('"jwk":{', '"jwk":{"kty":"RSA",')), badHeader],
    ['not JSON', write('alg=Ed25519'), badHeader],
    ['empty', write(''), badHeader],
    ['a list', write(`[${good}]`), badHeader],
    ['null', write('null'), badHeader],
    ['cut', write(good.slice(0, -1)), badHeader],
    ['with a byte order mark', write(`\ufeff${good}`), badHeader],
    [
      'not UTF-8',
      write(Buffer.concat([Buffer.from(good.slice(0, -1)), Buffer.from(',"\xff":1}', 'latin1')])),
      badHeader,
    ],
  ])
}

/** The letter after the last one: other bits, that stand for no byte. */
function nextLetter(text: string): string {
  const alphabet = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_'
  return text.slice(0, -1) + alphabet[alphabet.indexOf(text.at(-1)!) + 1]
}

function badJws({ names, document, by }: GoodFile): readonly HostileFile[] {
  const write = (respell: (jws: string) => unknown) => writeFile(names, document, by, { respell })
  const part = (at: number, change: (text: string) => string) =>
    write((jws) =>
      jws
        .split('.')
        .map((text, index) => (index === at ? change(text) : text))
        .join('.'),
    )
  const each = (what: string, change: (text: string) => string): readonly Row[] =>
    ['header', 'payload', 'signature'].map((name, at) => [`${what} in the ${name}`, part(at, change), notJws])
  const [, payload, signature] = JSON.parse(write((jws) => jws)).signature.split('.')
  return hostile('JWS', [
    ['empty', write(() => ''), notJws],
    ['one part', write((jws) => jws.split('.')[0]), notJws],
    ['two parts', write((jws) => jws.split('.', 2).join('.')), notJws],
    ['four parts', write((jws) => `${jws}.AAAA`), notJws],
    ['five parts', write((jws) => `${jws}.AAAA.AAAA`), notJws],
    ['a point behind', write((jws) => `${jws}.`), notJws],
    ['JSON', write(() => JSON.stringify({ payload, signature })), notJws],
    ['a detached payload', part(1, () => ''), noMatch],
    ['no signature', part(2, () => ''), noMatch],
    ...each('padding', (text) => `${text}=`),
    ...each('a line end', (text) => `${text}\n`),
    ...each('a space', (text) => ` ${text}`),
    ...each('a stray letter', (text) => `${text}.`.replace('.', 'A'.repeat((5 - (text.length % 4)) % 4 || 4) + '*')),
    ...each('the other alphabet', (text) => `+/${text.slice(2)}`),
    ['stray bits in the signature', part(2, nextLetter), notJws],
  ])
}

const order = 2n ** 252n + 27742317777372353535851937790883648493n

function badSignatures({ names, document, by, text }: GoodFile): readonly HostileFile[] {
  const write = (differences: Differences) => writeFile(names, document, by, differences)
  const changed = (change: (signature: Buffer) => Buffer) => write({ sign: (input) => change(by.sign(input)) })
  const flipped = (at: number) =>
    changed((signature) => {
      signature[at]! ^= 1
      return signature
    })
  const other = { ...document, created: 1 }
  const file = JSON.parse(text)
  const part = (at: number, change: string) =>
    JSON.parse(text).signature.split('.').with(at, base64url(change)).join('.')
  return hostile('signature', [
    ['of somebody else', write({ sign: signatory(2).sign }), noMatch],
    [
      'and key of somebody else, under the own header',
      write({ header: writeHeader(names, signatory(2).jwk), sign: signatory(2).sign }),
      otherKey,
    ],
    ['under another key', write({ jwk: signatory(2).jwk }), noMatch],
    ['of zeros', write({ sign: () => Buffer.alloc(64) }), noMatch],
    ['one byte short', changed((signature) => signature.subarray(0, 63)), noMatch],
    ['one byte long', changed((signature) => Buffer.concat([signature, Buffer.of(0)])), noMatch],
    ['twice', changed((signature) => Buffer.concat([signature, signature])), noMatch],
    [
      'halves exchanged',
      changed((signature) => Buffer.concat([signature.subarray(32), signature.subarray(0, 32)])),
      noMatch,
    ],
    ['its first bit flipped', flipped(0), noMatch],
    ['its last bit of R flipped', flipped(31), noMatch],
    ['its first bit of S flipped', flipped(32), noMatch],
    ['its last byte flipped', flipped(63), noMatch],
    ['S with the order added', changed(addOrder), noMatch],
    ['over the payload alone', write({ sign: (input) => by.sign(input.split('.')[1]!) }), noMatch],
    ['over the document alone', write({ sign: () => by.sign(JSON.stringify(document)) }), noMatch],
    ['in hex', write({ sign: (input) => by.sign(input).toString('hex') }), noMatch],
    [
      'kept, another header',
      JSON.stringify({ ...file, signature: part(0, `${writeHeader(names, by.jwk)} `) }),
      noMatch,
    ],
    ['kept, another payload', JSON.stringify({ ...file, signature: part(1, JSON.stringify(other)) }), noMatch],
    [
      'kept, payload and document altered',
      JSON.stringify({ ...file, [names.document]: other, signature: part(1, JSON.stringify(other)) }),
      noMatch,
    ],
    ['and payload kept, document altered', JSON.stringify({ ...file, [names.document]: other }), otherDocument],
    ['over another document', write({ payload: JSON.stringify(other) }), otherDocument],
    ['over the document laid out', write({ payload: JSON.stringify(document, null, 1) }), otherDocument],
    [
      'over the document with a byte order mark',
      write({ payload: `\ufeff${JSON.stringify(document)}` }),
      otherDocument,
    ],
    ['over nothing', write({ payload: '' }), otherDocument],
    ['over null', write({ payload: 'null' }), otherDocument],
    [
      'over bytes that are not UTF-8',
      writeFile(names, { ...document, name: '\ufffd' }, by, {
        payload: Buffer.from(JSON.stringify({ ...document, name: '\xff' }), 'latin1'),
      }),
      otherDocument,
    ],
  ])
}

/** Signature with the group order added to its scalar: a careless verifier accepts it. */
function addOrder(signature: Buffer): Buffer {
  const scalar = BigInt(`0x${Buffer.from(signature.subarray(32)).reverse().toString('hex')}`) + order
  const bytes = Buffer.from(scalar.toString(16).padStart(64, '0'), 'hex').reverse()
  return Buffer.concat([signature.subarray(0, 32), bytes])
}
