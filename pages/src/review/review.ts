import { choice, textField, textOf } from '../elements/fields.ts'
import { Action, announce, button, Screen } from '../elements/page.ts'
import '../elements/bottom-bar.ts'
import { renderSchemaPlan } from '../schemas/schema-plan.ts'
import './conflict.ts'
import './revision.ts'
import { Task } from '@lit/task'
import { html, nothing } from 'lit'
import { state } from 'lit/decorators.js'
import type { Move } from '../../../src/categories/moves.ts'
import type { Draft } from '../drafts/draft-store.ts'
import { draftPlace, loadDraft } from '../drafts/drafts.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { ownerOf, type SchemaOwner, screenOf } from '../owners/owners.ts'
import { type Published, renderPublished } from '../publication/published.ts'
import type { PresentSchema } from '../schemas/answers.ts'
import { may } from '../session/session.ts'
import type { KeepDraft } from '../shared-drafts/keep-draft.ts'
import '../shared-drafts/keep-draft.ts'
import { needsSecondPerson } from '../shared-drafts/requests.ts'
import { discardDraft } from '../shared-drafts/send-draft.ts'
import { renderEnded } from '../shared-drafts/state.ts'
import { ofSharedDrafts as ofDrafts, ofPublication, ofReview as t } from '../texts/rooms.ts'
import { isSame, isUnedited, loadReview, type Planned, publish, type Reviewed } from './publishing.ts'
import { renderSuggestions } from './suggestions.ts'

/**
 * Preview of publishing the draft. If another version was published meanwhile, both sides are shown
 * and merged first. `?delete=yes` shows the preview of deleting the whole schema.
 */
class Review extends Screen {
  @state() published: Published | undefined
  /** Draft before it was merged with theirs. */
  @state() replaced: Draft | undefined
  /** Version that was deleted here. */
  @state() deleted: number | undefined

