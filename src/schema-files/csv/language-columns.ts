import { normalizeHeading } from './words.ts'

/** Languages whose codes are no other ending of headings, as `id`, `nr` and `no` are (chosen). */
const codes = `ar bg ca cs cy da de el en es et eu fa fi fr ga gl he hi hr hu is it ja ko lt lv mk mt nb nl nn pl pt rm ro ru sk
  sl sq sr sv tr uk vi zh`
const known: ReadonlySet<string> = new Set(codes.split(/\s+/))

/** A heading with a language behind it: `name_de`, `label (fr)`, `prefLabel@en`, `Titel [it]`. */
const withLanguage = /^(.*\p{L})[\s_.@([-]+([a-z]{2})[\])]?$/iu

/**
 * Columns that differ in their language alone, by position: the heading without it for the preferred language, '' for the
 * others, which are not read. A language that no column has counts for nothing; then the first column counts.
 */
export function findLanguageColumns(
  headings: readonly string[],
  languages: readonly string[],
): ReadonlyMap<number, string> {
  const found = headings.flatMap((heading, at) => {
    const match = withLanguage.exec(heading.trim())
    if (!match) return []
    const language = match[2]!.toLowerCase()
    return known.has(language) ? [{ at, stem: match[1]!, language }] : []
  })
  const chosen = new Map<number, string>()
  for (const same of Map.groupBy(found, ({ stem }) => normalizeHeading(stem)).values()) {
    if (new Set(same.map(({ language }) => language)).size < 2) continue
    const preferred = languages
      .map((wanted) => same.find(({ language }) => language === wanted.toLowerCase().slice(0, 2)))
      .find((one) => one !== undefined)
    const { at: kept, stem } = preferred ?? same[0]!
    for (const { at } of same) chosen.set(at, at === kept ? stem : '')
  }
  return chosen
}
