import type { KnownPaths } from '../../../src/items/categories/category-paths.ts'
import { itemLimits } from '../../../src/items/item.ts'
import { firstOf, judgeRows, type ListColumns, type ListRow } from '../tables/list.ts'
import { findingNamed, type NamedThings } from '../tables/names.ts'
import { ofContent as t } from '../texts/rooms.ts'

/** A new item in a row of a list: the parameters of addItem, and the ids of groups to share it with. */
export interface ListedItem {
  readonly row: number
  readonly parameters: Readonly<Record<string, string>>
  readonly groups: readonly string[]
}

const several = /[|;,\r\n]+/

/** Columns of a list of items, by words of the languages of the pages. */
export function itemColumns(): ListColumns {
  return {
    title: {
      name: t('title'),
      isRequired: true,
      words: 'title name titel bezeichnung titre nom titulo nombre タイトル 名前 العنوان الاسم',
    },
    type: { name: t('type'), words: 'type itemtype typ format tipo formato 種類 النوع' },
    url: {
      name: t('url'),
      words: 'url address link uri adresse lien direccion enlace アドレス リンク العنوانالإلكتروني الرابط',
    },
    snippet: {
      name: t('snippet'),
      words: `summary snippet abstract description zusammenfassung kurzbeschreibung beschreibung resume resumen descripcion
        概要 説明 الملخص الوصف`,
    },
    tags: {
      name: t('tags'),
      isMany: true,
      separator: several,
      words: 'tag tags keyword keywords schlagwort schlagworte motscles palabrasclave etiquetas タグ キーワード الوسوم',
    },
    categories: {
      name: t('categories'),
      isMany: true,
      separator: /[|;](?=.)|[|;,](?=\s*\/)|[\r\n]+/,
      words:
        'category categories contentcategory path kategorie kategorien categorie categoria categorias カテゴリ الفئة الفئات',
    },
    groups: {
      name: t('column_groups'),
      isMany: true,
      separator: several,
      words: 'group groups gruppe gruppen groupe groupes grupo grupos グループ المجموعة المجموعات',
    },
  }
}

/** Judges items of a list; `type` is that of rows without one. */
export function judgeListedItems(
  rows: readonly ListRow[],
  { known, groups, type }: { readonly known: KnownPaths; readonly groups: NamedThings; readonly type: string },
) {
  const findGroup = findingNamed(groups)
  return judgeRows(rows, (listed, refuse): ListedItem => {
    const { row, values } = listed
    const title = firstOf(listed, 'title')
    const { title: max } = itemLimits
    if (title === '') refuse('title', t('noTitle'))
    else if (title.length > max) refuse('title', t('longTitle', { max }), { value: title })
    const categories = (values['categories'] ?? []).map((value) => {
      const path = known.find(value)
      if (path === undefined) {
        refuse('categories', t('unknownCategory', { value }), { value, meant: known.findByTitle(value) })
      }
      return path
    })
    const shared = (values['groups'] ?? []).flatMap((value) => {
      const { id, meant } = findGroup(value)
      if (id === undefined) refuse('groups', t('noGroup', { value }), { value, meant })
      return id ?? []
    })
    const [url, snippet] = [firstOf(listed, 'url'), firstOf(listed, 'snippet')]
    const parameters = {
      title,
      type: firstOf(listed, 'type') || type,
      tags: (values['tags'] ?? []).join(','),
      ...(url && { url }),
      ...(snippet && { snippet }),
      ...(categories.length > 0 && { categories: JSON.stringify(categories) }),
    }
    return { row, parameters, groups: shared }
  })
}
