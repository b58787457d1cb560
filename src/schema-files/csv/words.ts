/**
 * Words by which headings name columns, in the languages of the pages and some of their neighbours; without case, accents and
 * signs between words (chosen).
 */
const words = {
  path: 'path categorypath fullpath breadcrumb pfad kategoriepfad chemin cheminacces ruta percorso パス المسار',
  title: `title name label preflabel prefterm termname titel bezeichnung benennung begriff nom titre libelle intitule
    nombre titulo etiqueta titolo nome etichetta naam 名前 名称 タイトル ラベル العنوان الاسم التسمية`,
  id: `id key identifier termid code uuid guid uri iri nr no number kennung schluessel schlussel nummer kennziffer notation
    identifiant cle numero identificador clave codigo codice sleutel 識別子 コード 番号 المعرف الرمز`,
  parentId: 'parentid parentkey parentcode broaderid',
  parentTitle: 'parenttitle parentname parentlabel',
  parent: `parent broader broaderterm oberbegriff ubergeordnet uebergeordnet elternteil padre superior superieur
    termegenerique genitore bovenliggend 親 上位 الأصل`,
  narrower: 'narrower narrowerterm narrowerterms narrowerconcept narrowerconcepts children unterbegriff unterbegriffe',
  description: `description definition scopenote note notes comment remarks beschreibung erlauterung erlaeuterung bemerkung
    bemerkungen definicion descripcion descrizione definizione omschrijving beschrijving explication remarque
    shortdescription longdescription summary abstract kurzbeschreibung langbeschreibung kurztext langtext erklarung
    erklaerung anmerkung anmerkungen descriptioncourte courtedescription descriptif resume remarques commentaire commentaires
    descripcionbreve brevedescripcion descripcioncorta resumen observaciones notas comentarios 説明 定義 説明文 概要 要約 備考
    注記 الوصف وصف الوصفالمختصر وصفمختصر وصفموجز الملخص ملخص التعريف تعريف الملاحظات ملاحظات الشرح شرح`,
  source: 'source quelle',
  /** Words for a level, which alone in a file are that of its titles. */
  level: `category kategorie categorie categoria カテゴリ カテゴリー 分類 الفئة subcategory unterkategorie souscategorie
    subcategoria theme subtheme thema unterthema hauptthema themenbereich themenfeld themengruppe soustheme tema subtema
    テーマ topic subtopic term group subgroup gruppe untergruppe hauptgruppe groupe sousgroupe grupo subgrupo class
    subclass klasse unterklasse classe division section domain domaine dominio bereich teilbereich sachgebiet fachgebiet
    rubrik rubrique dataset datensatz type typ keyword schlagwort begriffe sub maincategory hauptkategorie sector sektor
    secteur oberthema oberkategorie obergruppe thematique rubro 大分類 中分類 小分類 細分類 主題 الموضوع الفئةالرئيسية
    الفئةالفرعية التصنيف القسم المجال`,
} as const

export type Word = keyof typeof words

const wordOf: ReadonlyMap<string, Word> = new Map(
  Object.entries(words).flatMap(([word, names]) =>
    names.split(/\s+/).map((name) => [normalizeHeading(name), word as Word] as const),
  ),
)

/** A heading without case, accents, blanks, hyphens, underscores, and stars of what is required, by which it is compared. */
export function normalizeHeading(cell: string): string {
  return cell
    .normalize('NFKD')
    .replace(/[\s_.:*-]+|\p{M}+/gu, '')
    .toLowerCase()
}

/** The meaning of a heading that is one of the words. */
export function findWord(heading: string): Word | undefined {
  return wordOf.get(normalizeHeading(heading))
}

/** The meanings of all headings. One that is another heading with a prefix such as `Sub` is a level, and so is that other one. */
export function findWords(headings: readonly string[]): readonly (Word | undefined)[] {
  const names = headings.map(normalizeHeading)
  const levels = new Set(
    names.flatMap((name) => {
      const upper = subordinate.exec(name)?.[1]
      return upper !== undefined && names.includes(upper) ? [upper, name] : []
    }),
  )
  return names.map((name) => wordOf.get(name) ?? (levels.has(name) ? 'level' : undefined))
}

const subordinate = /^(?:sub|sous|sotto|unter|ober|haupt|サフ|下位)(.+)$/

/** Meaning of a heading of several words, such as `TAXON_ID` or `parentTaxonCode`, by its last; undefined for one of another kind. */
export function findWordAtEnd(heading: string): Word | undefined {
  const parts = heading
    .replace(/(\p{Ll})(\p{Lu})/gu, '$1 $2')
    .split(/[^\p{L}\p{N}]+/u)
    .filter((part) => part !== '')
  const last = parts.at(-1)
  if (parts.length < 2 || last === undefined) return undefined
  const word = normalizeHeading(last) === 'fk' ? 'id' : findWord(last)
  const isOfParent = parts.some((part) => /^parent/.test(findWord(part) ?? ''))
  if (isOfParent) return word === 'id' ? 'parentId' : word === 'title' ? 'parentTitle' : 'parent'
  return word === 'id' || word === 'title' || word === 'description' ? word : undefined
}
