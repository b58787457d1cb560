import { html, nothing, type PropertyValues } from 'lit'
import { property } from 'lit/decorators.js'
import { guard } from 'lit/directives/guard.js'
import { repeat } from 'lit/directives/repeat.js'
import { textOf } from '../elements/fields.ts'
import { PageElement } from '../elements/page.ts'
import { findTyped, Typing } from '../elements/typing.ts'
import { formatNumber } from '../texts/formats.ts'
import { ofEditor as t } from '../texts/rooms.ts'
import { presentLanguage } from '../texts/texts.ts'
import { type Command, command } from './model/command.ts'
import type { Outcome } from './model/editing.ts'
import { findRanges } from './model/folding.ts'
import type { Judgement } from './model/judgement.ts'
import type { Node } from './model/node.ts'
import type { Target } from './model/places.ts'
import type { Row } from './model/rows.ts'
import { readKey } from './model/tree-keys.ts'
import { RowDrag, rowOf } from './row-drag.ts'
import { treeStyle } from './tree-style.ts'

/**
 * Categories as a tree: one row each, of which the selected one is reached by Tab and the others by arrows. Actions of the
 * person are sent as commands. A row is rendered, and checked for control characters, only when something in it has changed.
 */
export class SchemaTree extends PageElement {
  static override styles = treeStyle

  @property() label = ''
  @property({ attribute: false }) rows: readonly Row[] = []
  /** Key of the selected category, which need not be among the rows. */
  @property() selected: string | undefined
  /** Keys of the categories that are chosen together, the selected one among them. */
  @property({ attribute: false }) chosen: readonly string[] = []
  /** Items of a category; undefined where they are not known. */
  @property({ attribute: false }) countItems: (node: Node) => number | undefined = () => undefined
  @property() searched = ''
  @property({ attribute: false }) judgement!: Judgement
  /** Key of the category whose title is being edited in the tree. */
  @property() renaming: string | undefined
  @property({ type: Boolean, attribute: 'read-only' }) isReadOnly = false
  /** Whether a category may be dropped at a target. */
  @property({ attribute: false }) tryMove!: (key: string, target: Target) => Outcome

  readonly #drag = new RowDrag(this)
  readonly #typing = new Typing()
  #hadFocus = false
  /** Keys of the rows that the present update renders. */
  readonly #rendered = new Set<string>()

  focusSelected(): void {
    const row = this.renderRoot.querySelector<HTMLElement>('[role="treeitem"][tabindex="0"]')
    row?.focus()
  }

  protected override willUpdate(): void {
    this.#rendered.clear()
    const { activeElement } = this.renderRoot as ShadowRoot
    this.#hadFocus = activeElement?.closest('[role="treeitem"]') !== null && activeElement !== null
  }

