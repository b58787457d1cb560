import { connect, type Socket } from 'node:net'
import { connect as connectSecurely } from 'node:tls'

/** An answer as its bytes came over a socket, up to the end of the connection. */
export interface RawAnswer {
  readonly status: number
  /** By name in lower case. */
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
  /** From the first byte that was sent to the end of the connection. */
  readonly milliseconds: number
}

/** One connection, byte by byte. Nothing is read before `read` is called. */
export class RawConnection {
  /** Rejects where the server ends the connection while bytes are still being sent. */
  readonly answer: Promise<RawAnswer>
  readonly #socket: Socket

  constructor(url: string) {
    const { protocol, hostname, port } = new URL(url)
    const begin = performance.now()
    const received: Buffer[] = []
    const place = { host: hostname, port: Number(port) }
    const isSecure = protocol === 'https:'
    this.#socket = (isSecure ? connectSecurely({ ...place, rejectUnauthorized: false }) : connect(place)).pause()
    this.#socket.on('data', (chunk: Buffer) => received.push(chunk))
    this.answer = new Promise((resolve, reject) => {
      this.#socket.on('error', reject)
      this.#socket.on('close', () => resolve(parseAnswer(Buffer.concat(received), performance.now() - begin)))
    })
  }

  /** Resolves when the bytes are on their way. */
  send(bytes: string | Buffer): Promise<void> {
    return new Promise((resolve) => this.#socket.write(bytes, () => resolve()))
  }

  /** Reads at least this number of bytes more, and then nothing. */
  take(bytes: number): Promise<void> {
    return new Promise((resolve, reject) => {
      let left = bytes
      const count = (chunk: Buffer) => {
        left -= chunk.length
        if (left > 0) return
        this.#socket.off('data', count).off('error', reject).pause()
        resolve()
      }
      this.#socket.on('data', count).on('error', reject).resume()
    })
  }

  /** Closes the connection without reading. */
  close(): void {
    this.#socket.destroy()
  }

  /** Reads to the end of the connection. */
  read(): Promise<RawAnswer> {
    this.#socket.resume()
    return this.answer
  }
}

/** Sends bytes over a connection of their own, and reads the answer only when all of them are gone. */
export async function exchange(url: string, ...chunks: readonly (string | Buffer)[]): Promise<RawAnswer> {
  const connection = new RawConnection(url)
  await Promise.race([connection.send(Buffer.concat(chunks.map((chunk) => Buffer.from(chunk)))), connection.answer])
  return connection.read()
}

/** A request that asks for the end of the connection. */
export function requestText(line: string, headers: Readonly<Record<string, string>> = {}, body = ''): string {
  const lines = Object.entries({ Host: 'localhost', Connection: 'close', ...headers })
  return `${line} HTTP/1.1\r\n${lines.map(([name, value]) => `${name}: ${value}\r\n`).join('')}\r\n${body}`
}

function parseAnswer(bytes: Buffer, milliseconds: number): RawAnswer {
  const text = bytes.toString('utf8')
  const end = text.indexOf('\r\n\r\n')
  const [statusLine = '', ...lines] = text.slice(0, end).split('\r\n')
  const headers = lines.map((line): [string, string] => {
    const colon = line.indexOf(':')
    return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()]
  })
  return {
    status: Number(statusLine.split(' ')[1]),
    headers: Object.fromEntries(headers),
    body: text.slice(end + 4),
    milliseconds,
  }
}
