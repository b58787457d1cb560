import { fire, type Outcome } from './load.ts'
import { type Figure, figureOf, medianOf } from './result.ts'
import type { Running } from './servers.ts'

/** A server with content, and who calls it. */
export interface Site extends Running {
  /** Of the owner of all items. */
  readonly token: string
  /** Of a member who sees what the organization sees, and what some groups have. */
  readonly readerToken: string
  readonly groupIds: readonly string[]
  readonly itemIds: readonly string[]
  readonly paths: readonly string[]
  /** Where its PostgreSQL is; undefined on SQLite. */
  readonly url: string | undefined
}

export type Write = (at: number) => readonly [path: string, form: Readonly<Record<string, string>>]

let writes = 0

/** Sends writes for so long, each with the number of writes before it. */
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

/** Of each round one figure divided by the other. */
export function ratioOf(pairs: readonly (readonly [number, number])[]): Figure {
  return figureOf(pairs.map(([one, other]) => one / other))
}

export function mediansOf(pairs: readonly (readonly [number, number])[]): readonly [number, number] {
  return [medianOf(pairs.map(([one]) => one)), medianOf(pairs.map(([, other]) => other))]
}
