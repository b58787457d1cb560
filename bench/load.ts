/**
 * HTTP load over persistent connections: each sends its next request when its last one is answered. It has to
 * cost less than any measured server, so only the head of most answers is parsed.
 */
import { connect } from 'node:net'

export interface Load {
  readonly port: number
  readonly connections: number
  readonly milliseconds: number
  /** Minimum number of requests, sent even if they take longer. */
  readonly atLeast?: number
  /** Bytes of the next request on a connection whose last one is answered: they may be changed in place. */
  next(connection: number): Buffer
  /** Whether a body, read as latin1, is a success. */
  isSuccess(body: string): boolean
}

export interface Outcome {
  readonly requests: number
  readonly perSecond: number
  /** Median latency in milliseconds. */
  readonly p50: number
  /** 99th percentile of the latency in milliseconds. */
  readonly p99: number
  /** Share of one core that making the load took, from 0 to 1. */
  readonly effort: number
}

/** Sampling interval: one body of this many is checked; the status and the length of every answer are. */
const sampled = 50

/** Sends for the given time and waits for the last answers. Rejects at the first answer that is not a success. */
export function fire({ port, connections, milliseconds, atLeast = 1, next, isSuccess }: Load): Promise<Outcome> {
  // Outside the heap: garbage collection would pause the load and distort the figures.
  let times = new Float64Array(1 << 18)
  let answered = 0
  const finished = Promise.withResolvers<void>()
  const processorBefore = process.cpuUsage()
  const begun = performance.now()
  const end = begun + milliseconds
  let open = connections

  const sockets = Array.from({ length: connections }, (_, connection) => {
    const answer = new Answer()
    let sentAt = 0
    const send = () => {
      sentAt = performance.now()
      answer.expect(answered % sampled === 0)
      socket.write(next(connection))
    }
    const take = (length: number, bytes: Uint8Array): boolean => {
      try {
        if (!answer.take(bytes as Buffer, length)) return true
        if (answer.body !== undefined && !isSuccess(answer.body)) throw new Error(`No success: ${answer.body}`)
      } catch (error) {
        finished.reject(error)
        return false
      }
      const now = performance.now()
      if (answered === times.length) times = doubled(times)
      times[answered] = now - sentAt
      answered += 1
      if (now < end || answered < atLeast) send()
      else {
        open -= 1
        if (open === 0) finished.resolve()
      }
      return true
    }
    // One buffer for all connections: a part has been read before the next one arrives.
    const socket = connect({ port, host: '127.0.0.1', noDelay: true, onread: { buffer: received, callback: take } })
    socket.once('connect', send)
    socket.once('error', ({ message }) => finished.reject(new Error(`The server cut a connection: ${message}`)))
    socket.once('close', () => finished.reject(new Error('The server closed a connection.')))
    return socket
  })

  return finished.promise
    .then(() => {
      const elapsed = performance.now() - begun
      const { user, system } = process.cpuUsage(processorBefore)
      const sorted = times.subarray(0, answered).sort()
      return {
        requests: answered,
        perSecond: (answered * 1000) / elapsed,
        p50: sorted[Math.floor(answered * 0.5)]!,
        p99: sorted[Math.floor(answered * 0.99)]!,
        effort: (user + system) / 1000 / elapsed,
      }
    })
    .finally(() => {
      for (const socket of sockets) socket.destroy()
    })
}

function doubled(times: Float64Array<ArrayBuffer>): Float64Array<ArrayBuffer> {
  const longer = new Float64Array(times.length * 2)
  longer.set(times)
  return longer
}

const received = Buffer.alloc(256 * 1024)
/** Bytes of the first part of an answer that are searched for the end of its head. */
const headLength = 2_048

/** Parser of an answer, part by part. */
class Answer {
  /** Body of the answer, if it was requested. */
  body: string | undefined
  #isWanted = false
  /** Text received so far: the beginning, or all of it where the body is wanted. */
  #text = ''
  #received = 0
  /** Length of the whole answer: undefined until the head is complete, infinite where only the last chunk marks the end. */
  #end: number | undefined

  expect(isBodyWanted: boolean): void {
    this.#isWanted = isBodyWanted
    this.#text = ''
    this.#received = 0
    this.#end = undefined
    this.body = undefined
  }

  /** Whether the answer is complete with this part. */
  take(part: Buffer, length: number): boolean {
    this.#received += length
    if (this.#isWanted || this.#end === undefined) {
      this.#text += part.toString('latin1', 0, this.#isWanted ? length : Math.min(length, headLength))
    }
    if (this.#end === undefined) {
      const head = this.#text.indexOf('\r\n\r\n')
      if (head === -1) return false
      this.#end = endOf(this.#text, head)
    }
    const isComplete =
      this.#end === Number.POSITIVE_INFINITY
        ? part.toString('latin1', Math.max(0, length - 5), length) === '0\r\n\r\n'
        : this.#received >= this.#end
    if (isComplete && this.#isWanted) this.body = this.#text.slice(this.#text.indexOf('\r\n\r\n') + 4)
    return isComplete
  }
}

const contentLength = /\r\ncontent-length: *(\d+)/i
const chunked = /\r\ntransfer-encoding: *chunked/i

function endOf(text: string, head: number): number {
  if (!text.startsWith('HTTP/1.1 200')) throw new Error(`No success: ${text.slice(0, 500)}`)
  const length = contentLength.exec(text)
  if (length) return head + 4 + Number(length[1])
  if (chunked.test(text)) return Number.POSITIVE_INFINITY
  throw new Error(`An answer of unknown length: ${text.slice(0, 500)}`)
}
