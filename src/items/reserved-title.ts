/** Titles of the built-in apps, by their client ids. */
export const builtInTitles = {
  cartulary: 'Cartulary',
  arcgisonline: 'ArcGIS client for Python',
  pythonapi: 'ArcGIS API for Python',
} as const

/** Capitals that look like another Latin letter than their small letters do. */
const capitals: Readonly<Record<string, string>> = {
  ...{ Η: 'h', Ν: 'n', Ρ: 'p', Υ: 'y', В: 'b', Н: 'h', Ү: 'y', Ⅼ: 'l' },
}

/** Letters of other scripts, small capitals and digits that look like Latin letters; `l` stands for all that are one line. */
const lookAlikes: Readonly<Record<string, string>> = {
  ...{ а: 'a', α: 'a', ɑ: 'a', с: 'c', ϲ: 'c', ԁ: 'd', đ: 'd', е: 'e', ε: 'e', ɡ: 'g', һ: 'h', ħ: 'h' },
  ...{ к: 'k', κ: 'k', м: 'm', ո: 'n', η: 'n', п: 'n', о: 'o', ο: 'o', օ: 'o', ø: 'o', 0: 'o', р: 'p', ρ: 'p' },
  ...{ г: 'r', ɍ: 'r', ѕ: 's', т: 't', τ: 't', ŧ: 't', υ: 'u', ս: 'u', ν: 'v', х: 'x', χ: 'x', у: 'y', ү: 'y', γ: 'y' },
  ...{ i: 'l', 1: 'l', і: 'l', ι: 'l', ı: 'l', ɩ: 'l', ӏ: 'l', ł: 'l', ƚ: 'l', ǀ: 'l', '|': 'l', '∣': 'l' },
  ...{ ᴀ: 'a', ʙ: 'b', ᴄ: 'c', ᴅ: 'd', ᴇ: 'e', ꜰ: 'f', ɢ: 'g', ʜ: 'h', ɪ: 'l', ᴊ: 'j', ᴋ: 'k', ʟ: 'l', ᴍ: 'm' },
  ...{ ɴ: 'n', ᴏ: 'o', ᴘ: 'p', ʀ: 'r', ꜱ: 's', ᴛ: 't', ᴜ: 'u', ᴠ: 'v', ᴡ: 'w', ʏ: 'y', ᴢ: 'z' },
}

/** What people read: without case, width, marks, what is invisible, spaces and signs. */
function skeletonOf(title: string): string {
  const upright = Array.from(title.normalize('NFKD'), (letter) => capitals[letter] ?? letter)
  const letters = Array.from(upright.join('').toLowerCase(), (letter) => lookAlikes[letter] ?? letter)
  return letters.join('').replace(/[^\p{L}\p{N}]/gu, '')
}

const reserved: ReadonlySet<string> = new Set(Object.entries(builtInTitles).flat().map(skeletonOf))

/** Why an app may not be called so: users are asked to trust it by its title. Undefined if it may. */
export function findTitleProblem(title: string): string | undefined {
  // An upright line is a letter in the middle of a word, and a sign beside it.
  const skeletons = [title, title.replace(/[|∣]/g, '')].map(skeletonOf)
  const isReserved = skeletons.some((skeleton) => reserved.has(skeleton))
  return isReserved ? `${title} is, or looks like, the name of a built-in app.` : undefined
}
