import { announce, button, PageElement, Reading } from '../elements/page.ts'
import '../elements/bottom-bar.ts'
import '../schemas/plan-view.ts'
import { html, nothing } from 'lit'
import { property, query, state } from 'lit/decorators.js'
import type { DialogForm } from '../elements/dialog-form.ts'
import { field } from '../elements/fields.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { deletePath, type SchemaOwner, screenOf } from '../owners/owners.ts'
import type { PresentSchema, SchemaPlan } from '../schemas/answers.ts'
import { post } from '../session/session.ts'
import { needsSecondPerson } from '../shared-drafts/requests.ts'
import { keepAsDraft } from '../shared-drafts/send-draft.ts'
import { ofPublication, ofReview as t } from '../texts/rooms.ts'

const emptySchema = { categorySchema: [] }

/** Preview of deleting the whole schema, and the deletion, confirmed by typing the name of the owner. Emits `deleted`. */
class Deletion extends PageElement {
  @property({ attribute: false }) owner!: SchemaOwner
  @property({ attribute: false }) present!: PresentSchema
  @property({ attribute: false }) ownerTitle!: string
  @state() isDone = false
  @query('cartulary-dialog-form') dialog!: DialogForm

  readonly #plan = new Reading(this, {
    args: () => [this.present.version] as const,
    task: (_, { signal }) => this.#send<SchemaPlan>({ dryRun: true }, signal),
  })

  override render() {
    if (this.isDone) {
      const version = this.present.version ?? 0
      return html`<wa-callout variant="success"><wa-icon slot="icon" name="check"></wa-icon>
        <div class="stack">
          <strong id="done" tabindex="-1">${t('deleted')}</strong>
          <div class="row">
            <a href=${hrefTo(...screenOf(this.owner, 'Version', { version: String(version) }), { restore: 'yes' })}>${ofPublication('undoVersion', { version })}</a>
            <a href=${hrefTo(...screenOf(this.owner, 'History'))}>${ofPublication('toHistory')}</a>
          </div>
        </div>
      </wa-callout>`
    }
    const isShared = needsSecondPerson(this.owner)
    return html`<div class="stack">
      <p>${t('deleteText')}</p>
      ${isShared ? html`<p>${t('deletionSecondPerson')}</p>` : nothing}
      ${this.#plan.show(
        (plan) => html`<section class="panel">
            <cartulary-plan .plan=${plan} .older=${this.present} .newer=${emptySchema}></cartulary-plan>
          </section>
          <cartulary-bottom-bar>
            <a href=${hrefTo(...screenOf(this.owner, 'Review'))}>${t('cancel')}</a>
            ${button(t(isShared ? 'deleteAsDraft' : 'deleteSchema'), { icon: 'trash', class: 'end', variant: 'danger', onClick: () => this.dialog.open() })}
          </cartulary-bottom-bar>`,
      )}
      <cartulary-dialog-form
        heading=${t('deleteHeading')} action=${t(isShared ? 'deleteAsDraft' : 'deleteAction')} danger
        .typed=${isShared ? undefined : this.ownerTitle}
        .work=${() => (isShared ? this.#keep() : this.#send({ comment: this.#comment }))} @done=${isShared ? nothing : this.#finish}
      >
        ${field('comment', t('comment'), { max: 500 })}
      </cartulary-dialog-form>
    </div>`
  }

  #keep(): Promise<void> {
    const content = { action: 'delete', baseVersion: this.present.version, comment: this.#comment }
    return keepAsDraft(this.owner, t('deleteHeading'), content)
  }

  get #comment(): string | undefined {
    return this.renderRoot.querySelector<HTMLInputElement>('[name=comment]')?.value.trim() || undefined
  }

  async #finish(): Promise<void> {
    this.isDone = true
    this.dispatchEvent(new Event('deleted'))
    announce(t('deleted'))
    await this.focusOn('#done')
  }

  #send<Answer>(more: { readonly dryRun?: boolean; readonly comment?: string | undefined }, signal?: AbortSignal) {
    const parameters = { ifVersion: this.present.version, ...more }
    return post<Answer>(deletePath(this.owner), parameters, signal)
  }
}

customElements.define('cartulary-deletion', Deletion)