  readonly #loaded = new Task(this, {
    args: () => [ownerOf(this.parameters)] as const,
    task: ([owner], { signal }) => {
      this.#watch(owner)
      return loadReview(owner, signal)
    },
  })

  readonly #publication = new Action(this)
  #stopWatching = () => {}

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    this.#stopWatching()
  }

  /** Plans again when another tab edits the draft that is shown. */
  #watch(owner: SchemaOwner): void {
    this.#stopWatching()
    this.#stopWatching = draftPlace(owner).watch(() => {
      const shown = this.#loaded.value?.draft
      if (!this.#publication.isRunning && !this.published && shown && shown.saved !== loadDraft(owner)?.saved)
        this.#reload()
    })
  }

  override render() {
    const owner = ownerOf(this.parameters)
    const deletes = this.query.get('delete') === 'yes'
    return html`<cartulary-heading text=${deletes ? t(this.deleted !== undefined && this.deleted === this.#loaded.value?.present.version ? 'deleted' : 'deleteHeading') : t('review')} note=${this.#loaded.value?.title ?? ''}>
        ${button(t('toEditor'), { href: hrefTo(...screenOf(owner, 'Schema')) })}
      </cartulary-heading>
      ${
        this.published
          ? renderPublished(owner, this.published)
          : this.#loaded.render({
              // The shown plan stays while it is planned again: with its fields, and with the focus.
              pending: () =>
                this.#loaded.value?.owner === owner
                  ? this.#renderLoaded(this.#loaded.value, deletes)
                  : html`<cartulary-loading></cartulary-loading>`,
              error: (error) => html`<div class="stack">
                <cartulary-problem .error=${error} can-retry @retry=${this.#reload}></cartulary-problem>
                ${loadDraft(owner) ? html`<p>${t('draftIsKept')}</p>` : nothing}
              </div>`,
              complete: (loaded) => this.#renderLoaded(loaded, deletes),
            })
      }`
  }

  #renderLoaded(loaded: Reviewed, deletes: boolean) {
    if (!deletes) return this.#renderReview(loaded)
    const { owner, present, title } = loaded
    return html`<cartulary-revision .owner=${owner} .present=${present} .ownerTitle=${title} @deleted=${() => (this.deleted = present.version)}></cartulary-revision>`
  }

  #renderReview({ owner, present, draft, planned, ended }: Reviewed) {
    if (!draft) {
      return html`${renderEnded(owner, ended)}
        <cartulary-empty icon="check" heading=${t('noDraft')} text=${t('noDraftText')}>
          ${button(t('toEditor'), { href: hrefTo(...screenOf(owner, 'Schema')) })}
        </cartulary-empty>
        ${this.#renderDeleteLink(owner, present)}`
    }
    if (isSame(draft, present)) {
      return html`<cartulary-empty icon="check" heading=${t('nothingToPublish')} text=${t('nothingToPublishText', { version: present.version ?? 0 })}>
          ${button(t('removeDraft'), { onClick: () => this.#forget(owner) })}
        </cartulary-empty>
        ${this.#renderDeleteLink(owner, present)}`
    }
    if (!planned) {
      return html`<cartulary-conflict
        .owner=${owner} .draft=${draft} .present=${present} @resolved=${this.#resolve}
      ></cartulary-conflict>`
    }
    return this.#renderPlan(owner, present, draft, planned)
  }

  /** Renders the question only if there are such items, or they were not counted. */
  #renderVanishing(draft: Draft) {
    return choice(
      'vanishing',
      t('vanishing'),
      ['keep', 'refuse', 'clear'] as const,
      (each) => t(`vanishing_${each}`),
      draft.vanishing ?? 'keep',
      { onChange: (vanishing) => this.#update({ vanishing }, true) },
    )
  }

  #renderPlan(owner: SchemaOwner, present: PresentSchema, draft: Draft, { plan, declared }: Planned) {
    const isShared = needsSecondPerson(owner)
    return html`<div class="stack">
      ${
        this.replaced
          ? html`<wa-callout variant="success"><wa-icon slot="icon" name="check"></wa-icon>
              <div class="row">
                <span>${t('putTogether', { version: draft.baseVersion })}</span>
                ${button(t('takeBack'), { size: 's', onClick: this.#takeBack })}
              </div>
            </wa-callout>`
          : nothing
      }
      <section class="panel stack" aria-labelledby="changes">
        <h2 id="changes" tabindex="-1">${t('changes')}</h2>
        ${renderSchemaPlan(plan, present, draft)}
      </section>
      ${renderSuggestions(plan.suggestions, declared, this.#takeMoves)}
      <section class="panel stack" aria-labelledby="publish">
        <h2 id="publish">${t('publishHeading')}</h2>
        ${isShared ? html`<p>${ofDrafts('proposeFirst')}</p>` : nothing}
        ${plan.impact.vanishing === 0 ? nothing : this.#renderVanishing(draft)}
        ${textField('comment', t('comment'), { max: 500, rows: 2, value: draft.comment ?? '', follows: true, onInput: (event) => this.#update({ comment: textOf(event) }, false) })}
      </section>
      ${this.#renderDeleteLink(owner, present)}
      <cartulary-bottom-bar>
        <cartulary-problem class="whole" .error=${this.#publication.error} can-retry @retry=${this.#publish}></cartulary-problem>
        ${this.#publication.error === undefined ? nothing : html`<p class="whole">${t('draftIsKept')}</p>`}
        ${button(t('discard'), { appearance: 'plain', onClick: () => this.openDialog() })}
        <cartulary-keep-draft class="end" proposes ?primary=${isShared} .owner=${owner} .draft=${draft}></cartulary-keep-draft>
        ${isShared ? nothing : button(t('publish'), { variant: 'brand', loading: this.#publication.isRunning, onClick: this.#publish })}
      </cartulary-bottom-bar>
      <cartulary-dialog-form
        heading=${t('discardHeading')} action=${t('discardAction')} danger
        .work=${() => this.#forget(owner)}
      ><p>${t('discardText')}</p></cartulary-dialog-form>
    </div>`
  }

  #renderDeleteLink(owner: SchemaOwner, present: PresentSchema) {
    // Only default administrators may delete the schema of the organization.
    const mayDelete = owner.kind === 'group' || may('deletePortalCategorySchema')
    if (present.categorySchema.length === 0 || !mayDelete) return nothing
    return html`<p class="no-print"><a href=${hrefTo(...screenOf(owner, 'Review'), { delete: 'yes' })}>${t('deleteSchema')}</a></p>`
  }

  readonly #reload = () => void this.#reloadTo(undefined)

  /** Loads again, and moves the focus to an element of the result, as the focused one may be gone. */
  async #reloadTo(selector: string | undefined): Promise<void> {
    this.#publication.forget()
    await this.#loaded.run()
    if (selector === undefined) return
    await this.updateComplete
    const heading = this.renderRoot.querySelector<HTMLElement>('cartulary-heading')
    ;(this.renderRoot.querySelector<HTMLElement>(selector) ?? heading)?.focus()
  }

  get #saver(): KeepDraft | null {
    return this.renderRoot.querySelector<KeepDraft>('cartulary-keep-draft')
  }

  async #forget(owner: SchemaOwner): Promise<void> {
    await this.#saver?.stop()
    await discardDraft(owner)
    this.replaced = undefined
    announce(t('discarded'))
    void this.#reloadTo('cartulary-heading')
  }

  /** Stores the input of the person in the draft; plans again if the plan depends on it. */
  #update(more: Partial<Draft>, plansAgain: boolean): void {
    const owner = ownerOf(this.parameters)
    const draft = loadDraft(owner)
    if (!draft) return
    // It is to be sent again.
    draftPlace(owner).save({ ...draft, ...more, kept: draft.kept && { ...draft.kept, saved: 0 } })
    if (plansAgain) this.#reload()
  }

  readonly #takeMoves = (moves: readonly Move[], words?: string) => {
    if (words !== undefined) announce(words)
    // The used button is removed.
    this.renderRoot.querySelector<HTMLElement>('#suggestions')?.focus()
    this.#update({ moves }, true)
  }

  #resolve({ detail }: CustomEvent<Draft>): void {
    const owner = ownerOf(this.parameters)
    this.replaced = loadDraft(owner)
    draftPlace(owner).save(detail)
    void this.#reloadTo('#changes')
  }

  readonly #takeBack = () => {
    if (this.replaced) draftPlace(ownerOf(this.parameters)).save(this.replaced)
    this.replaced = undefined
    void this.#reloadTo('cartulary-conflict')
  }

  readonly #publish = async () => {
    const loaded = this.#loaded.value
    if (!loaded?.planned) return
    const { owner, present, planned } = loaded
    const stored = loadDraft(owner)
    if (!stored || !isUnedited(planned.draft, stored)) {
      this.#reload()
      return
    }
    await this.#publication.run(async () => {
      const sent = (await this.#saver?.save()) ?? 'unreachable'
      if (sent === 'unreachable') throw new Error(ofDrafts('unreachable'))
      // Another person has saved it: which of both is published is chosen above the button.
      if (typeof sent === 'object' && 'savedBy' in sent) return
      const kept = typeof sent === 'object' && 'kept' in sent ? sent.kept : undefined
      // The comment does not affect the plan: the stored one is used.
      const version = await publish(owner, present, planned, { comment: stored.comment, kept })
      if (version === undefined) {
        announce(t('conflictAnnounced'))
        await this.#reloadTo('cartulary-conflict')
      } else await this.#finish(owner, version, loaded, kept !== undefined)
    })
  }

  async #finish(owner: SchemaOwner, version: number, loaded: Reviewed, isGone: boolean): Promise<void> {
    const { present: before, planned } = loaded
    const moves = planned?.plan.impact.moved === 0 ? 0 : 1
    // Edits of another tab are not published, and their draft is kept.
    const stored = loadDraft(owner)
    const keepsDraft = stored !== undefined && planned !== undefined && !isUnedited(planned.draft, stored)
    if (!keepsDraft) await (isGone ? draftPlace(owner).remove() : discardDraft(owner))
    this.replaced = undefined
    this.published = { version, before: before.version ?? 0, moves, keepsDraft }
    announce(ofPublication('published', { version }))
    await this.focusOn('#done')
  }
}

customElements.define('cartulary-review', Review)
