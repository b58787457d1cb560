import { css, html } from 'lit'
import { property } from 'lit/decorators.js'
import type { Parameters } from '../../api/parameters.ts'
import { announce, button, PageElement } from '../../elements/page.ts'
import { base } from '../../navigation/navigation.ts'
import { ofFilesPreview as t } from '../../texts/rooms.ts'
import { formatCall } from './repeated-call.ts'

/** The call of the API that repeats an import with its choices, folded, to be copied. */
class RepeatCall extends PageElement {
  static override styles = css`
    pre {
      margin: 0;
      font-size: 0.875rem;
      text-align: left;
    }
  `

  /** Path of the operation in the API. */
  @property() path!: string
  @property() file!: string
  /** Whether there is such a file: a pasted text has to be saved first. */
  @property({ type: Boolean, attribute: 'is-text' }) isText = false
  @property({ attribute: false }) parameters!: Parameters

  override render() {
    return html`<details class="panel">
      <summary>${t('repeat')}</summary>
      <div class="stack">
        <p class="quiet">${t('repeatText')}${this.isText ? ` ${t('repeatSaveFirst', { file: this.file })}` : ''}</p>
        <pre class="box file-text" dir="ltr" tabindex="0" role="region" aria-label=${t('repeat')}>${this.#command()}</pre>
        <div>
          ${button(t('copy'), { icon: 'copy', size: 's', onClick: this.#copy })}
        </div>
      </div>
    </details>`
  }

  #command(): string {
    const address = new URL(`sharing/rest${this.path}?f=json`, base).href
    return formatCall({ address, file: this.file, parameters: this.parameters })
  }

  async #copy(): Promise<void> {
    try {
      await navigator.clipboard.writeText(this.#command())
      announce(t('copied'))
    } catch {
      // Without permission for the clipboard, the selected text can still be copied by keyboard.
      window.getSelection()?.selectAllChildren(this.renderRoot.querySelector('pre')!)
    }
  }
}

customElements.define('cartulary-repeat-call', RepeatCall)