  protected override renderedParts() {
    if (this.#rendered.size === this.rows.length) return super.renderedParts()
    return [...this.#rendered].flatMap((key) => this.renderRoot.querySelector(`[data-key="${CSS.escape(key)}"]`) ?? [])
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('renaming') && this.renaming !== undefined) {
      const field = this.renderRoot.querySelector<HTMLInputElement>('input')
      field?.focus()
      field?.select()
    } else if (this.#hadFocus && this.renaming === undefined) this.focusSelected()
  }

  override render() {
    const drag = this.#drag
    const tabStop = this.rows.some(({ node }) => node.key === this.selected) ? this.selected : this.rows[0]?.node.key
    return html`<div
        role="tree"
        aria-multiselectable="true"
        aria-label=${this.label}
        @keydown=${this.#onKey}
        @click=${this.#onClick}
        @dblclick=${this.#onDoubleClick}
        @paste=${this.#onPaste}
        @dragstart=${drag.start}
        @dragover=${drag.over}
        @dragleave=${drag.leave}
        @drop=${drag.drop}
        @dragend=${drag.end}
      >${repeat(
        this.rows,
        ({ node }) => node.key,
        (row) => this.#renderRow(row, tabStop),
      )}</div>
      ${this.isReadOnly ? nothing : html`<div class="end" @dragover=${drag.over} @dragleave=${drag.leave} @drop=${drag.drop}></div>`}`
  }

  #renderRow({ node, level, position, of, isOpen }: Row, tabStop: string | undefined) {
    const { key, title, source } = node
    const isSelected = this.chosen.includes(key)
    // No items are shown as counts that are not known yet: the row stays as it is when they come.
    const items = this.countItems(node) || undefined
    const isRenaming = key === this.renaming
    const mark = this.judgement.refused.has(key) ? 'error' : this.judgement.verdicts.has(key) ? 'warning' : undefined
    const below = isOpen === false ? node.below.length : 0
    const place = [level, position, of, isOpen, below]
    const state = [isSelected, key === tabStop, isRenaming, mark, this.searched, this.isReadOnly, presentLanguage()]
    return guard([title, source, items, ...place, ...state], () => {
      this.#rendered.add(key)
      return html`<div
        role="treeitem"
        data-key=${key}
        aria-level=${level}
        aria-posinset=${position}
        aria-setsize=${of}
        aria-expanded=${isOpen === undefined ? nothing : String(isOpen)}
        aria-selected=${String(isSelected)}
        tabindex=${key === tabStop ? 0 : -1}
        draggable=${this.isReadOnly || isRenaming ? 'false' : 'true'}
      >
        <span class="toggle ${isOpen === undefined ? '' : 'has'}" aria-hidden="true">${
          isOpen === undefined
            ? nothing
            : html`<wa-icon name=${isOpen ? 'chevron-down' : isFromTheRight() ? 'chevron-left' : 'chevron-right'}></wa-icon>`
        }</span>
        ${isRenaming ? this.#renderField(node) : html`<span class="title"><bdi>${this.#renderTitle(node)}</bdi></span>`}
        ${below > 0 ? html`<span class="count">${t('countBelow', { count: below })}</span>` : nothing}
        ${items ? html`<span class="count items" title=${t('items', { count: items })}><span aria-hidden="true">${formatNumber(items)}</span></span>` : nothing}
        ${mark ? html`<wa-icon class=${mark} name=${mark === 'error' ? 'warning' : 'info'} label=${t(`mark_${mark}`)}></wa-icon>` : nothing}
      </div>`
    })
  }

  #renderTitle({ title, source }: Node) {
    if (title === undefined) return html`<span class="untitled">${source ?? t('untitled')}</span>`
    if (title.trim() === '') return html`<span class="untitled">${t('untitled')}</span>`
    const ranges = findRanges(title, this.searched)
    if (ranges.length === 0) return title
    let end = 0
    const parts = ranges.map((range) => {
      const before = title.slice(end, range.start)
      end = range.end
      return html`${before}<mark>${title.slice(range.start, range.end)}</mark>`
    })
    return html`${parts}${title.slice(end)}`
  }

  #renderField({ key, title = '' }: Node) {
    return html`<input
      aria-label=${t('title')}
      dir="auto"
      autocomplete="off"
      .value=${title}
      @input=${(event: Event) => command(this, { do: 'change', key, texts: { title: textOf(event) } })}
      @keydown=${this.#onFieldKey}
      @blur=${() => this.renaming === key && command(this, { do: 'endRenaming', isKept: true })}
    >`
  }

  #onFieldKey(event: KeyboardEvent): void {
    event.stopPropagation()
    if (event.isComposing || (event.key !== 'Enter' && event.key !== 'Escape')) return
    event.preventDefault()
    command(this, { do: 'endRenaming', isKept: event.key === 'Enter' })
  }

  #send(event: Event, detail: Command): void {
    event.preventDefault()
    command(this, detail)
  }

  #onKey(event: KeyboardEvent): void {
    if (event.isComposing) return
    const taken = readKey(event, {
      rows: this.rows,
      selected: this.selected,
      isReadOnly: this.isReadOnly,
      isSearching: this.searched !== '',
      isFromTheRight: isFromTheRight(),
    })
    if (taken === undefined) {
      if (!(event.altKey || event.ctrlKey || event.metaKey)) this.#type(event)
      return
    }
    event.preventDefault()
    if (taken) command(this, taken)
  }

  #type(event: KeyboardEvent): void {
    const typed = this.#typing.add(event)
    if (typed === undefined) return
    const titles = this.rows.map(({ node }) => node.title ?? '')
    const at = this.rows.findIndex(({ node }) => node.key === this.selected)
    const found = findTyped(titles, typed, at)
    if (found !== undefined) this.#send(event, { do: 'select', key: this.rows[found]!.node.key })
  }

  #onClick(event: MouseEvent): void {
    const element = rowOf(event)
    const key = element?.dataset['key']
    if (!key || key === this.renaming) return
    const isToggle = event
      .composedPath()
      .some((target) => target instanceof HTMLElement && target.matches('.toggle.has'))
    if (isToggle && !this.searched) {
      const isOpen = this.rows.find(({ node }) => node.key === key)?.isOpen
      command(this, { do: isOpen ? 'close' : 'open', key })
      return
    }
    const how = event.shiftKey ? 'range' : event.ctrlKey || event.metaKey ? 'toggle' : undefined
    command(this, how ? { do: 'choose', key, how } : { do: 'select', key })
    if (!how) this.dispatchEvent(new Event('tapped', { bubbles: true }))
  }

  #onDoubleClick(event: MouseEvent): void {
    const key = rowOf(event)?.dataset['key']
    if (key && !this.isReadOnly && key !== this.renaming) this.#send(event, { do: 'rename', key })
  }

  #onPaste(event: ClipboardEvent): void {
    const text = event.clipboardData?.getData('text/plain') ?? ''
    if (this.isReadOnly || text.trim() === '' || event.composedPath()[0] instanceof HTMLInputElement) return
    this.#send(event, { do: 'paste', text })
  }
}

function isFromTheRight(): boolean {
  return document.documentElement.dir === 'rtl'
}

customElements.define('cartulary-schema-tree', SchemaTree)
