/** A set of numbers, one bit for each. */
export type Bits = Uint32Array

/** A set with room for numbers below `length`. */
export function toBits(numbers: Uint32Array, length: number): Bits {
  const bits = new Uint32Array((length + 31) >>> 5)
  // By position, here and below: an iterator takes ten times as long.
  for (let at = 0; at < numbers.length; at += 1) bits[numbers[at]! >>> 5]! |= 1 << (numbers[at]! & 31)
  return bits
}

export function hasBit(bits: Bits, number: number): boolean {
  return ((bits[number >>> 5] ?? 0) & (1 << (number & 31))) !== 0
}

/** Numbers that are in every one of the sets and not in `without`. */
export function intersect(sets: readonly Bits[], without: Bits | undefined): Bits {
  const [first = new Uint32Array(), ...others] = sets
  if (others.length === 0 && !without) return first
  return first.map((bits, at) => others.reduce((all, other) => all & (other[at] ?? 0), bits) & ~(without?.[at] ?? 0))
}

/** Lists the numbers of words of the set, in ascending order; `into` has room for all of them. */
export function listBits(bits: Bits, from: number, to: number, into: Uint32Array): Uint32Array {
  let count = 0
  for (let at = from; at < to; at += 1) {
    for (let word = bits[at] ?? 0; word !== 0; word &= word - 1)
      into[count++] = (at << 5) + 31 - Math.clz32(word & -word)
  }
  return into.subarray(0, count)
}
