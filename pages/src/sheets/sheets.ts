import { Action, announce, button, Reading, Screen } from '../elements/page.ts'
import '../content/bulk/item-runs.ts'
import './sheet-import.ts'
import { html, nothing } from 'lit'
import { state } from 'lit/decorators.js'
import type { CategorySchema } from '../../../src/categories/schema.ts'
import { listPaths } from '../../../src/categories/schema-paths.ts'
import type { WireGroup } from '../../../src/http/shapes/directory/group.ts'
import { findItems, narrowedBy } from '../content/content-search.ts'
import { type ContentState, queryOf, readState } from '../content/state.ts'
import { choice } from '../elements/fields.ts'
import { saveFile } from '../elements/save-file.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { type SchemaOwner, schemaPath } from '../owners/owners.ts'
import { call, callForPart, groupPath, may } from '../session/session.ts'
import { ofSheets as t } from '../texts/rooms.ts'
import { downloadOf, downloads, nameOfPart } from './sheet-plan.ts'

/** Categories of many items in a spreadsheet: downloaded, edited there, shown as changes, applied, and undone. */
class Sheets extends Screen {
  @state() form: (typeof downloads)[number] = 'xlsx'
  /** Files that have been saved. */
  @state() saved = 0

  readonly #saving = new Action(this)
  readonly #total = new Reading(this, {
    args: () => [JSON.stringify(this.#content)] as const,
    task: async ([content], { signal }) => (await findItems(JSON.parse(content) as ContentState, signal)).total,
  })

  /** A path of these categories, of two levels where there is one. */
  readonly #example = new Reading(this, {
    args: () => [this.#content.group] as const,
    task: async ([group], { signal }) => {
      const owner: SchemaOwner = group === undefined ? { kind: 'organization' } : { kind: 'group', id: group }
      const paths = listPaths(await call<CategorySchema>(schemaPath(owner), {}, { signal }))
      return paths.find((path) => path.lastIndexOf('/') > 0) ?? paths[0]
    },
  })

  readonly #group = new Reading(this, {
    args: () => [this.query.get('group') ?? ''] as const,
    task: ([group], { signal }) =>
      group ? call<WireGroup>(groupPath(group), { withCan: true }, { signal }) : undefined,
  })

  override render() {
    const content = this.#content
    const group = content.group === this.#group.value?.id ? this.#group.value : undefined
    // Items of a group are categorized by those who may publish its categories.
    const isReadOnly = group !== undefined && !may('assignGroupCategorySchema', group)
    return html`<cartulary-heading text=${t('heading')} note=${group ? t('ofGroup', { group: group.title }) : t('note')}>
        ${button(t('content'), { icon: 'folder', href: hrefTo('content', {}, { group: content.group }) })}
      </cartulary-heading>
      <div class="stack">
        ${this.#renderDownload(content)}
        ${isReadOnly ? html`<p class="quiet">${t('onlyManagers')}</p>` : html`<cartulary-sheet-import .group=${content.group}></cartulary-sheet-import>`}
        <cartulary-item-runs .isOpen=${true}></cartulary-item-runs>
      </div>`
  }

  /** State of the content that is downloaded. */
  get #content(): ContentState {
    return readState(this.query)
  }

  /** Renders the download of the items that the content shows, with their categories, as a table. */
  #renderDownload(content: ContentState) {
    return html`<section class="panel stack" aria-labelledby="download">
      <h2 id="download">${t('download')}</h2>
      <p>${t('downloadText', { path: this.#example.value ?? '/Region/Europe' })}</p>
      ${this.#total.showLatest((total) => html`<p>${t('items', { count: total })} · <a href=${hrefTo('content', {}, queryOf(content))}>${t('chooseItems')}</a></p>`)}
      ${choice('format', t('format'), downloads, (form) => t(`format_${form}`), this.form, { hint: t('signText'), onChange: (form) => (this.form = form) })}
      <cartulary-problem .error=${this.#saving.error}></cartulary-problem>
      <div class="row">
        ${button(t('saveFile'), { icon: 'download', disabled: !this.#total.value, loading: this.#saving.isRunning, onClick: this.#save })}
        ${this.saved > 0 ? html`<span role="status">${t('savedFiles', { count: this.saved })}</span>` : nothing}
      </div>
    </section>`
  }

  /** Saves several files where there are too many items for one. */
  #save(): void {
    const { form } = this
    const content = this.#content
    void this.#saving.run(async (signal) => {
      this.saved = 0
      const parameters = { ...narrowedBy(content), group: content.group, ...downloadOf(form) }
      for (let start: string | undefined; ; ) {
        const { blob, nextKey } = await callForPart('/content/categories/export', { ...parameters, start }, { signal })
        saveFile(blob, nameOfPart(this.saved + 1, this.saved === 0 && nextKey === undefined, downloadOf(form).format))
        this.saved++
        if (nextKey === undefined) break
        start = nextKey
      }
      announce(t('savedFiles', { count: this.saved }))
    })
  }
}

customElements.define('cartulary-sheets', Sheets)
