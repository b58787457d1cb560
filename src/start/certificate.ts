import { createPrivateKey, X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { createSecureContext } from 'node:tls'
import { type Config, ConfigError } from '../config.ts'
import { reasonOf } from '../errors.ts'

type Files = NonNullable<Config['tls']>

/** A certificate with its chain, and the private key that belongs to it, both in PEM. */
export interface Certificate {
  readonly cert: Buffer
  readonly key: Buffer
  /** Epoch milliseconds. */
  readonly validFrom: number
  readonly validTo: number
}

/** Reads both files, or throws ConfigError where they cannot be read or do not belong together. */
export function readCertificate(files: Files): Certificate {
  return parseFiles(files, { readCert: () => readFileSync(files.certFile), readKey: () => readFileSync(files.keyFile) })
}

/** Reads as `readCertificate` does, while the thread goes on: the disk of the files may not answer. */
async function readCertificateBeside(files: Files): Promise<Certificate> {
  const [cert, key] = await Promise.allSettled([readFile(files.certFile), readFile(files.keyFile)])
  return parseFiles(files, { readCert: () => contentOf(cert), readKey: () => contentOf(key) })
}

function contentOf(outcome: PromiseSettledResult<Buffer>): Buffer {
  if (outcome.status === 'rejected') throw outcome.reason
  return outcome.value
}

type Reading = Readonly<Record<'readCert' | 'readKey', () => Buffer>>

function parseFiles({ certFile, keyFile }: Files, { readCert, readKey }: Reading): Certificate {
  const refusals: string[] = []
  const cert = read('TLS_CERT_FILE', certFile, readCert, refusals)
  const key = read('TLS_KEY_FILE', keyFile, readKey, refusals)
  const x509 = cert && parse('TLS_CERT_FILE', certFile, 'a certificate', () => new X509Certificate(cert), refusals)
  const privateKey = key && parse('TLS_KEY_FILE', keyFile, 'a private key', () => createPrivateKey(key), refusals)
  if (cert && key && x509 && privateKey) {
    if (!x509.checkPrivateKey(privateKey)) {
      throw new ConfigError(`TLS_KEY_FILE is ${keyFile}, which is not the key of the certificate in ${certFile}.`)
    }
    try {
      createSecureContext({ cert, key })
    } catch (error) {
      throw new ConfigError(`TLS_CERT_FILE and TLS_KEY_FILE cannot be used for HTTPS: ${reasonOf(error)}.`)
    }
    return { cert, key, validFrom: x509.validFromDate.getTime(), validTo: x509.validToDate.getTime() }
  }
  throw new ConfigError(...refusals)
}

function read(name: string, path: string, readFile: () => Buffer, refusals: string[]): Buffer | undefined {
  try {
    return readFile()
  } catch (error) {
    refusals.push(`${name} is ${path}, which cannot be read: ${reasonOf(error)}.`)
    return undefined
  }
}

function parse<Parsed>(
  name: string,
  path: string,
  what: string,
  parseFile: () => Parsed,
  refusals: string[],
): Parsed | undefined {
  try {
    return parseFile()
  } catch (error) {
    refusals.push(`${name} is ${path}, which has not ${what} in PEM that can be used: ${reasonOf(error)}.`)
    return undefined
  }
}

/** Time before its end at which a certificate should have been renewed (chosen). */
const renewalMilliseconds = 14 * 86_400_000

/** Problem with the time of a certificate: not valid yet, expired or about to; undefined if there is none. */
export function findTimeProblem({ validFrom, validTo }: Certificate, now: number): string | undefined {
  if (now < validFrom) return `The certificate in TLS_CERT_FILE is not valid before ${dateOf(validFrom)}.`
  if (now > validTo) return `The certificate in TLS_CERT_FILE expired on ${dateOf(validTo)}: renew it.`
  if (validTo - now < renewalMilliseconds) {
    return `The certificate in TLS_CERT_FILE expires on ${dateOf(validTo)}: renew it.`
  }
  return undefined
}

/** Day in UTC, as 2026-01-15. */
export function dateOf(time: number): string {
  return new Date(time).toISOString().slice(0, 10)
}

/** Parts of the server that renewing a certificate needs. */
interface Renewal {
  readonly files: Files
  readonly present: Certificate
  /** Takes the certificate for connections that are opened from now on. */
  use(certificate: Certificate): void
  readonly log: { info(message: string): void; warn(message: string): void }
  readonly now: () => number
}

/** A certificate that is renewed while the server runs. */
export interface RenewedCertificate {
  /** Reads the files again, as the operator asks for it. */
  renew(): void
  /** Problem with the time of the one that is used now; undefined if there is none. */
  findProblem(): string | undefined
  /** Resolves when the files that are being read have been looked at. */
  looked(): Promise<void>
  /** Ends looking at the files. */
  close(): void
}

/** How often the files are looked at (chosen). */
const lookInterval = 60_000

/**
 * Reads the files again each minute, and takes what is new in them if it can be used: file systems do not notify of every
 * change. Until then, and where it cannot be used, the present one is kept. The log says what happens, once for each change.
 */
export function keepRenewed({ files, present: first, use, log, now }: Renewal): RenewedCertificate {
  let present = first
  let said: string | undefined
  let isAsked = false
  let looking: Promise<void> | undefined

  async function look(): Promise<void> {
    const isReported = isAsked
    isAsked = false
    try {
      const found = await readCertificateBeside(files)
      said = undefined
      if (!found.cert.equals(present.cert) || !found.key.equals(present.key)) {
        use(found)
        present = found
        log.info(
          `The certificate was renewed: the one of TLS_CERT_FILE that is valid until ${dateOf(found.validTo)} is used.`,
        )
      } else if (isReported) {
        log.info(`The certificate is the same as before, valid until ${dateOf(present.validTo)}.`)
      }
    } catch (error) {
      const reason = reasonOf(error).replaceAll('\n', ' ')
      if (isReported || reason !== said) {
        log.warn(
          `The certificate, valid until ${dateOf(present.validTo)}, is kept, as the new one cannot be used: ${reason}`,
        )
      }
      said = reason
    }
    warn()
  }

  /**
   * One at a time: a disk that does not answer takes one of Node's threads, and not all of them. One that is asked for
   * meanwhile follows.
   */
  function lookOnce(): void {
    looking ??= look().finally(() => {
      looking = undefined
      if (isAsked) lookOnce()
      return looking
    })
  }

  let warned: string | undefined
  function warn(): void {
    const problem = findTimeProblem(present, now())
    if (problem && problem !== warned) log.warn(problem)
    warned = problem
  }

  warn()
  const timer = setInterval(lookOnce, lookInterval).unref()
  return {
    renew() {
      isAsked = true
      lookOnce()
    },
    findProblem: () => findTimeProblem(present, now()),
    looked: async () => looking,
    close: () => clearInterval(timer),
  }
}
