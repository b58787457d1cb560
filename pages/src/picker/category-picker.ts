import { html, nothing, type PropertyValues, svg } from 'lit'
import { property, state } from 'lit/decorators.js'
import { repeat } from 'lit/directives/repeat.js'
import type { CategorySchema } from '../../../src/categories/schema.ts'
import { Typing } from '../elements/typing.ts'
import { showControls } from '../texts/bidi.ts'
import { ancestorsOf, type Choice, listChoices, listVisible } from './choices.ts'
import { FormField } from './form-field.ts'
import { pickerStyle } from './picker-style.ts'
import { fill, pickerTexts } from './picker-texts.ts'
import { readTreeKey } from './tree-step.ts'

const arrow = svg`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="m9 6 6 6-6 6"/></svg>`
const tick = svg`<svg viewBox="0 0 24 24" aria-hidden="true"><path d="m5 12 5 5 9-10"/></svg>`

/** Maximum number of categories of an item (documented). */
const maxChosen = 20

/**
 * `<cartulary-category-picker src="https://maps.example.com/sharing/rest/community/groups/…/categorySchema" multiple>`: lets a
 * person choose categories of a schema, in any page and any form. Described in docs/picker.md.
 */
export class CategoryPicker extends FormField {
  static override styles = [pickerStyle]

  /** URL of the schema in the API. */
  @property() src: string | undefined
  /** Token sent as `X-Esri-Authorization`, for a schema that is not public. */
  @property({ attribute: false }) token: string | undefined
  @property() label: string | undefined
  /** Chosen paths, such as `/Region/World`, in the order of choosing. */
  declare value: readonly string[]
  @property({ type: Boolean }) multiple = false
  /** Maximum number of chosen categories. Default 20. */
  @property({ type: Number }) max: number = maxChosen
  /** Schema that the page already has, instead of `src`. */
  @property({ attribute: false }) schema: CategorySchema | undefined

  @state() private choices: readonly Choice[] | undefined
  @state() private problem: string | undefined
  @state() private open: ReadonlySet<string> = new Set()
  @state() private search = ''
  /** Path of the row with keyboard focus. */
  @state() private active: string | undefined

  readonly #typing = new Typing()
  #loading: AbortController | undefined

  override connectedCallback(): void {
    super.connectedCallback()
    // Running requests ended when the element was removed.
    if (this.#loading?.signal.aborted && !this.choices) void this.#load()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#loading?.abort()
  }

  protected override get requiredText(): string {
    return this.#texts.required
  }

  override focus(options?: FocusOptions): void {
    this.renderRoot.querySelector<HTMLElement>('input, [tabindex="0"]')?.focus(options)
  }

  protected override willUpdate(changed: PropertyValues): void {
    if (changed.has('schema') && this.schema) this.#show(this.schema)
    if (changed.has('src') || changed.has('token')) void this.#load()
  }

  get #texts() {
    const nearest = this.closest('[lang]')?.getAttribute('lang')
    return pickerTexts([nearest ?? '', ...navigator.languages])
  }

