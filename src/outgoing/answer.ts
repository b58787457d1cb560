import type { IncomingMessage } from 'node:http'

/** Bytes of a body that are read, and those that are kept of its text. */
const maxBodyBytes = 4_096
const maxTextBytes = 256
/** Milliseconds after the status that a body is read. */
const bodyTimeout = 2_000
/** Milliseconds that a receiver may ask to be waited for. */
const maxRetryAfter = 3_600_000

/** Time, as an argument. */
export interface Clock {
  /** Epoch milliseconds. */
  now(): number
  /** Calls back after so many milliseconds, unless the function that it returns is called before. */
  after(milliseconds: number, callback: () => void): () => void
}

/** The beginning of the text of a body. It ends where the body ends, breaks, is too long or takes too long. */
export async function readText(response: IncomingMessage, clock: Clock): Promise<string> {
  const chunks: Buffer[] = []
  let size = 0
  const cancel = clock.after(bodyTimeout, () => response.destroy())
  try {
    for await (const chunk of response) {
      chunks.push(chunk)
      size += chunk.length
      if (size >= maxBodyBytes) break
    }
  } catch {
    // A body that breaks: the status decides.
  }
  cancel()
  // PostgreSQL takes no U+0000. Bytes that are no UTF-8 are longer as text, so that it is cut once more.
  return cutText(Buffer.from(cutText(Buffer.concat(chunks)).replaceAll('\u{0}', '\u{fffd}')))
}

/** Text of the first bytes, without a character that is cut. */
function cutText(bytes: Buffer): string {
  return new TextDecoder().decode(bytes.subarray(0, maxTextBytes), { stream: true })
}

/** Milliseconds that a receiver asks to be waited for, by 429 or 503; undefined where it asks for none. */
export function findRetryAfter({ statusCode, headers }: IncomingMessage, now: number): number | undefined {
  const value = headers['retry-after'] ?? ''
  const isDate = /^[A-Z][a-z]+, .* GMT$/.test(value)
  const wait = /^\d+$/.test(value) ? Number(value) * 1_000 : isDate ? Date.parse(value) - now : Number.NaN
  if (Number.isNaN(wait) || (statusCode !== 429 && statusCode !== 503)) return undefined
  return Math.min(Math.max(wait, 0), maxRetryAfter)
}
