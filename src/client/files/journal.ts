import { createHash, type Hash } from 'node:crypto'
import { appendFileSync, readFileSync, renameSync, rmSync, statSync, truncateSync } from 'node:fs'
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
   * The journal of this path, with what it has; undefined where there is none. What a kill has cut off is removed: it was not done,
   * or is found out again. One that was cut or altered otherwise is refused.
   */
  static open<Line extends object>(path: string): OpenJournal<Line> | undefined {
    if (!statSync(path, { throwIfNoEntry: false })) return undefined
    const journal = new Journal<Line>(path)
    const content = readFileSync(path)
    const seal = parseJson(readText(sealOf(path)) ?? '') as { bytes?: unknown; digest?: unknown } | undefined
    const bytes = Number(seal?.bytes)
    const sealed = createHash('sha256').update(content.subarray(0, bytes)).digest('hex')
    if (sealed !== seal?.digest) {
      throw untried(`${path} was cut or altered since it was written, and nothing can go on from it: move it away.`)
    }
    const end = content.lastIndexOf(lineFeed) + 1
    truncateSync(path, end)
    journal.#seal(content.subarray(0, end))
    const [head] = listLines(content.subarray(0, content.indexOf(lineFeed)))
    return { journal, head: head as Record<string, unknown>, lines: () => journal.#lines() }
  }

  append(...lines: readonly Line[]): void {
    const text = formatLines(lines)
    appendFileSync(this.path, text)
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

  /** Lines behind the first one, read again from the file. */
  *#lines(): Generator<Line> {
    const content = readFileSync(this.path)
    yield* listLines(content.subarray(content.indexOf(lineFeed) + 1)) as Generator<Line>
  }

  /** Notes that these bytes were added. */
  #seal(added: string | Uint8Array): void {
    this.#hash.update(added)
    this.#bytes += Buffer.byteLength(added)
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

function* listLines(content: Uint8Array): Generator<object> {
  const bytes = Buffer.from(content.buffer, content.byteOffset, content.byteLength)
  for (let from = 0; from < bytes.length; ) {
    const next = bytes.indexOf(lineFeed, from)
    const end = next === -1 ? bytes.length : next
    const line = parseJson(bytes.toString('utf8', from, end))
    if (typeof line === 'object' && line !== null) yield line
    from = end + 1
  }
}
