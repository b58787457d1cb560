import { createHash } from 'node:crypto'
import fc from 'fast-check'
import { compactVerify, decodeProtectedHeader, EmbeddedJWK, importJWK, type JWK } from 'jose'
import { expect, test } from 'vitest'
import { temporaryFile } from '../../storage/sqlite/temporary-file.ts'
import { openRawDatabase } from '../../support/databases/raw-database.ts'
import { type CollaborationHost, hostCollaboration } from '../../support/portal/collaboration-host.ts'
import { startPortal, type TestPortal } from '../../support/portal/portal.ts'

interface InvitationFile {
  readonly invitationRequest: object
  readonly hostPublicKey: JWK
  readonly signature: string
}

function readFile(text: string): InvitationFile {
  return JSON.parse(text)
}

/** The payload if the signature holds under this key; throws otherwise. */
async function verify(signature: string, key: JWK): Promise<unknown> {
  const { payload } = await compactVerify(signature, await importJWK(key, 'Ed25519'), { algorithms: ['Ed25519'] })
  return JSON.parse(new TextDecoder().decode(payload))
}

/** The key pair of the only organization, the private half unsealed. */
async function readKeys(portal: TestPortal): Promise<{ publicKey: JWK; privateKey: JWK & { d: string } }> {
  const { storage, seal } = portal.server.dependencies
  const key = await storage.read(async ({ directory }) => {
    const found = await directory.findDefaultPortal()
    return directory.findPortalKey(found!.portalId)
  })
  return { publicKey: JSON.parse(key!.publicKey), privateKey: JSON.parse(await seal.open(key!.sealedPrivateKey)) }
}

test('the signature is a JWS by Ed25519 over the request, with the host’s public key inside', async () => {
  await using portal = await startPortal()
  const { text } = await (await hostCollaboration(portal)).invite()
  const { invitationRequest, hostPublicKey, signature } = readFile(text)
  const { publicKey } = await readKeys(portal)
  expect(hostPublicKey).toEqual(publicKey)
  expect(hostPublicKey).toEqual({ kty: 'OKP', crv: 'Ed25519', x: expect.stringMatching(/^[\w-]{43}$/) })
  expect(decodeProtectedHeader(signature)).toEqual({
    alg: 'Ed25519',
    typ: 'cartulary-invitation+jws',
    jwk: hostPublicKey,
  })
  expect(await verify(signature, hostPublicKey)).toEqual(invitationRequest)
})

test('it holds under the key that it carries itself', async () => {
  await using portal = await startPortal()
  const { text } = await (await hostCollaboration(portal)).invite()
  const { signature } = readFile(text)
  await expect(compactVerify(signature, EmbeddedJWK, { algorithms: ['Ed25519'] })).resolves.toHaveProperty('payload')
})

test('what is signed is the request letter by letter, as the file has it', async () => {
  await using portal = await startPortal()
  const host = await hostCollaboration(portal, undefined, { name: '🏔 "Größe" \\ ', description: 'a\tb\nc' })
  const { text } = await host.invite()
  const payload = Buffer.from(readFile(text).signature.split('.')[1]!, 'base64url').toString('utf8')
  expect(text.startsWith(`{"invitationRequest":${payload},"hostPublicKey":`)).toBe(true)
})

test('whatever character of it is altered, it does not hold', async () => {
  await using portal = await startPortal()
  const { text } = await (await hostCollaboration(portal)).invite()
  const { signature, hostPublicKey } = readFile(text)
  const bytesOf = (part: string) => Buffer.from(part, 'base64url').toString('hex')
  const parts = signature.split('.') as [string, string, string]
  await fc.assert(
    fc.asyncProperty(
      fc.integer({ min: 0, max: 2 }),
      fc.nat(),
      fc.constantFrom(...'ABCXYZabcxyz0189-_'),
      async (part, place, letter) => {
        const original = parts[part]!
        const at = place % original.length
        const altered = `${original.slice(0, at)}${letter}${original.slice(at + 1)}`
        // The last letter has bits to spare: other letters there may stand for the same bytes.
        fc.pre(altered !== original && (part < 2 || bytesOf(altered) !== bytesOf(original)))
        await expect(verify(parts.with(part, altered).join('.'), hostPublicKey)).rejects.toThrow()
      },
    ),
    { numRuns: 300, seed: 20260115 },
  )
})

