import { damagedWorkbook } from './refusal.ts'
import { readXml, type XmlEvents } from './xml.ts'

/** Elements of one text, which has runs with their fonts (chosen). */
const maxElements = 100_000

/** A text in a cell: its runs are joined, and what says how to pronounce it is left out. */
export class TextReader {
  #parts: string[] = []
  /** Elements since the last text. */
  #elements = 0
  #isInText = false
  #isPhonetic = false

  /** Text since the last call. */
  take(): string {
    const text = unescapeText(this.#parts.join(''))
    this.#parts = []
    this.#elements = 0
    return text
  }

  open(name: string): void {
    this.#elements += 1
    if (this.#elements > maxElements) throw damagedWorkbook()
    if (name === 'rPh') this.#isPhonetic = true
    else if (name === 't') this.#isInText = true
  }

  text(text: string): void {
    if (this.#isInText && !this.#isPhonetic) this.#parts.push(text)
  }

  close(name: string): void {
    if (name === 'rPh') this.#isPhonetic = false
    else if (name === 't') this.#isInText = false
  }
}

/** Characters that XML cannot have are written as `_x000D_`, and such an underscore by itself as `_x005F_`. */
export function unescapeText(text: string): string {
  if (!text.includes('_x')) return text
  return text.replace(/_x([\da-f]{4})_/gi, (_, code: string) => String.fromCharCode(Number.parseInt(code, 16)))
}

/** Shared texts of a workbook that are wanted, by their number. */
export function readSharedStrings(bytes: Uint8Array, wanted: ReadonlySet<number>): ReadonlyMap<number, string> {
  const texts = new Map<number, string>()
  const reader = new TextReader()
  let number = 0
  const events: XmlEvents = {
    open: ({ name }) => reader.open(name),
    text: (text) => reader.text(text),
    close(name) {
      reader.close(name)
      if (name !== 'si') return
      const text = reader.take()
      if (wanted.has(number)) texts.set(number, text)
      number += 1
    },
  }
  readXml(bytes, events)
  return texts
}
