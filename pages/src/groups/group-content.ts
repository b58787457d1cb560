import { html, nothing } from 'lit'
import { property } from 'lit/decorators.js'
import type { WireGroup } from '../../../src/http/shapes/directory/group.ts'
import { renderTable } from '../elements/lists/table.ts'
import { button, PageElement, Reading } from '../elements/page.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { call, may, signedIn } from '../session/session.ts'
import { ofGroups as t } from '../texts/rooms.ts'

interface GroupItem {
  readonly id: string
  readonly title: string
  readonly type: string
  readonly groupCategories?: readonly string[]
}

interface Found {
  readonly total: number
  readonly results: readonly GroupItem[]
}

/** Number of items that are shown (chosen). */
const num = 5
/** Members of items that are not shown. */
const exclude =
  'description,extent,typeKeywords,documentation,properties,accessInformation,licenseInfo,screenshots,tags'

/** Items of a group that changed last, with its categories, and a link to those that have none of them. */
class GroupContent extends PageElement {
  @property({ attribute: false }) group!: WireGroup

  readonly #found = new Reading(this, {
    args: () => [this.group.id, signedIn()?.username] as const,
    task: async ([id], { signal }) => {
      const search = (parameters: Readonly<Record<string, string | number | boolean>>) =>
        call<Found>(`/content/groups/${encodeURIComponent(id)}/search`, parameters, { signal })
      const [items, uncategorized] = await Promise.all([
        search({ num, sortField: 'modified', sortOrder: 'desc', exclude }),
        search({ num: 0, uncategorized: true }),
      ])
      return { ...items, uncategorized: uncategorized.total }
    },
  })

  override render() {
    return html`<section class="stack">
      <h2>${t('contentHeading')}</h2>
      ${this.#found.showLatest((found) => this.#renderFound(found))}
    </section>`
  }

  #renderFound({ total, results, uncategorized }: Found & { readonly uncategorized: number }) {
    const { id, hasCategorySchema } = this.group
    if (total === 0) return html`<p class="quiet">${t('noContent')}</p>`
    // Items of a group are categorised by those who may publish its categories.
    const mayCategorise = hasCategorySchema && may('assignGroupCategorySchema', this.group)
    return html`<p>${t('items', { count: total })}${hasCategorySchema ? html` · ${t('uncategorized', { count: uncategorized })}` : nothing}</p>
      ${renderTable(results, [
        [t('title'), (item) => html`<a href=${hrefTo('item', { item: item.id })}>${item.title}</a>`],
        [t('type'), ({ type }) => html`<bdi>${type}</bdi>`],
        ...(hasCategorySchema ? [[t('categories'), renderCategories] as const] : []),
      ])}
      <div class="row">
        ${button(t('allContent'), { size: 's', href: hrefTo('content', {}, { group: id }) })}
        ${
          mayCategorise && uncategorized > 0
            ? button(t('categorise'), {
                icon: 'tag',
                variant: 'brand',
                size: 's',
                href: hrefTo('content', {}, { group: id, show: 'uncategorized' }),
              })
            : nothing
        }
      </div>`
  }
}

function renderCategories({ groupCategories = [] }: GroupItem) {
  if (groupCategories.length === 0) return html`<span class="quiet">${t('noCategory')}</span>`
  return groupCategories.map((path) => html`<div><bdi>${path}</bdi></div>`)
}

customElements.define('cartulary-group-content', GroupContent)
