import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { SMTPServer, type SMTPServerOptions } from 'smtp-server'
import type { Mailer } from '../../../src/mail/mailer.ts'
import { until } from '../until.ts'

/** A mail as it was received. */
export interface ReceivedMail {
  readonly from: string
  readonly to: readonly string[]
  readonly headers: ReadonlyMap<string, string>
  readonly text: string
  /** Whether it came by TLS. */
  readonly isSecure: boolean
}

/** A real SMTP server on a free port of this machine, that keeps what it receives. */
export async function startMailServer(options: SMTPServerOptions = {}): Promise<MailServer> {
  const received: ReceivedMail[] = []
  const server = new SMTPServer({
    authOptional: true,
    disabledCommands: ['STARTTLS'],
    // Nothing of it is written into the output of the tests.
    logger: false,
    closeTimeout: 100,
    onData(stream, session, done) {
      const parts: Buffer[] = []
      stream.on('data', (part: Buffer) => parts.push(part))
      stream.on('end', () => {
        const { mailFrom, rcptTo } = session.envelope
        const from = mailFrom ? mailFrom.address : ''
        const to = rcptTo.map(({ address }) => address)
        received.push({ from, to, isSecure: session.secure, ...parseMail(Buffer.concat(parts).toString('latin1')) })
        done()
      })
    },
    ...options,
  })
  server.on('error', () => {})
  await once(server.listen(0, '127.0.0.1'), 'listening')
  return new MailServer(server, received)
}

export class MailServer implements AsyncDisposable {
  readonly #server: SMTPServer
  readonly #received: ReceivedMail[]
  readonly port: number

  constructor(server: SMTPServer, received: ReceivedMail[]) {
    this.#server = server
    this.#received = received
    this.port = (server.server.address() as AddressInfo).port
  }

  get received(): readonly ReceivedMail[] {
    return this.#received
  }

  /** Settings of a server that sends its mail here. */
  get settings() {
    return { MAIL_SERVER: `smtp://127.0.0.1:${this.port}`, MAIL_FROM: 'maps@example.com' }
  }

  /** The mail that comes as number so many, from 1. */
  async mail(number: number): Promise<ReceivedMail> {
    await until(`${number} mails are there`, () => this.received.length >= number)
    return this.received[number - 1]!
  }

  /** Waits for all that a server has sent before, which is in order, and forgets it. */
  async empty(mailer: Mailer | undefined): Promise<void> {
    const to = 'last@example.com'
    mailer?.send({ to, subject: '', text: '' })
    await until('the last mail is there', () => this.received.at(-1)?.to[0] === to)
    this.#received.length = 0
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await new Promise<void>((resolve) => this.#server.close(resolve))
  }
}

/** The address in a mail that begins so. */
export function addressIn({ text }: ReceivedMail, path: string): string {
  const found = text.split(/\s/).find((word) => word.includes(path))
  if (found === undefined) throw new Error(`No ${path} in: ${text}`)
  return found
}

function parseMail(source: string): Pick<ReceivedMail, 'headers' | 'text'> {
  const end = source.indexOf('\r\n\r\n')
  const lines = source
    .slice(0, end)
    .replaceAll(/\r\n[ \t]+/g, ' ')
    .split('\r\n')
  const headers = new Map(
    lines.map((line) => [
      line.slice(0, line.indexOf(':')).toLowerCase(),
      Buffer.from(decodeWords(line.slice(line.indexOf(':') + 1).trim()), 'latin1').toString(),
    ]),
  )
  const body = source.slice(end + 4)
  const encoding = headers.get('content-transfer-encoding')
  const bytes =
    encoding === 'base64'
      ? Buffer.from(body, 'base64')
      : Buffer.from(encoding === 'quoted-printable' ? decodeQuoted(body) : body, 'latin1')
  return { headers, text: bytes.toString('utf8').replaceAll('\r\n', '\n') }
}

/** Words that are no ASCII, as a head has them. */
function decodeWords(text: string): string {
  return text
    .replaceAll(/\?= +=\?/g, '?==?')
    .replaceAll(/=\?UTF-8\?Q\?([^?]*)\?=/g, (_, word: string) => decodeQuoted(word.replaceAll('_', ' ')))
    .replaceAll(/=\?UTF-8\?B\?([^?]*)\?=/g, (_, word: string) => Buffer.from(word, 'base64').toString('latin1'))
}

function decodeQuoted(text: string): string {
  return text
    .replaceAll(/=\r\n/g, '')
    .replaceAll(/=([0-9A-F]{2})/g, (_, digits: string) => String.fromCharCode(Number.parseInt(digits, 16)))
}
