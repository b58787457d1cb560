import { css, html, nothing, type PropertyValues } from 'lit'
import { query, state } from 'lit/decorators.js'
import { PageElement } from '../elements/page.ts'
import { goTo } from '../navigation/navigation.ts'
import { ofPalette as t } from '../texts/rooms.ts'
import { type Find, findDeeds, findScreens, type Kind, kinds, searches } from './finds.ts'

/** Time after the last letter until the server is asked, in milliseconds (chosen). */
const typingPause = 200

/** Dialog that goes anywhere: a field, and below it what its words find, by kind; arrows choose, Enter goes there. */
export class Palette extends PageElement {
  static override styles = css`
    dialog {
      width: min(40rem, calc(100vw - 1rem));
      max-width: none;
      max-height: min(36rem, 85vh);
      margin-block-start: min(10vh, 5rem);
      padding: 0;
      border: 1px solid var(--wa-color-surface-border);
      border-radius: 0.5rem;
      background: var(--wa-color-surface-raised);
      color: var(--wa-color-text-normal);
      box-shadow: 0 0.5rem 2rem var(--wa-color-shadow);
      overflow: hidden;
    }
    dialog[open] {
      display: flex;
      flex-direction: column;
    }
    dialog::backdrop {
      background: rgb(0 0 0 / 0.4);
    }
    .field {
      position: relative;
      flex: none;
      max-width: none;
      border-block-end: 1px solid var(--wa-color-surface-border);
    }
    .field wa-icon {
      position: absolute;
      inset-block-start: calc(50% - 0.5em);
      inset-inline-start: 1rem;
      color: var(--wa-color-text-quiet);
      pointer-events: none;
    }
    input {
      min-height: 3.25rem;
      padding: 0.5rem 1rem;
      padding-inline-start: 2.75rem;
      border: 0;
      background: none;
      font-size: 1.0625rem;
    }
    input:focus-visible {
      outline-offset: -2px;
      border-radius: 0.5rem;
    }
    .finds {
      overflow-y: auto;
      padding: 0.5rem;
    }
    .kind {
      padding: 0.5rem 0.75rem 0.25rem;
      color: var(--wa-color-text-quiet);
      font-size: 0.875rem;
      font-weight: 600;
    }
    a {
      gap: 0.75rem;
      align-items: center;
      min-height: 2.25rem;
      padding: 0.25rem 0.75rem;
    }
    a > wa-icon {
      flex: none;
    }
    .words .quiet {
      margin-inline-start: 0.375rem;
      font-size: 0.875rem;
    }
    a[aria-selected='true'] {
      background: var(--wa-color-brand-fill-quiet);
      color: var(--wa-color-brand-on-quiet);
    }
    a[aria-selected='true'] .quiet {
      color: inherit;
    }
    .none {
      padding: 1rem 0.75rem;
      color: var(--wa-color-text-quiet);
    }
  `

  @query('dialog') dialog!: HTMLDialogElement
  @query('input') input!: HTMLInputElement
  @state() typed = ''
  @state() found: ReadonlyMap<Kind, readonly Find[]> = new Map()
  /** Whether answers of the server are pending. */
  @state() isSearching = false
  /** Position of the chosen find among all. */
  @state() chosen = 0

  #pause: ReturnType<typeof setTimeout> | undefined
  #stop = new AbortController()
  /** Whether the person has pressed Enter, and goes to what is found first. */
  #isWaiting = false

  /** Opens the dialog, or closes it if it is open. */
  async toggle(): Promise<void> {
    await this.updateComplete
    if (this.dialog.open) {
      this.dialog.close()
      return
    }
    this.input.value = ''
    this.#search('')
    this.dialog.showModal()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#giveUp()
  }

  override render() {
    const finds = this.#list()
    const chosen = finds[this.chosen]
    return html`<dialog aria-label=${t('palette')} @close=${this.#giveUp} @click=${this.#click}>
      <div class="field">
        <wa-icon name="search"></wa-icon>
        <input type="text" role="combobox" aria-label=${t('palette')} placeholder=${t('hint')} aria-expanded="true" aria-controls="finds"
          aria-autocomplete="list" aria-activedescendant=${chosen ? `find-${this.chosen}` : nothing}
          autocomplete="off" autocapitalize="none" spellcheck="false" enterkeyhint="go" @input=${() => this.#search(this.input.value)} @keydown=${this.#move}>
      </div>
      <div class="finds links" id="finds" role="listbox" aria-label=${t('finds')}>${this.#renderKinds()}</div>
      ${finds.length > 0 || this.isSearching ? nothing : html`<p class="none">${t('none')}</p>`}
      <div class="visually-hidden" role="status">${this.isSearching ? '' : t('found', { count: finds.length })}</div>
    </dialog>`
  }

