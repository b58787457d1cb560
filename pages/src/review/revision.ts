import { textField, textOf, tick } from '../elements/fields.ts'
import { Action, announce, button, PageElement, Reading } from '../elements/page.ts'
import '../elements/bottom-bar.ts'
import { TaskStatus } from '@lit/task'
import { html, nothing } from 'lit'
import { property, state } from 'lit/decorators.js'
import { hrefTo } from '../navigation/navigation.ts'
import { deletePath, type SchemaOwner, schemaPath, screenOf } from '../owners/owners.ts'
import { renderDone } from '../publication/published.ts'
import type { PresentSchema, SchemaPlan, WholeVersion } from '../schemas/answers.ts'
import { renderSchemaPlan } from '../schemas/schema-plan.ts'
import { post } from '../session/session.ts'
import { needsSecondPerson } from '../shared-drafts/requests.ts'
import { keepAsDraft } from '../shared-drafts/send-draft.ts'
import { ofHistory, ofPublication, ofReview } from '../texts/rooms.ts'

const emptySchema = { categorySchema: [] }

/**
 * Preview of restoring a version, or of deleting the whole schema, and the button that does it; a deletion is confirmed by typing
 * the name of the owner. Where a second person has to publish it, it is kept as a draft. Emits `deleted`.
 */
class Revision extends PageElement {
  @property({ attribute: false }) owner!: SchemaOwner
  @property({ attribute: false }) present!: PresentSchema
  /** Version that is restored; undefined for the deletion. */
  @property({ attribute: false }) version: WholeVersion | undefined
  @property({ attribute: false }) ownerTitle = ''
  /** Whether items follow the restored schema back to their earlier categories, or stay. */
  @state() items: 'follow' | 'stay' = 'follow'
  /** Version that was created. */
  @state() made: number | undefined

  #comment = ''
  readonly #acting = new Action(this)

  readonly #plan = new Reading(this, {
    args: () => [this.version?.version, this.present.version, this.items] as const,
    task: (_, { signal }) => this.#send<SchemaPlan>({ dryRun: true }, signal),
  })

  override render() {
    const { version } = this.version ?? {}
    if (this.made !== undefined) return this.#renderMade(this.made)
    const isShared = needsSecondPerson(this.owner)
    const act = isShared ? this.#keep : this.#act
    const asksFirst = version === undefined && !isShared
    const cancelHref = hrefTo(...(version === undefined ? screenOf(this.owner, 'Review') : this.#screenOf(version)))
    return html`<div class="stack">
      <p>${version === undefined ? ofReview('deleteText') : ofHistory('restoreText', { version })}</p>
      ${version === undefined ? nothing : tick(ofHistory('itemsFollowBack'), this.items === 'follow', { onChange: (ticked) => (this.items = ticked ? 'follow' : 'stay') })}
      ${this.#plan.show((plan) => html`<section class="panel">${renderSchemaPlan(plan, this.present, this.version ?? emptySchema)}</section>`)}
      ${textField('', ofReview('comment'), { max: 500, rows: 2, onInput: (event) => (this.#comment = textOf(event)) })}
      ${isShared ? html`<p>${version === undefined ? ofReview('deletionSecondPerson') : ofHistory('secondPerson')}</p>` : nothing}
      <cartulary-bottom-bar>
        <cartulary-problem class="whole" .error=${this.#acting.error}></cartulary-problem>
        <a href=${cancelHref}>${ofReview('cancel')}</a>
        ${button(this.#sayAction(isShared), {
          class: 'end',
          variant: version === undefined ? 'danger' : 'brand',
          disabled: this.#plan.status !== TaskStatus.COMPLETE,
          loading: this.#acting.isRunning,
          onClick: () => (asksFirst ? this.openDialog() : this.#acting.run(act)),
        })}
      </cartulary-bottom-bar>
      ${
        asksFirst
          ? html`<cartulary-dialog-form
              heading=${ofReview('deleteHeading')} action=${ofReview('deleteAction')} danger .typed=${this.ownerTitle} .work=${act}
            ></cartulary-dialog-form>`
          : nothing
      }
    </div>`
  }

  #sayAction(isShared: boolean): string {
    if (!this.version) return ofReview(isShared ? 'deleteAsDraft' : 'deleteSchema')
    return isShared ? ofHistory('restoreAsDraft') : ofHistory('restore', { version: this.version.version })
  }

  #renderMade(made: number) {
    const history = [hrefTo(...screenOf(this.owner, 'History')), ofPublication('toHistory')] as const
    if (this.version) {
      const words = ofPublication('toVersion', { version: made })
      return renderDone(this.#sayDone(made), [[hrefTo(...this.#screenOf(made)), words], history])
    }
    const version = this.present.version ?? 0
    const undo = [
      hrefTo(...this.#screenOf(version), { restore: 'yes' }),
      ofPublication('undoVersion', { version }),
    ] as const
    return renderDone(this.#sayDone(made), [undo, history])
  }

  #sayDone(made: number): string {
    return this.version ? ofHistory('restored', { version: this.version.version, made }) : ofReview('deleted')
  }

  #screenOf(version: number) {
    return screenOf(this.owner, 'Version', { version: String(version) })
  }

  readonly #act = async () => {
    const { version } = await this.#send<{ readonly version?: number }>({ comment: this.#comment.trim() || undefined })
    this.made = version ?? 0
    if (!this.version) this.dispatchEvent(new Event('deleted'))
    announce(this.#sayDone(this.made))
    await this.focusOn('#done')
  }

  readonly #keep = () => {
    const { version: restoredFrom } = this.version ?? {}
    const content = {
      baseVersion: this.present.version,
      comment: this.#comment.trim() || undefined,
      ...(restoredFrom === undefined ? { action: 'delete' } : { action: 'restore', restoredFrom, items: this.items }),
    }
    const name =
      restoredFrom === undefined ? ofReview('deleteHeading') : ofHistory('restore', { version: restoredFrom })
    return keepAsDraft(this.owner, name, content)
  }

  #send<Answer>(more: { readonly dryRun?: true; readonly comment?: string | undefined }, signal?: AbortSignal) {
    const { owner, version, items } = this
    const path = version ? `${schemaPath(owner)}/versions/${version.version}/restore` : deletePath(owner)
    const parameters = { ifVersion: this.present.version, ...more, ...(version && { items }) }
    return post<Answer>(path, parameters, signal)
  }
}

customElements.define('cartulary-revision', Revision)