test('no other request and no other portal’s key goes with it', async () => {
  await using portal = await startPortal()
  const host = await hostCollaboration(portal)
  const first = readFile((await host.invite()).text)
  const second = readFile((await host.invite()).text)
  const [header, , mac] = first.signature.split('.')
  const [, payload] = second.signature.split('.')
  await expect(verify(`${header}.${payload}.${mac}`, first.hostPublicKey)).rejects.toThrow()
  const outsider = await portal.otherOrganization()
  const theirs = readFile((await (await hostCollaboration(portal, outsider)).invite()).text)
  expect(theirs.hostPublicKey).not.toEqual(first.hostPublicKey)
  await expect(verify(first.signature, theirs.hostPublicKey)).rejects.toThrow()
})

test('invitations of one portal are signed with one key, after a restart too', async () => {
  const environment = { DATABASE_URL: `file:${temporaryFile()}` }
  const portal = await startPortal({ environment })
  async function signWith(portal: TestPortal): Promise<JWK> {
    const { signature, hostPublicKey } = readFile((await (await hostCollaboration(portal)).invite()).text)
    await verify(signature, hostPublicKey)
    return hostPublicKey
  }
  const before = await signWith(portal)
  await portal[Symbol.asyncDispose]()
  await using restarted = await startPortal({ environment })
  expect(await signWith(restarted)).toEqual(before)
})

test('a refreshed file is signed again', async () => {
  await using portal = await startPortal()
  const host = await hostCollaboration(portal)
  const invitation = await host.invite()
  portal.clock.now += 1
  const refreshed: InvitationFile = await host.client.post(`${invitation.path}/refresh`)
  expect(refreshed.signature).not.toBe(readFile(invitation.text).signature)
  expect(await verify(refreshed.signature, refreshed.hostPublicKey)).toEqual(refreshed.invitationRequest)
})

test('the private key is in no answer, and in no byte that is written', async () => {
  await using database = await openRawDatabase()
  const { portal } = database
  const host = await hostCollaboration(portal)
  const invitation = await host.invite()
  const answers = [invitation.text]
  for (const path of ['/portals/self', host.path, `${host.path}/invitations`, invitation.path]) {
    for (const f of ['json', 'html']) {
      const headers = { 'x-esri-authorization': `Bearer ${host.client.token}` }
      answers.push((await portal.inject({ url: `${path}?f=${f}`, headers })).body)
    }
  }
  answers.push(JSON.stringify(await host.client.post(`${invitation.path}/refresh`)))
  const { privateKey, publicKey } = await readKeys(portal)
  const raw = Buffer.from(privateKey.d, 'base64url')
  expect(answers.join()).toContain(publicKey.x)
  expect(answers.join()).not.toContain(privateKey.d)
  const written = await database.bytes()
  expect(written.includes(String(publicKey.x))).toBe(true)
  for (const secret of [privateKey.d, raw, raw.toString('hex'), raw.toString('base64')]) {
    expect(written.includes(secret)).toBe(false)
  }
})

test('the file that is kept is the file that was given: same digest', async () => {
  await using portal = await startPortal()
  const host: CollaborationHost = await hostCollaboration(portal)
  const { rawPayload } = await host.request()
  const { collaborationInvitations } = await host.client.get(`${host.path}/invitations`)
  const digest = (bytes: string | Buffer) => createHash('sha256').update(bytes).digest('hex')
  expect(digest(collaborationInvitations[0].invitationString)).toBe(digest(rawPayload))
})