  async #load(): Promise<void> {
    this.#loading?.abort()
    if (!this.src) return
    const loading = new AbortController()
    this.#loading = loading
    this.choices = undefined
    this.problem = undefined
    try {
      const url = new URL(this.src, document.baseURI)
      url.searchParams.set('f', 'json')
      const headers = this.token ? { 'x-esri-authorization': `Bearer ${this.token}` } : {}
      // Only the URL that the page names gets the token.
      const redirect = this.token ? 'error' : 'follow'
      const response = await fetch(url, { signal: loading.signal, credentials: 'omit', redirect, headers })
      const answer = (await response.json()) as CategorySchema & { readonly error?: { readonly message: string } }
      if (answer.error) throw new Error(answer.error.message)
      this.#show(answer)
      this.dispatchEvent(new Event('load'))
    } catch (error) {
      if (loading.signal.aborted) return
      this.problem = error instanceof TypeError || error instanceof SyntaxError ? '' : (error as Error).message
      this.dispatchEvent(new Event('error'))
    }
  }

  #show(schema: CategorySchema): void {
    this.choices = listChoices(schema)
    const chosen = this.choices.filter(({ path }) => this.value.includes(path))
    // The trees and the ancestors of chosen categories are open.
    const trees = this.choices.filter(({ level }) => level === 1)
    this.open = new Set([...trees, ...chosen.flatMap(ancestorsOf)].map(({ path }) => path))
    this.active = chosen[0]?.path ?? this.choices[0]?.path
  }

  override render() {
    const texts = this.#texts
    if (this.problem !== undefined) {
      return html`<div class="box">
        <p class="note danger" role="alert">${texts.failed} ${this.problem}</p>
        <div class="foot"><button type="button" @click=${this.#load}>${texts.retry}</button></div>
      </div>`
    }
    const { choices } = this
    if (!choices) return html`<div class="box"><p class="note" role="status">${texts.loading}</p></div>`
    const rows = listVisible(choices, this.open, this.search)
    const active = rows.some(({ path }) => path === this.active) ? this.active : rows[0]?.path
    return html`<div class="box ${this.isDisabled ? 'off' : ''}">
      <input
        type="search" aria-label=${texts.search} placeholder=${texts.search} autocomplete="off" spellcheck="false"
        .value=${this.search} ?disabled=${this.isDisabled} @input=${this.#find} @keydown=${this.#leaveSearch}
      >
      ${
        rows.length === 0
          ? html`<p class="note" role="status">${choices.length === 0 ? texts.empty : texts.nothingFound}</p>`
          : html`<ul
              role="tree" aria-label=${this.label ?? texts.search} aria-multiselectable=${this.multiple}
              aria-required=${this.required} aria-disabled=${this.isDisabled} @keydown=${this.#press} @click=${this.#click}
            >
              ${repeat(
                rows,
                ({ path }) => path,
                (row) => this.#renderRow(row, active),
              )}
            </ul>`
      }
      ${this.#renderFoot(choices)}
    </div>`
  }

  #renderRow(row: Choice, active: string | undefined) {
    const { path, title, description, level, hasChildren, position, siblings } = row
    const isOpen = this.search !== '' || this.open.has(path)
    const isChosen = this.value.includes(path)
    return html`<li
      role="treeitem" class="level-${level}" data-path=${path} title=${description === undefined ? nothing : showControls(description)}
      tabindex=${path === active && !this.isDisabled ? 0 : -1} aria-level=${level} aria-posinset=${position}
      aria-setsize=${siblings} aria-selected=${isChosen} aria-expanded=${hasChildren ? isOpen : nothing}
    >
      <span class="turn">${hasChildren ? arrow : nothing}</span>
      <span class="title">${showControls(title)}</span>
      <span class="mark">${isChosen ? tick : nothing}</span>
    </li>`
  }

  #renderFoot(choices: readonly Choice[]) {
    if (this.value.length === 0) return nothing
    const texts = this.#texts
    const stale = this.value.filter((path) => !choices.some((choice) => choice.path === path))
    return html`<div class="foot">
      <span role="status">${fill(texts.chosen, 'count', this.value.length)}${
        this.multiple && this.value.length >= this.max ? html` · ${fill(texts.most, 'max', this.max)}` : nothing
      }</span>
      <button type="button" ?disabled=${this.isDisabled} @click=${() => this.choose([])}>${texts.clear}</button>
      ${stale.map(
        (path) => html`<button
          type="button" ?disabled=${this.isDisabled} aria-label=${fill(texts.remove, 'path', showControls(path))}
          @click=${() => this.choose(this.value.filter((chosen) => chosen !== path))}
        ><span class="stale">${showControls(path)}</span> (${texts.stale})</button>`,
      )}
    </div>`
  }

  #toggle(path: string): void {
    if (this.isDisabled) return
    const isChosen = this.value.includes(path)
    if (isChosen) this.choose(this.value.filter((chosen) => chosen !== path))
    else if (!this.multiple) this.choose([path])
    else if (this.value.length < this.max) this.choose([...this.value, path])
  }

  #turn(path: string, isOpen: boolean): void {
    const open = new Set(this.open)
    if (isOpen) open.add(path)
    else open.delete(path)
    this.open = open
  }

  #find(event: InputEvent): void {
    this.search = (event.target as HTMLInputElement).value
    event.stopPropagation()
  }

  #leaveSearch(event: KeyboardEvent): void {
    if (event.key === 'ArrowDown') {
      event.preventDefault()
      this.renderRoot.querySelector<HTMLElement>('[role=treeitem][tabindex="0"]')?.focus()
    } else if (event.key === 'Escape' && this.search !== '') {
      event.preventDefault()
      this.search = ''
    }
  }

  #click(event: MouseEvent): void {
    const target = event.target as Element
    const row = target.closest<HTMLElement>('[role=treeitem]')
    const path = row?.dataset['path']
    if (path === undefined || this.isDisabled) return
    this.active = path
    row!.focus()
    if (target.closest('.turn') && row!.hasAttribute('aria-expanded')) this.#turn(path, !this.open.has(path))
    else this.#toggle(path)
  }

  /** Handles the keys of a tree (ARIA Authoring Practices). */
  #press(event: KeyboardEvent): void {
    if (event.ctrlKey || event.metaKey || event.altKey) return
    const rows = listVisible(this.choices ?? [], this.open, this.search)
    const { path } = (event.target as HTMLElement).dataset
    const row = rows.find((choice) => choice.path === path)
    if (!row) return
    const isSearching = this.search !== ''
    const isOpen = isSearching || this.open.has(row.path)
    const isFromTheRight = this.matches(':dir(rtl)')
    const step = readTreeKey(event, { rows, row, isOpen, isSearching, isFromTheRight, typing: this.#typing })
    if (step === undefined) return
    event.preventDefault()
    const { to = row, isOpened, isChosen } = step
    if (isChosen) this.#toggle(row.path)
    if (isOpened !== undefined) this.#turn(row.path, isOpened)
    void this.#moveTo(to.path)
  }

  async #moveTo(path: string): Promise<void> {
    this.active = path
    await this.updateComplete
    this.renderRoot.querySelector<HTMLElement>(`[data-path="${CSS.escape(path)}"]`)?.focus()
  }
}

if (!customElements.get('cartulary-category-picker')) customElements.define('cartulary-category-picker', CategoryPicker)

declare global {
  interface HTMLElementTagNameMap {
    'cartulary-category-picker': CategoryPicker
  }
}
