import { hasDirectionControl } from '../plain-text.ts'
import { say } from '../sentences/say.ts'

/** Titles of the built-in apps, by their client ids. */
export const builtInTitles = {
  cartulary: 'Cartulary',
  arcgisonline: 'ArcGIS client for Python',
  pythonapi: 'ArcGIS API for Python',
} as const

/** Capitals that look like another Latin letter than their small letters do. */
const capitals: Readonly<Record<string, string>> = {
  ...{ Β: 'b', Ζ: 'z', Η: 'h', Μ: 'm', Ν: 'n', Ρ: 'p', Υ: 'y', В: 'b', Н: 'h', Ү: 'y', Ⅼ: 'l' },
}

/**
 * Letters of other scripts, small capitals and digits that look like Latin letters; `l` stands for all that are one line. It
 * ends with single letters of Latin, Greek, Cyrillic and a few of Armenian: it knows neither pairs (rn for m), nor other scripts,
 * nor words, and "Cartulary support" is a title like any other.
 */
const lookAlikes: Readonly<Record<string, string>> = {
  ...{ а: 'a', α: 'a', ɑ: 'a', с: 'c', ϲ: 'c', ԁ: 'd', đ: 'd', е: 'e', ε: 'e', ɡ: 'g', һ: 'h', ħ: 'h' },
  ...{ к: 'k', κ: 'k', м: 'm', ո: 'n', η: 'n', п: 'n', о: 'o', ο: 'o', օ: 'o', ø: 'o', 0: 'o', р: 'p', ρ: 'p' },
  ...{ г: 'r', ɍ: 'r', ѕ: 's', т: 't', τ: 't', ŧ: 't', υ: 'u', ս: 'u', ν: 'v', х: 'x', χ: 'x', у: 'y', ү: 'y', γ: 'y' },
  ...{ i: 'l', 1: 'l', і: 'l', ι: 'l', ı: 'l', ɩ: 'l', ӏ: 'l', ł: 'l', ƚ: 'l', ǀ: 'l', '|': 'l', '∣': 'l' },
  ...{ ᴀ: 'a', ʙ: 'b', ᴄ: 'c', ᴅ: 'd', ᴇ: 'e', ꜰ: 'f', ɢ: 'g', ʜ: 'h', ɪ: 'l', ᴊ: 'j', ᴋ: 'k', ʟ: 'l', ᴍ: 'm' },
  ...{ β: 'b', в: 'b', ь: 'b', н: 'h', ј: 'j', и: 'n', ᴎ: 'n', σ: 'o', ԛ: 'q', я: 'r', ᴙ: 'r', ω: 'w', ԝ: 'w' },
  ...{ ɴ: 'n', ᴏ: 'o', ᴘ: 'p', ʀ: 'r', ꜱ: 's', ᴛ: 't', ᴜ: 'u', ᴠ: 'v', ᴡ: 'w', ʏ: 'y', ᴢ: 'z' },
}

/** Fillers of Hangul are letters that are not seen. */
const notRead = /[^\p{L}\p{N}]|\p{Default_Ignorable_Code_Point}/gu

/** Text as people read it: without case, width, marks, invisible characters, spaces and signs. */
function skeletonOf(title: string): string {
  const upright = Array.from(title.normalize('NFKD'), (letter) => capitals[letter] ?? letter)
  const letters = Array.from(upright.join('').toLowerCase(), (letter) => lookAlikes[letter] ?? letter)
  return letters.join('').replace(notRead, '')
}

/** Titles that users trust, so that no app may have them. */
const reserved = [...Object.values(builtInTitles), ...Object.keys(builtInTitles), 'ArcGIS', 'Administrator']

/** Letters of a title at most (chosen). */
const maxTitleLength = 64

/** Problem of a title for an app of the organization, which users are asked to trust by it; undefined without one. */
export function findTitleProblem(title: string, { name: organization }: { readonly name: string }): string | undefined {
  const letters = Array.from(title).length
  if (letters > maxTitleLength) return `has ${letters} letters; at most ${maxTitleLength} are allowed for an app.`
  if (hasDirectionControl(title)) return say('changesDirection')
  const taken = [...reserved, organization].find((name) => readsAs(title, name) || hasDisguised(title, name))
  return taken && `${title} is, or looks like, the reserved name ${taken}; choose another.`
}

/** An upright line is a letter in the middle of a word, and a sign beside it. */
function readsAs(title: string, name: string): boolean {
  const skeleton = skeletonOf(name)
  return skeleton !== '' && [title, title.replace(/[|∣]/g, '')].map(skeletonOf).includes(skeleton)
}

/** Whether a word among others is the name in letters that look like its own; in its own letters it may be there. */
function hasDisguised(title: string, name: string): boolean {
  return title.split(/\s+/).some((word) => readsAs(word, name) && lettersOf(word) !== lettersOf(name))
}

function lettersOf(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(notRead, '')
}
