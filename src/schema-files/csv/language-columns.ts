import { normalizeHeading } from './words.ts'

/** Languages whose codes are no other ending of headings, as `id`, `nr` and `no` are (chosen). */
const codes = `ar bg ca cs cy da de el en es et eu fa fi fr ga gl he hi hr hu is it ja ko lt lv mk mt nb nl nn pl pt rm ro ru sk
  sl sq sr sv tr uk vi zh`
const known: ReadonlySet<string> = new Set(codes.split(/\s+/))

/** Names of languages, by their codes, without case and accents. */
const names: Readonly<Record<string, string>> = {
  ar: 'arabic arabisch arabe العربية عربي',
  de: 'german deutsch allemand aleman',
  en: 'english englisch anglais ingles',
  es: 'spanish spanisch espagnol espanol',
  fr: 'french franzosisch francais frances',
  it: 'italian italienisch italien italiano',
  ja: 'japanese japanisch japonais japones 日本語',
}
const codeOf: ReadonlyMap<string, string> = new Map(
  Object.entries(names).flatMap(([code, words]) => words.split(' ').map((word) => [normalizeHeading(word), code])),
)

/** A heading with a language behind it: `name_de`, `label (fr)`, `prefLabel@en`, `Titel [it]`, `Level 1 English`; or a language. */
const withLanguage = /^(?:(.*[\p{L}\p{N}])[\s_.:@([-]+)?(\p{L}+)[\])]?$/u

function languageOf(word: string): string | undefined {
  const name = normalizeHeading(word)
  return known.has(name) ? name : codeOf.get(name)
}

interface LanguageColumn {
  readonly at: number
  readonly stem: string
  readonly language: string
}

/**
 * Columns that differ in their language alone, by position: the heading without it for the preferred language, '' for the
 * others, which are not read. A language that no column has counts for nothing; then the first column counts. Headings in several
 * languages belong together in their order, where all languages have as many. Bare languages are headings of titles, unless
 * cells below them are languages, too.
 */
export function findLanguageColumns(
  headings: readonly string[],
  languages: readonly string[],
  below: readonly { readonly cells: readonly string[] }[] = [],
): ReadonlyMap<number, string> {
  const found = headings.flatMap((heading, at): LanguageColumn[] => {
    const [, stem = '', word = ''] = withLanguage.exec(heading.trim()) ?? []
    const language = languageOf(word)
    const isData = stem === '' && below.some(({ cells }) => languageOf(cells[at] ?? '') !== undefined)
    return language === undefined || isData ? [] : [{ at, stem, language }]
  })
  const chosen = new Map<number, string>()
  for (const same of listSame(found)) {
    const preferred = languages
      .map((wanted) => same.find(({ language }) => language === wanted.toLowerCase().slice(0, 2)))
      .find((one) => one !== undefined)
    const { at: kept, stem } = preferred ?? same[0]!
    for (const { at } of same) chosen.set(at, at === kept ? stem || 'title' : '')
  }
  return chosen
}

function listSame(found: readonly LanguageColumn[]): readonly (readonly LanguageColumn[])[] {
  const isSeveral = (columns: readonly LanguageColumn[]) => new Set(columns.map(({ language }) => language)).size > 1
  const byStem = [...Map.groupBy(found, ({ stem }) => normalizeHeading(stem)).values()]
  const byLanguage = [...Map.groupBy(found, ({ language }) => language).values()]
  const isEven = isSeveral(found) && new Set(byLanguage.map(({ length }) => length)).size === 1
  if (byStem.every(isSeveral) || !isEven) return byStem.filter(isSeveral)
  return byLanguage[0]!.map((_, nth) => byLanguage.map((columns) => columns[nth]!))
}
