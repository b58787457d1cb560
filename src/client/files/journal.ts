import { createHash, type Hash } from 'node:crypto'
import { appendFileSync, closeSync, openSync, readSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs'
import { untried } from '../failure.ts'
import { parseJson, readText, writePrivately } from './file.ts'

/**
 * Journal of a job, in a file that survives its command: JSON in lines, of which the first one has what the job is. It is its undo file
 * too. Length and digest beside it, in `<path>.seal`, say whether it was cut or altered; no line is in memory.
 */
export class Journal<Line extends object> {
  readonly path: string
  readonly #hash: Hash
  #bytes = 0

  private constructor(path: string) {
    this.path = path
    this.#hash = createHash('sha256')
  }

  /** Writes the first lines, in place of a former journal of this path. */
  static begin<Line extends object>(path: string, head: object, lines: readonly Line[] = []): Journal<Line> {
    const journal = new Journal<Line>(path)
    journal.remove()
    const text = formatLines([head, ...lines])
    // The seal comes first: a journal without one was altered.
    journal.#seal(text)
    writePrivately(path, text)
    return journal
  }

  /**
   * The journal of this path, with what it has; undefined where there is none. What a kill has cut off is no line: it was not done,
   * or is found out again. One that was cut or altered otherwise is refused. Another command may be writing to it.
   */
  static open<Line extends object>(path: string): OpenJournal<Line> | undefined {
    const seal = parseJson(readText(sealOf(path)) ?? '') as { bytes?: unknown; digest?: unknown } | undefined
    const size = statSync(path, { throwIfNoEntry: false })?.size
    if (size === undefined) return undefined
    const journal = new Journal<Line>(path)
    const sealed = Math.min(size, Number(seal?.bytes) || 0)
    for (const chunk of readChunks(path, 0, sealed)) journal.#take(chunk)
    let isWhole = journal.#hash.copy().digest('hex') === seal?.digest
    for (const line of readLines(path, sealed, size)) {
      isWhole &&= parseJson(line.toString()) !== undefined
      journal.#take(line)
    }
    if (!isWhole) {
      throw untried(`${path} was cut or altered since it was written, and nothing can go on from it: move it away.`)
    }
    const [head] = journal.#lines()
    return { journal, head: head as unknown as Record<string, unknown>, lines: () => journal.#lines(1) }
  }

  append(...lines: readonly Line[]): void {
    const text = formatLines(lines)
    try {
      truncateSync(this.path, this.#bytes)
      appendFileSync(this.path, text)
    } catch {
      throw untried(`${this.path} cannot be written.`)
    }
    this.#seal(text)
  }

  /** Keeps the journal under another path. */
  moveTo(path: string): void {
    renameSync(sealOf(this.path), sealOf(path))
    renameSync(this.path, path)
  }

  remove(): void {
    rmSync(this.path, { force: true })
    rmSync(sealOf(this.path), { force: true })
  }

  /** Lines from one on, read again from the file. */
  *#lines(from = 0): Generator<Line> {
    let at = 0
    for (const bytes of readLines(this.path, 0, this.#bytes)) {
      at += 1
      if (at > from) yield JSON.parse(bytes.toString())
    }
  }

  #take(added: string | Uint8Array): void {
    this.#hash.update(added)
    this.#bytes += Buffer.byteLength(added)
  }

  /** Notes that these bytes were added. */
  #seal(added: string): void {
    this.#take(added)
    const seal = { bytes: this.#bytes, digest: this.#hash.copy().digest('hex') }
    writePrivately(sealOf(this.path), JSON.stringify(seal))
  }
}

/** A journal that is there, as a former command has left it. */
export interface OpenJournal<Line extends object> {
  readonly journal: Journal<Line>
  readonly head: Readonly<Record<string, unknown>>
  lines(): Iterable<Line>
}

const lineFeed = 10

function sealOf(path: string): string {
  return `${path}.seal`
}

function formatLines(lines: readonly object[]): string {
  return lines.map((line) => `${JSON.stringify(line)}\n`).join('')
}

/** Bytes that are read at a time (chosen). */
const chunkBytes = 64 * 1024

/** Part of a file; a chunk is valid until the next one. */
function* readChunks(path: string, from: number, to: number): Generator<Buffer> {
  const chunk = Buffer.allocUnsafe(chunkBytes)
  const file = openSync(path, 'r')
  try {
    for (let at = from; at < to; ) {
      const read = readSync(file, chunk, 0, Math.min(chunk.length, to - at), at)
      if (read === 0) return
      at += read
      yield chunk.subarray(0, read)
    }
  } finally {
    closeSync(file)
  }
}

/** Lines of a part of a file, each with its end; one without an end is none. */
function* readLines(path: string, from: number, to: number): Generator<Buffer> {
  const none = Buffer.alloc(0)
  let left = none
  for (const chunk of readChunks(path, from, to)) {
    let begin = 0
    for (let end = chunk.indexOf(lineFeed); end !== -1; end = chunk.indexOf(lineFeed, begin)) {
      const line = chunk.subarray(begin, end + 1)
      yield left.length > 0 ? Buffer.concat([left, line]) : line
      left = none
      begin = end + 1
    }
    left = Buffer.concat([left, chunk.subarray(begin)])
  }
}