  #renderKinds() {
    let at = -1
    return kinds.map((kind) => {
      const finds = this.found.get(kind) ?? []
      if (finds.length === 0) return nothing
      return html`<div role="group" aria-labelledby=${`kind-${kind}`}>
        <div class="kind" id=${`kind-${kind}`} role="presentation">${t(`kind_${kind}`)}</div>
        ${finds.map(({ to, name, detail, icon }) => {
          at += 1
          return html`<a role="option" id=${`find-${at}`} tabindex="-1" href=${typeof to === 'string' ? to : nothing} @click=${typeof to === 'string' ? nothing : to} aria-selected=${at === this.chosen ? 'true' : 'false'}>
            <wa-icon name=${icon}></wa-icon>
            <div class="words"><span>${name}</span>${detail ? html` <span class="quiet">${detail}</span>` : nothing}</div>
          </a>`
        })}
      </div>`
    })
  }

  protected override updated(changed: PropertyValues<this>): void {
    if (changed.has('chosen'))
      this.renderRoot.querySelector('[aria-selected=true]')?.scrollIntoView({ block: 'nearest' })
  }

  #list(): readonly Find[] {
    return kinds.flatMap((kind) => this.found.get(kind) ?? [])
  }

  /** Finds screens and deeds immediately, and the rest when the person pauses; answers to what was typed before are dropped. */
  #search(value: string): void {
    this.#giveUp()
    this.typed = value
    this.chosen = 0
    const words = value.split(/\s+/).filter((word) => word !== '')
    // Finds of the server stay until it has answered again, so that the list does not jump.
    const before = words.length === 0 ? new Map() : this.found
    this.found = new Map([...before, ['pages', findScreens(words)], ['deeds', findDeeds(words)]])
    if (words.length === 0) return
    this.isSearching = true
    this.#pause = setTimeout(() => void this.#ask(words), typingPause)
  }

  async #ask(words: readonly string[]): Promise<void> {
    this.#stop = new AbortController()
    const { signal } = this.#stop
    await Promise.all(
      kinds.map(async (kind) => {
        if (kind === 'pages' || kind === 'deeds') return
        // Results of the others are of use where one search is refused or fails.
        const finds = await searches[kind](words, signal).catch(() => [])
        if (!signal.aborted) this.found = new Map([...this.found, [kind, finds]])
      }),
    )
    if (signal.aborted) return
    this.isSearching = false
    if (this.#isWaiting) this.#go()
  }

  readonly #giveUp = (): void => {
    clearTimeout(this.#pause)
    this.#stop.abort()
    this.isSearching = false
    this.#isWaiting = false
  }

  #move(event: KeyboardEvent): void {
    if (event.isComposing) return
    const finds = this.#list()
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 }
    const step = steps[event.key]
    if (step !== undefined && finds.length > 0) {
      event.preventDefault()
      this.chosen = (this.chosen + step + finds.length) % finds.length
    }
    if (event.key !== 'Enter') return
    event.preventDefault()
    // Finds for the words before are not meant.
    this.#isWaiting =
      this.isSearching && this.chosen === 0 && !['pages', 'deeds'].some((kind) => this.found.get(kind as Kind)?.length)
    if (!this.#isWaiting) this.#go()
  }

  #go(): void {
    const find = this.#list()[this.chosen]
    if (!find) return
    this.dialog.close()
    if (typeof find.to === 'string') goTo(find.to)
    else find.to()
  }

  /** A link closes the dialog, as a click beside it does. */
  #click(event: Event): void {
    const isLink = event.composedPath().some((target) => target instanceof HTMLAnchorElement)
    if (isLink || event.target === this.dialog) this.dialog.close()
  }
}

customElements.define('cartulary-palette', Palette)
