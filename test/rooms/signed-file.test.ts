import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatSignedFile, invitationFile, readSignedFile, responseFile } from '../../src/collaborations/signed-file.ts'

test('a file has the document, the key and the signature, in this order', () => {
  const text = formatSignedFile(invitationFile, { id: '1' }, { jws: 'a.b.c', publicKey: { kty: 'OKP' } })
  expect(text).toBe('{"invitationRequest":{"id":"1"},"hostPublicKey":{"kty":"OKP"},"signature":"a.b.c"}')
})

test('the two kinds have no name in common but the signature', () => {
  expect(new Set([...Object.values(invitationFile), ...Object.values(responseFile)]).size).toBe(6)
})

test('any document is read as it was written', () => {
  const documents = fc.dictionary(fc.string({ unit: 'binary' }), fc.jsonValue())
  fc.assert(
    fc.property(documents, fc.string(), (given, jws) => {
      // The document after a round trip through JSON: -0 is 0 there.
      const document = JSON.parse(JSON.stringify(given))
      const signed = { jws, publicKey: { kty: 'OKP' } }
      const text = formatSignedFile(responseFile, document, signed)
      expect(readSignedFile(responseFile, text)).toEqual({ document, signed })
    }),
    { seed: 11, numRuns: 300 },
  )
})

test('no space fits in outside of strings', () => {
  const text = formatSignedFile(responseFile, { a: [1, { b: null }] }, { jws: 'j', publicKey: { k: 1 } })
  for (const at of [...text].keys()) {
    const spaced = `${text.slice(0, at)} ${text.slice(at)}`
    const isInString = (text.slice(0, at).split('"').length - 1) % 2 === 1
    if (!isInString) expect(readSignedFile(responseFile, spaced), spaced).toHaveProperty('problem')
  }
})
