import '../picker/category-picker.ts'
import { css, html, nothing } from 'lit'
import { property, state } from 'lit/decorators.js'
import type { CategorySchema } from '../../../src/categories/schema.ts'
import { Action } from '../elements/action.ts'
import { announce } from '../elements/announce.ts'
import { fieldStyle } from '../elements/field-style.ts'
import { PageElement } from '../elements/page-element.ts'
import { hrefTo } from '../navigation/navigation.ts'
import type { CategoryPicker } from '../picker/category-picker.ts'
import { call, post } from '../session/session.ts'
import { type Categorised, planCategories, type Refused, readItems, sendCategories } from './categorising.ts'
import type { ListedItem } from './item-list.ts'
import { t } from './texts.ts'

/** Adds categories to the chosen items, or removes them. Emits `changed` when it is done, and `close`. */
class Categorise extends PageElement {
  static override styles = [
    fieldStyle,
    css`
      progress {
        width: 100%;
        accent-color: var(--wa-color-brand-fill-loud);
      }
      h2:focus {
        outline: none;
      }
    `,
  ]

  @property({ attribute: false }) items!: readonly ListedItem[]
  @property({ attribute: false }) schema!: CategorySchema
  /** Group whose categories are changed; undefined for the organization. */
  @property() group: string | undefined
  @state() mode: 'add' | 'remove' = 'add'
  @state() paths: readonly string[] = []
  /** Number of items sent; undefined when nothing is being sent. */
  @state() done: number | undefined
  @state() total = 0
  @state() outcome: { readonly changed: number; readonly refused: readonly Refused[] } | undefined

  readonly #sending = new Action(this)

  protected override firstUpdated(): void {
    this.renderRoot.querySelector<HTMLElement>('h2')?.focus()
  }

  override render() {
    return html`<section class="panel stack" aria-labelledby="head">
      <h2 id="head" tabindex="-1">${t('categoriseItems', { count: this.items.length })}</h2>
      <div class="row" role="radiogroup" aria-label=${t('whatToDo')}>
        ${(['add', 'remove'] as const).map(
          (mode) => html`<label class="tick">
            <input type="radio" name="mode" .checked=${mode === this.mode} @change=${() => {
              this.mode = mode
            }}><span>${t(`mode_${mode}`)}</span>
          </label>`,
        )}
      </div>
      <cartulary-category-picker
        multiple label=${t('categories')} .schema=${this.schema} .value=${this.paths}
        @change=${(event: Event) => {
          this.paths = (event.target as CategoryPicker).value
        }}
      ></cartulary-category-picker>
      ${
        this.done === undefined
          ? nothing
          : html`<div><progress aria-label=${t('progress')} max=${this.total} .value=${this.done}></progress>
              <p>${t('progressOf', { done: this.done, total: this.total })}</p></div>`
      }
      ${this.outcome ? this.#renderOutcome(this.outcome) : nothing}
      <cartulary-problem .error=${this.#sending.error}></cartulary-problem>
      <div class="row">
        <wa-button variant="brand" ?disabled=${this.paths.length === 0} ?loading=${this.done !== undefined} @click=${this.#go}>${t('apply')}</wa-button>
        <wa-button appearance="plain" @click=${this.#close}>${this.done === undefined ? t('close') : t('cancel')}</wa-button>
      </div>
    </section>`
  }

  #renderOutcome({ changed, refused }: NonNullable<Categorise['outcome']>) {
    return html`<div role="status">
      <p>${t('changed', { count: changed })}</p>
      ${
        refused.length > 0
          ? html`<p><strong>${t('refused', { count: refused.length })}</strong></p>
              <ul>${refused.map(({ id, title, message }) => html`<li><a href=${hrefTo('item', { item: id })}>${title}</a>: <span lang="en">${message}</span></li>`)}</ul>`
          : nothing
      }
    </div>`
  }

  async #go(): Promise<void> {
    if (this.done !== undefined || this.paths.length === 0) return
    const path = this.group
      ? `/content/groups/${encodeURIComponent(this.group)}/updateCategories`
      : '/content/updateItems'
    this.outcome = undefined
    this.total = this.items.length
    this.done = 0
    await this.#sending.run(async (signal) => {
      const present = await this.#readPresent(signal)
      const changes = planCategories(present, this.mode, this.paths)
      this.total = changes.length
      this.outcome = await sendCategories(
        changes,
        (items) => post(path, { items }),
        (done) => {
          this.done = done
        },
        signal,
      )
      announce(t('changed', { count: this.outcome.changed }))
    })
    this.done = undefined
    this.dispatchEvent(new Event('changed'))
  }

  /** Reads the present categories of the chosen items: other users, or an earlier change here, may have changed them. */
  async #readPresent(signal: AbortSignal): Promise<readonly Categorised[]> {
    const path = this.group ? `/content/groups/${encodeURIComponent(this.group)}/search` : '/search'
    const now = await readItems(
      this.items.map(({ id }) => id),
      (filter, num) => call<{ readonly results: readonly ListedItem[] }>(path, { filter, num }, { signal }),
    )
    // An item that is not found is sent too, so that the server gives the reason.
    return this.items.map((item) => {
      const { id, title, categories, groupCategories = [] } = now.get(item.id) ?? item
      return { id, title, categories: this.group ? groupCategories : categories }
    })
  }

  /** Closes; while items are being sent, only cancels that after the present request. */
  #close(): void {
    if (this.done === undefined) this.dispatchEvent(new Event('close'))
    else this.#sending.cancel()
  }
}

customElements.define('cartulary-categorise', Categorise)
