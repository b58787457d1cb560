import { chooseLanguage, type Language } from '../../../src/languages.ts'

/** Texts of the picker, whose bundle has no space for a library: without plural forms. */
const en = {
  search: 'Search categories',
  loading: 'Loading categories …',
  failed: 'The categories cannot be loaded.',
  retry: 'Try again',
  empty: 'There are no categories.',
  nothingFound: 'No category is found.',
  required: 'Choose a category.',
  most: 'At most {max} can be chosen.',
  chosen: 'Chosen: {count}',
  clear: 'Clear the choice',
  stale: 'no longer in the schema',
  remove: 'Remove {path}',
}

type PickerTexts = Readonly<typeof en>

const texts: Readonly<Record<Language, PickerTexts>> = {
  en,
  de: {
    search: 'Kategorien suchen',
    loading: 'Kategorien werden geladen …',
    failed: 'Die Kategorien können nicht geladen werden.',
    retry: 'Erneut versuchen',
    empty: 'Es gibt keine Kategorien.',
    nothingFound: 'Keine Kategorie gefunden.',
    required: 'Wählen Sie eine Kategorie.',
    most: 'Höchstens {max} können gewählt werden.',
    chosen: 'Gewählt: {count}',
    clear: 'Auswahl aufheben',
    stale: 'nicht mehr im Schema',
    remove: '{path} entfernen',
  },
  fr: {
    search: 'Rechercher des catégories',
    loading: 'Chargement des catégories …',
    failed: 'Impossible de charger les catégories.',
    retry: 'Réessayer',
    empty: 'Il n’y a aucune catégorie.',
    nothingFound: 'Aucune catégorie trouvée.',
    required: 'Choisissez une catégorie.',
    most: 'Choix maximal : {max}.',
    chosen: 'Choisies : {count}',
    clear: 'Effacer le choix',
    stale: 'n’est plus dans le schéma',
    remove: 'Retirer {path}',
  },
  es: {
    search: 'Buscar categorías',
    loading: 'Cargando categorías …',
    failed: 'No se pueden cargar las categorías.',
    retry: 'Reintentar',
    empty: 'No hay categorías.',
    nothingFound: 'No se encontró ninguna categoría.',
    required: 'Elija una categoría.',
    most: 'Se pueden elegir como máximo {max}.',
    chosen: 'Elegidas: {count}',
    clear: 'Borrar la selección',
    stale: 'ya no está en el esquema',
    remove: 'Quitar {path}',
  },
  ja: {
    search: 'カテゴリを検索',
    loading: 'カテゴリを読み込み中…',
    failed: 'カテゴリを読み込めません。',
    retry: '再試行',
    empty: 'カテゴリはありません。',
    nothingFound: 'カテゴリが見つかりません。',
    required: 'カテゴリを選択してください。',
    most: '選択できるのは {max} 件までです。',
    chosen: '選択済み: {count}',
    clear: '選択を解除',
    stale: 'スキーマにありません',
    remove: '{path} を外す',
  },
  ar: {
    search: 'البحث في الفئات',
    loading: 'جارٍ تحميل الفئات …',
    failed: 'لا يمكن تحميل الفئات.',
    retry: 'إعادة المحاولة',
    empty: 'لا توجد فئات.',
    nothingFound: 'لم يُعثر على أي فئة.',
    required: 'اختر فئة.',
    most: 'يمكن اختيار {max} على الأكثر.',
    chosen: 'المختار: {count}',
    clear: 'مسح الاختيار',
    stale: 'لم تعد في المخطط',
    remove: 'إزالة {path}',
  },
}

/** Texts of the language nearest to the wanted tags. */
export function pickerTexts(wanted: readonly string[]): PickerTexts {
  return texts[chooseLanguage(wanted)]
}

/** Replaces `{name}` by a value. */
export function fill(text: string, name: string, value: string | number): string {
  return text.replace(`{${name}}`, () => String(value))
}
