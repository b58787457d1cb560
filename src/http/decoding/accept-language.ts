/** Languages that are read of a header: a browser names a few (chosen). */
const maxLanguages = 20

/** Tags of `Accept-Language` by their weights, the preferred first; those of weight 0, and `*`, are left out (RFC 9110 §12.5.4). */
export function readLanguages(header: string | undefined): readonly string[] {
  if (header === undefined) return []
  const weighed = header
    .split(',', maxLanguages)
    .flatMap((entry) => {
      const match = /^\s*([A-Za-z]{1,8}(?:-[A-Za-z\d]{1,8})*)\s*(?:;\s*q\s*=\s*(\d(?:\.\d{0,3})?)\s*)?$/.exec(entry)
      const weight = Number(match?.[2] ?? 1)
      return match && weight > 0 ? [{ tag: match[1]!, weight }] : []
    })
    .sort((one, other) => other.weight - one.weight)
  return weighed.map(({ tag }) => tag)
}
