import { compactVerify, decodeProtectedHeader, importJWK } from 'jose'
import { expect, test } from 'vitest'
import { invitationFile } from '../../src/collaborations/signed-file.ts'
import { openSeal, SealBroken } from '../../src/secrets/sealed.ts'
import { createPortalKey, openSigner } from '../../src/secrets/signature.ts'

const seal = openSeal('a secret that is long enough for a key')
const document = { invitation: 'e1f7c3', words: 'Straße 🗺', nested: { list: [1, 2] } }

test('a document is signed by Ed25519, with its type and the public key in the header', async () => {
  const key = await createPortalKey(seal)
  const { jws, publicKey } = await openSigner(seal).sign(document, invitationFile, key)
  expect(publicKey).toEqual(JSON.parse(key.publicKey))
  expect(decodeProtectedHeader(jws)).toEqual({ alg: 'Ed25519', typ: 'cartulary-invitation+jws', jwk: publicKey })
  const { payload } = await compactVerify(jws, await importJWK(JSON.parse(key.publicKey), 'Ed25519'))
  expect(JSON.parse(new TextDecoder().decode(payload))).toEqual(document)
})

test('the key of another portal does not verify it', async () => {
  const [key, other] = [await createPortalKey(seal), await createPortalKey(seal)]
  expect(other.publicKey).not.toBe(key.publicKey)
  const { jws } = await openSigner(seal).sign(document, invitationFile, key)
  await expect(compactVerify(jws, await importJWK(JSON.parse(other.publicKey), 'Ed25519'))).rejects.toThrow()
})

test('an altered document is not verified', async () => {
  const key = await createPortalKey(seal)
  const { jws } = await openSigner(seal).sign(document, invitationFile, key)
  const [header, , signature] = jws.split('.')
  const forged = Buffer.from(JSON.stringify({ ...document, invitation: 'other' })).toString('base64url')
  const verify = compactVerify(
    `${header}.${forged}.${signature}`,
    await importJWK(JSON.parse(key.publicKey), 'Ed25519'),
  )
  await expect(verify).rejects.toThrow()
})

test('nothing private leaves unsealed: not in the key pair, not in what is signed', async () => {
  const key = await createPortalKey(seal)
  const { d } = JSON.parse(await seal.open(key.sealedPrivateKey))
  expect(d).toMatch(/^[A-Za-z0-9_-]{43}$/)
  const { jws, publicKey } = await openSigner(seal).sign(document, invitationFile, key)
  expect(Object.keys(publicKey).sort()).toEqual(['crv', 'kty', 'x'])
  for (const text of [key.publicKey, key.sealedPrivateKey, jws, atob(jws.split('.')[0]!)]) expect(text).not.toContain(d)
})

test('with another secret nothing is signed', async () => {
  const key = await createPortalKey(seal)
  const other = openSigner(openSeal('another secret, just as long as the first'))
  await expect(other.sign(document, invitationFile, key)).rejects.toThrow(SealBroken)
})
