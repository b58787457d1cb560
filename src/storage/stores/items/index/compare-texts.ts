/** Compares texts by code points, as both engines sort them. */
export function compareTexts(one: string, other: string): number {
  const end = Math.min(one.length, other.length)
  for (let at = 0; at < end; at += 1) {
    const [a, b] = [one.charCodeAt(at), other.charCodeAt(at)]
    if (a !== b) return rankOf(a) - rankOf(b)
  }
  return one.length - other.length
}

/** Rank of a code unit: surrogates stand for characters that sort after all others. */
function rankOf(unit: number): number {
  return unit >= 0xd800 && unit <= 0xdfff ? unit + 0x10000 : unit
}
