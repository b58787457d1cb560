import { html } from 'lit'
import { property, query, state } from 'lit/decorators.js'
import type { DialogForm } from '../../elements/dialog-form.ts'
import { field, readFields } from '../../elements/fields.ts'
import { announce, button, PageElement } from '../../elements/page.ts'
import type { SchemaOwner } from '../../owners/owners.ts'
import { readPresent } from '../../schemas/requests.ts'
import { ofFilesTemplates as t } from '../../texts/rooms.ts'
import { maxName, nameOf, namePattern } from './name.ts'
import { createTemplate } from './requests.ts'

/** Maximum length of a title, as in the API. */
const maxTitle = 100

/** A button that saves the present schema of an owner as a template of the organization. Emits `saved`. */
class SaveTemplate extends PageElement {
  @property({ attribute: false }) owner!: SchemaOwner
  /** Title that is proposed. */
  @property({ attribute: false }) ownerTitle!: string
  /** Names of the templates that there are. */
  @property({ attribute: false }) taken!: readonly string[]
  /** Whether the owner has no categories to be saved. */
  @state() isEmpty = false
  @query('cartulary-dialog-form') dialog!: DialogForm
  @query('[name=name]') nameField!: HTMLInputElement

  /** Whether the person has typed a name, which the title does not change any more. */
  #isNamed = false
  #savedTitle = ''

  override render() {
    return html`${button(t('save'), { icon: 'plus', onClick: this.#open })}
      <cartulary-dialog-form
        heading=${t('saveHeading')} action=${t('saveAction')} .blocked=${this.isEmpty ? t('saveNothing') : ''}
        .work=${this.#save} @done=${this.#saved}
      >
        <div class="stack">
          <p>${t('saveText')}</p>
          ${field('title', t('title'), { max: maxTitle, required: true, value: this.ownerTitle.slice(0, maxTitle), onInput: this.#follow })}
          <label class="field"><span>${t('name')}</span>
            <input name="name" dir="ltr" required maxlength=${maxName} pattern=${namePattern} autocomplete="off" spellcheck="false"
              .defaultValue=${nameOf(this.ownerTitle, this.taken)} title=${t('nameText')} @input=${() => (this.#isNamed = true)}>
            <small>${t('nameText')}</small></label>
        </div>
      </cartulary-dialog-form>`
  }

  async #open(): Promise<void> {
    this.#isNamed = false
    this.isEmpty = false
    this.dialog.open()
    // Without an answer, the server says it when the template is saved.
    const present = await readPresent(this.owner).catch(() => undefined)
    this.isEmpty = present?.categorySchema.length === 0
  }

  /** Derives the name from the title while it is typed. */
  #follow(event: Event): void {
    if (!this.#isNamed) this.nameField.value = nameOf((event.target as HTMLInputElement).value, this.taken)
  }

  readonly #save = async () => {
    const { title = '', name = '' } = readFields(this.dialog)
    await createTemplate(this.owner, { title: title.trim(), name })
    this.#savedTitle = title.trim()
  }

  #saved(): void {
    announce(t('saved', { title: this.#savedTitle }))
    this.dispatchEvent(new Event('saved'))
  }
}

customElements.define('cartulary-save-template', SaveTemplate)
