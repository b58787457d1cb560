import { generateKeyPairSync, sign } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { Folder } from './process.ts'

/** A certificate of its own making with its key, in PEM. */
export interface Certificate {
  readonly cert: string
  readonly key: string
}

/** Settings of a server that serves HTTPS with such a certificate, in files that are gone after the test. */
export function writeCertificate(name: string): { readonly TLS_CERT_FILE: string; readonly TLS_KEY_FILE: string } {
  const folder = new Folder()
  onTestFinished(() => folder[Symbol.dispose]())
  const { cert, key } = makeCertificate(name)
  const files = { TLS_CERT_FILE: join(folder.path, 'cert.pem'), TLS_KEY_FILE: join(folder.path, 'key.pem') }
  writeFileSync(files.TLS_CERT_FILE, cert)
  writeFileSync(files.TLS_KEY_FILE, key)
  return files
}

/** A self-signed certificate (X.509 version 1, ECDSA on P-256) for one name; its days are of the form YYMMDD. */
export function makeCertificate(name: string, firstDay = '200101', lastDay = '491231'): Certificate {
  const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'prime256v1' })
  const algorithm = sequence(tagged(0x06, Buffer.from('2a8648ce3d040302', 'hex')))
  const commonName = sequence(tagged(0x06, Buffer.from('550403', 'hex')), tagged(0x0c, Buffer.from(name)))
  const subject = sequence(tagged(0x31, commonName))
  const validity = sequence(
    tagged(0x17, Buffer.from(`${firstDay}000000Z`)),
    tagged(0x17, Buffer.from(`${lastDay}235959Z`)),
  )
  const content = sequence(
    tagged(0x02, Buffer.from([1])),
    algorithm,
    subject,
    validity,
    subject,
    publicKey.export({ type: 'spki', format: 'der' }),
  )
  const signature = tagged(0x03, Buffer.concat([Buffer.from([0]), sign('sha256', content, privateKey)]))
  const lines = sequence(content, algorithm, signature)
    .toString('base64')
    .match(/.{1,64}/g)!
  return {
    cert: `-----BEGIN CERTIFICATE-----\n${lines.join('\n')}\n-----END CERTIFICATE-----\n`,
    key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  }
}

function sequence(...parts: readonly Buffer[]): Buffer {
  return tagged(0x30, Buffer.concat(parts))
}

/** DER: a tag, the length, the content. */
function tagged(tag: number, content: Buffer): Buffer {
  const { length } = content
  const head =
    length < 128 ? [tag, length] : length < 256 ? [tag, 0x81, length] : [tag, 0x82, length >> 8, length & 255]
  return Buffer.concat([Buffer.from(head), content])
}
