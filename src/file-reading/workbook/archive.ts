import { unzipSync } from 'fflate'
import { damagedWorkbook, WorkbookRefused } from './refusal.ts'

/** Bytes of all parts that are unpacked (chosen): a sheet of 5,000 rows has some megabytes. */
const maxUnpackedBytes = 20 * 1024 * 1024
/** Parts of an archive (chosen). */
const maxParts = 5_000

/** The parts of a workbook, of which only those are unpacked that are read. */
export class Archive {
  readonly #bytes: Uint8Array
  /** Position in the archive by name, in lower case: names of parts differ in more than that. */
  readonly #parts = new Map<string, number>()
  #unpacked = 0

  constructor(bytes: Uint8Array) {
    this.#bytes = bytes
    this.#unzip((name, position) => {
      if (!this.#parts.has(foldName(name))) this.#parts.set(foldName(name), position)
      return false
    })
  }

  has(name: string): boolean {
    return this.#parts.has(foldName(name))
  }

  /** The bytes of a part. No more memory is used than its declared size, whatever it has in truth. */
  read(name: string): Uint8Array {
    const wanted = this.#parts.get(foldName(name))
    if (wanted === undefined) throw damagedWorkbook()
    const files = this.#unzip((_, position, size) => {
      if (position !== wanted) return false
      this.#unpacked += size
      if (this.#unpacked > maxUnpackedBytes) throw tooLarge()
      return true
    })
    const [part] = Object.values(files)
    if (!part) throw damagedWorkbook()
    return part
  }

  #unzip(isWanted: (name: string, position: number, size: number) => boolean): Readonly<Record<string, Uint8Array>> {
    let position = -1
    try {
      return unzipSync(this.#bytes, {
        filter({ name, size, originalSize }) {
          position += 1
          // The number of parts is what the archive says, not what it has.
          if (position >= maxParts) throw new WorkbookRefused(`The workbook has more than ${maxParts} parts.`)
          // A part that is stored as it is has the size that it takes.
          return isWanted(name, position, Math.max(size, originalSize))
        },
      })
    } catch (error) {
      if (error instanceof WorkbookRefused) throw error
      throw damagedWorkbook()
    }
  }
}

function tooLarge(): WorkbookRefused {
  return new WorkbookRefused(
    `Unpacked, the workbook has more than ${maxUnpackedBytes / 1024 / 1024} MB: leave out what is not needed, or save the sheet as CSV.`,
  )
}

/** Some programs write backslashes. */
function foldName(name: string): string {
  return name.replaceAll('\\', '/').replace(/^\//, '').toLowerCase()
}
