/** Maximum length of the name of a template, as in the API. */
export const maxName = 50

/** Form of a name, as in the API. */
export const namePattern = `[a-z][a-z0-9\\-]{0,${maxName - 1}}`

const replaced: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd' }

/** Name for a template with this title, unlike those that are taken. */
export function nameOf(title: string, taken: readonly string[]): string {
  const plain = title
    .toLowerCase()
    .replace(/[ßæœøłđ]/g, (letter) => replaced[letter]!)
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
  const name = cut(plain.replace(/^[^a-z]+/, ''), maxName) || 'template'
  const isTaken = new Set(taken)
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? '' : `-${number}`
    const candidate = `${cut(name, maxName - ending.length)}${ending}`
    if (!isTaken.has(candidate)) return candidate
  }
}

function cut(name: string, length: number): string {
  return name.slice(0, length).replace(/-+$/, '')
}
