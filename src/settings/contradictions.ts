import { isLoopback } from './addresses.ts'
import type { DatabaseSetting } from './database.ts'
import type { GivenSettings } from './given.ts'
import type { GivenSecret, SecretSetting } from './secret.ts'

/** Settings that can contradict each other. */
interface Related {
  readonly port: number
  readonly host: string
  readonly publicUrl: string | undefined
  readonly metrics: { readonly port: number; readonly host: string } | undefined
  readonly database: DatabaseSetting
  readonly secretKey: SecretSetting
  readonly previousSecretKey: GivenSecret | undefined
  readonly tls: object | undefined
}

/** Refuses settings that are right one by one, but not together. */
export function refuseContradictions({ text, refuse }: GivenSettings, config: Related): void {
  const { port, host, publicUrl, metrics, database, secretKey, previousSecretKey, tls } = config
  if (!isLoopback(host) && text('PUBLIC_URL') === undefined) {
    const local = `${tls ? 'https' : 'http'}://localhost:${port || '<port>'}`
    refuse(
      `HOST is ${host}, which other machines can reach, but PUBLIC_URL is not set: answers would send them to ${local}. ` +
        `Set PUBLIC_URL to the URL that clients use, such as ${local.replace('localhost', '<name of this machine>')}.`,
    )
  }
  if (
    publicUrl?.startsWith('https:') &&
    !tls &&
    text('TLS_CERT_FILE') === undefined &&
    text('TRUST_PROXY') === undefined
  ) {
    refuse(
      'PUBLIC_URL begins with https:, but this server speaks plain http, and TRUST_PROXY is not set: set it to true behind a ' +
        'reverse proxy that sets X-Forwarded-For, to false behind one that does not, or set TLS_CERT_FILE and TLS_KEY_FILE.',
    )
  }
  if (metrics && metrics.port === port && port !== 0 && isSamePlace(metrics.host, host)) {
    refuse(`METRICS_PORT is ${port}, the same as PORT; it has to be another one.`)
  }
  if (database.engine === 'sqlite' && secretKey.kind === 'file' && secretKey.path === database.file) {
    refuse('SECRET_KEY_FILE is the file of DATABASE_URL; it has to be another one.')
  }
  if (secretKey.kind === 'text' && previousSecretKey?.kind === 'text' && secretKey.text === previousSecretKey.text) {
    refuse('SECRET_KEY and PREVIOUS_SECRET_KEY are the same secret.')
  }
  if (secretKey.kind === 'file' && previousSecretKey?.kind === 'file' && secretKey.path === previousSecretKey.path) {
    refuse('SECRET_KEY_FILE and PREVIOUS_SECRET_KEY_FILE are the same file.')
  }
}

/** Whether one port cannot be taken on both: on equal addresses, and where one of them stands for all. */
function isSamePlace(one: string, other: string): boolean {
  return one === other || [one, other].some((host) => host === '0.0.0.0' || host === '::')
}
