/** Entries of a block: their numbers are `block * blockSize + position`. Never changed: stored blocks depend on it. */
export const blockSize = 1024

const words = blockSize / 32
const bitmapBytes = blockSize / 8

/** A set of positions, one bit for each. */
export type Positions = Uint32Array

export function noPositions(): Positions {
  return new Uint32Array(words)
}

export function addPosition(to: Positions, position: number): void {
  to[position >>> 5]! |= 1 << (position & 31)
}

/** A list of two bytes for each position, or a bitmap where that is shorter. A bitmap has the length of no list. */
export function encodePositions(positions: readonly number[]): Uint8Array {
  if (positions.length * 2 < bitmapBytes) return bytesOf(Uint16Array.from(positions))
  const bits = noPositions()
  for (const position of positions) addPosition(bits, position)
  return bytesOf(bits)
}

/** Adds what is encoded. */
export function addEncoded(to: Positions, encoded: Uint8Array): void {
  // A buffer of the driver may begin anywhere; these arrays may not.
  const { buffer } = Uint8Array.from(encoded)
  if (encoded.length === bitmapBytes) {
    const bits = new Uint32Array(buffer)
    for (let word = 0; word < words; word += 1) to[word]! |= bits[word]!
  } else for (const position of new Uint16Array(buffer)) addPosition(to, position)
}

/** Increasing. */
export function listPositions(positions: Positions): number[] {
  const listed: number[] = []
  for (let position = 0; position < blockSize; position += 1) {
    if ((positions[position >>> 5]! >>> (position & 31)) & 1) listed.push(position)
  }
  return listed
}

/** What is in all of them; everything if there are none. */
export function intersect(sets: readonly Positions[]): Positions {
  return noPositions().map((_, word) => sets.reduce((bits, set) => bits & set[word]!, -1))
}

function bytesOf(array: Uint16Array | Uint32Array): Uint8Array {
  return new Uint8Array(array.buffer)
}
