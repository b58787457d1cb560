import { css, html } from 'lit'
import { property } from 'lit/decorators.js'
import { announce, button, PageElement } from '../elements/page.ts'
import { ofForms as t } from '../texts/rooms.ts'

/** A text to be selected or copied by a button, such as a password or a link that is shown once. */
class Secret extends PageElement {
  static override styles = css`
    code {
      user-select: all;
      min-width: 0;
    }
  `

  @property() value!: string
  @property() label!: string

  override render() {
    return html`<div class="stack">
      <span>${this.label}</span>
      <div class="row">
        <code class="box" dir="ltr">${this.value}</code>
        ${button(t('copy'), { icon: 'copy', size: 's', onClick: this.#copy })}
      </div>
    </div>`
  }

  async #copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.value)
      announce(t('copied'))
    } catch {
      // Without permission for the clipboard, the selected text can still be copied by keyboard.
      const code = this.renderRoot.querySelector('code')!
      window.getSelection()?.selectAllChildren(code)
    }
  }
}

customElements.define('cartulary-secret', Secret)
