import { fire, type Outcome } from './load.ts'
import { type Figure, figureOf, medianOf } from './result.ts'
import type { Environment, Running } from './servers.ts'

/** A server with content, and its callers. */
export interface Site extends Running {
  /** Token of the owner of all items. */
  readonly token: string
  /** Token of a member who sees items of the organization and of some groups. */
  readonly readerToken: string
  readonly groupIds: readonly string[]
  readonly itemIds: readonly string[]
  readonly paths: readonly string[]
  /** URL of its PostgreSQL database; undefined on SQLite. */
  readonly url: string | undefined
  /** Settings of the server. */
  readonly environment: Environment
}

export type Write = (at: number) => readonly [path: string, form: Readonly<Record<string, string>>]

let writes = 0

/** Sends writes for this time; each is given the number of writes so far. */
export function send({ port, token }: Site, write: Write, connections: number, milliseconds: number): Promise<Outcome> {
  const next = () => {
    writes += 1
    const [path, form] = write(writes)
    const body = new URLSearchParams({ ...form, f: 'json', token }).toString()
    const head = `POST /sharing/rest${path} HTTP/1.1\r\nHost: localhost\r\nContent-Type: application/x-www-form-urlencoded`
    return Buffer.from(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`)
  }
  return fire({ port, connections, milliseconds, next, isSuccess: (body) => !body.includes('"error"') })
}

/** Ratio of the two figures of each round. */
export function ratioOf(pairs: readonly (readonly [number, number])[]): Figure {
  return figureOf(pairs.map(([one, other]) => one / other))
}

export function mediansOf(pairs: readonly (readonly [number, number])[]): readonly [number, number] {
  return [medianOf(pairs.map(([one]) => one)), medianOf(pairs.map(([, other]) => other))]
}
