import { crc32 } from 'node:zlib'

/** Characters at the beginning of a text that are all looked at, and those that are looked at in the rest (chosen). */
const beginning = 2_048
const samples = 64

const scratch = Buffer.allocUnsafe(65_536)

/** What is known of a text without reading all of it, and its length. */
export interface TextMeasure {
  /**
   * A number that equal texts share, and some that differ. It only saves comparisons: a checksum of all of 16 KB takes 5 to
   * 35 µs.
   */
  readonly checksum: number
  /** In UTF-8. */
  readonly bytes: number
}

export function measureText(text: string): TextMeasure {
  const step = Math.max(1, Math.floor(text.length / samples))
  let checksum = text.length
  let highest = 0
  for (let place = 0; place < text.length; place += step) {
    const unit = text.charCodeAt(place)
    checksum = (Math.imul(checksum, 31) + unit) | 0
    highest = Math.max(highest, unit)
  }
  // Measured, 16 KB of Latin letters: writing takes 0.3 µs, `byteLength` 5 µs. Of other letters: 17 and 9 µs.
  const isShort = text.length * 3 <= scratch.length
  const bytes = isShort && highest <= 0xff ? scratch.write(text) : Buffer.byteLength(text)
  return { checksum: crc32(text.slice(0, beginning), checksum >>> 0), bytes }
}
