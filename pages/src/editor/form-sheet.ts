import { css, html } from 'lit'
import { property, query } from 'lit/decorators.js'
import { PageElement } from '../elements/page.ts'
import { ofEditor as t } from '../texts/rooms.ts'

/** Whether the window is too narrow for the form of a category beside the tree. */
export const narrow = window.matchMedia('(max-width: 40rem)')

/** A sheet from the end of a narrow window: its slot has the form of the selected category. */
export class FormSheet extends PageElement {
  static override styles = css`
    dialog {
      width: 100%;
      max-width: none;
      max-height: 85dvh;
      margin: auto 0 0;
      padding: 0.5rem 1rem 1rem;
      overflow-y: auto;
      border: 0;
      border-radius: 0.75rem 0.75rem 0 0;
      color: inherit;
      background: var(--wa-color-surface-raised);
      box-shadow: 0 -0.5rem 1.5rem var(--wa-color-shadow);
    }
    dialog::backdrop {
      background: var(--wa-color-overlay-modal);
    }
    .close {
      display: flex;
      justify-content: flex-end;
    }
  `

  @property() label = ''
  @query('dialog') dialog!: HTMLDialogElement | null

  /** Opens it: Escape, the back gesture of a phone, its button, and a press beside it close it. */
  open(): void {
    if (!this.dialog?.open) this.dialog?.showModal()
  }

  close(): void {
    this.dialog?.close()
  }

  override render() {
    return html`<dialog aria-label=${this.label} @click=${this.#closeBeside}>
      <div class="close"><wa-button size="s" appearance="plain" autofocus @click=${() => this.close()}
        ><wa-icon name="xmark" label=${t('close')}></wa-icon></wa-button></div>
      <slot></slot>
    </dialog>`
  }

  #closeBeside(event: MouseEvent): void {
    if (event.composedPath()[0] === this.dialog) this.close()
  }
}

customElements.define('cartulary-form-sheet', FormSheet)
