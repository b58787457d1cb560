import { compactVerify, decodeProtectedHeader, importJWK, type JWK } from 'jose'
import { temporaryFile } from '../../storage/sqlite/temporary-file.ts'
import { openRawDatabase } from '../../support/databases/raw-database.ts'
import { hostCollaboration } from '../../support/portal/collaboration-host.ts'
import { startPortal, type TestPortal } from '../../support/portal/portal.ts'
import { expect, test } from '../../support/portal/test.ts'

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

test('the signature is a JWS by Ed25519 over the request, with the host’s public key inside', async ({ portal }) => {
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
  const theirs = readFile((await (await hostCollaboration(portal, await portal.otherOrganization())).invite()).text)
  expect(theirs.hostPublicKey).not.toEqual(hostPublicKey)
})

test('what is signed is the request letter by letter, as the file has it', async ({ portal }) => {
  const host = await hostCollaboration(portal, undefined, { name: '🏔 "Größe" \\ ', description: 'a\tb\nc' })
  const { text } = await host.invite()
  const payload = Buffer.from(readFile(text).signature.split('.')[1]!, 'base64url').toString('utf8')
  expect(text.startsWith(`{"invitationRequest":${payload},"hostPublicKey":`)).toBe(true)
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

test('a refreshed file is signed again', async ({ portal, host }) => {
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
