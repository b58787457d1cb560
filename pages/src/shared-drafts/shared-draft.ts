import { field, readFields } from '../elements/fields.ts'
import { Action, announce, button, Reading, Screen } from '../elements/page.ts'
import '../elements/bottom-bar.ts'
import { html, nothing } from 'lit'
import { state } from 'lit/decorators.js'
import { ApiError } from '../api/call.ts'
import { draftPlace, loadDraft } from '../drafts/drafts.ts'
import { PersonSuggestions } from '../forms/person-suggestions.ts'
import { goTo, hrefTo } from '../navigation/navigation.ts'
import { ownerOf, type SchemaOwner, screenOf } from '../owners/owners.ts'
import { type Published, renderPublished } from '../publication/published.ts'
import type { PresentSchema, SchemaPlan } from '../schemas/answers.ts'
import { readOwnerTitle, readPresent } from '../schemas/requests.ts'
import { renderSchemaPlan } from '../schemas/schema-plan.ts'
import { signedIn } from '../session/session.ts'
import { ofPublication, ofSharedDrafts as t } from '../texts/rooms.ts'
import type { WholeDraft } from './answers.ts'
import { changeDraft, mayChangeDrafts, needsSecondPerson, readDraft, type Verb } from './requests.ts'
import { takeUp } from './send-draft.ts'
import { renderNote, renderProposal, renderState } from './state.ts'

/** A draft, and what the person may do with it. */
interface Loaded {
  readonly owner: SchemaOwner
  readonly title: string
  readonly draft: WholeDraft
  readonly present: PresentSchema
  /** Plan of publishing it, or why it would be refused. */
  readonly plan: SchemaPlan | { readonly refusal: unknown }
  readonly mayChange: boolean
}

/** A draft that is kept on the server: who did what with it, what publishing would change, and what can be done next. */
class SharedDraft extends Screen {
  @state() published: Published | undefined

  readonly #publication = new Action(this)
  readonly #opening = new Action(this)
  readonly #people = new PersonSuggestions(this, 'disabled:"false"')

  readonly #loaded = new Reading(this, {
    args: () => [ownerOf(this.parameters), this.parameters['draft'] ?? ''] as const,
    task: async ([owner, id], { signal }): Promise<Loaded> => {
      const [draft, present, title, mayChange] = await Promise.all([
        readDraft(owner, id, signal),
        readPresent(owner, signal),
        readOwnerTitle(owner, signal),
        mayChangeDrafts(owner, signal),
      ])
      return {
        owner,
        title,
        draft,
        present,
        plan: mayChange ? await planOrRefusal(owner, draft, signal) : { refusal: undefined },
        mayChange,
      }
    },
  })

  override render() {
    const owner = ownerOf(this.parameters)
    const { draft, title = '' } = this.#loaded.value ?? {}
    return html`<cartulary-heading text=${draft?.name ?? t('draft')} note=${title}>
        ${button(t('drafts'), { href: hrefTo(...screenOf(owner, 'Drafts')) })}
      </cartulary-heading>
      ${
        this.published
          ? renderPublished(owner, this.published)
          : isGone(this.#loaded.error)
            ? this.#renderGone(owner)
            : this.#loaded.showLatest((loaded) => this.#renderLoaded(loaded))
      }`
  }

  #renderGone(owner: SchemaOwner) {
    return html`<wa-callout variant="neutral" role="alert"><wa-icon slot="icon" name="info"></wa-icon>
      <strong>${t('gone')}</strong>
      <p>${t('goneText')} <a href=${hrefTo(...screenOf(owner, 'History'))}>${ofPublication('toHistory')}</a></p>
    </wa-callout>`
  }

  #renderLoaded(loaded: Loaded) {
    const { draft, plan, present, mayChange } = loaded
    return html`<div class="stack">
      <section class="panel stack" aria-label=${t('state')}>
        <p>${renderState(draft)}</p>
        <p class="quiet">${t('savedBy', { person: draft.modifiedBy })} <cartulary-moment .value=${draft.modified}></cartulary-moment></p>
        ${draft.action === 'assign' ? nothing : html`<p><strong>${draft.action === 'delete' ? t('isDeletion') : t('isRestore', { version: draft.restoredFrom ?? 0 })}</strong></p>`}
        ${draft.comment === null ? nothing : html`<p>${t('comment')}: <bdi>${draft.comment}</bdi></p>`}
      </section>
      ${
        'refusal' in plan
          ? this.#renderRefusal(loaded, plan.refusal)
          : html`<section class="panel stack" aria-labelledby="changes">
          <h2 id="changes">${t('changes')}</h2>
          ${renderSchemaPlan(plan, present, draft)}
        </section>`
      }
      ${mayChange ? this.#renderActions(loaded) : nothing}
    </div>`
  }

  #renderRefusal({ draft, present, mayChange }: Loaded, refusal: unknown) {
    if (!mayChange) return html`<p class="quiet">${t('onlyReading')}</p>`
    if (!(refusal instanceof ApiError && refusal.code === 409)) {
      return html`<div class="stack"><p>${t('notYet')}</p><cartulary-problem .error=${refusal}></cartulary-problem></div>`
    }
    const { version = 0, modifiedBy } = present
    return html`<wa-callout variant="warning"><wa-icon slot="icon" name="warning"></wa-icon>
      <strong>${t('movedOn', { version, base: draft.baseVersion, person: modifiedBy ?? '' })}</strong>
      <p>${t(draft.action === 'assign' ? 'movedOnText' : 'movedOnAgain')}</p>
    </wa-callout>`
  }

  #renderActions(loaded: Loaded) {
    const { owner, draft, plan } = loaded
    const needsSecond = needsSecondPerson(owner)
    const isProposed = draft.state === 'proposed' || draft.state === 'scheduled'
    const username = signedIn()?.username
    const { savers, proposedBy, modifiedBy } = draft
    const isSaved = [...savers, modifiedBy].some((saver) => saver === username)
    const proposes = proposedBy === username
    // A person has to propose what an app saved.
    const isAnswered = proposedBy !== null || savers.includes(modifiedBy)
    const isSecond = isProposed && isAnswered && !isSaved && !proposes
    const canPublish = !('refusal' in plan) && (!needsSecond || isSecond)
    // Who saved a draft that another person has proposed may propose it to that person instead.
    const isProposedAlready = draft.state === 'proposed' && isAnswered && (proposes || !isSaved)
    return html`<cartulary-bottom-bar>
        ${needsSecond && !canPublish ? html`<p class="quiet whole">${t(isProposed ? 'anotherPublishes' : 'proposeFirst')}</p>` : nothing}
        <cartulary-problem class="whole" .error=${this.#publication.error ?? this.#opening.error}></cartulary-problem>
          ${
            canPublish
              ? html`${button(t('publish'), { variant: 'brand', loading: this.#publication.isRunning, onClick: () => this.#publish(loaded) })}
                ${button(t('schedule'), { onClick: () => this.openDialog('#schedule') })}`
              : nothing
          }
          ${
            isProposedAlready
              ? nothing
              : button(t('propose'), {
                  variant: canPublish ? 'neutral' : 'brand',
                  appearance: canPublish ? 'outlined' : 'accent',
                  onClick: () => this.openDialog('#propose'),
                })
          }
          ${isProposed ? button(t('sendBack'), { onClick: () => this.openDialog('#return') }) : nothing}
          ${draft.action === 'assign' ? button(t('openInEditor'), { loading: this.#opening.isRunning, onClick: () => this.#open(loaded) }) : nothing}
          ${button(t('delete'), { class: 'end', appearance: 'plain', onClick: () => this.openDialog('#delete') })}
      </cartulary-bottom-bar>
      ${this.#renderDialogs(loaded)}`
  }

  #renderDialogs({ owner, draft }: Loaded) {
    const change = (verb: Verb) => () => changeDraft(owner, draft, verb, readFields(this.dialogOf(`#${verb}`)))
    const schedule = () => {
      const { at = '' } = readFields(this.dialogOf('#schedule'))
      return changeDraft(owner, draft, 'publish', { publishAt: new Date(at).getTime() })
    }
    const readAgain = (words: string) => () => {
      announce(words)
      void this.#loaded.run()
    }
    const leave = () => {
      announce(t('deleted'))
      goTo(hrefTo(...screenOf(owner, 'Drafts')))
    }
    const publishAt = draft.publishAt === null ? '' : localText(draft.publishAt)
    return html`<cartulary-dialog-form id="propose" heading=${t('proposeHeading')} action=${t('proposeAction')}
        .work=${change('propose')} @done=${readAgain(t('proposed'))}
      >${renderProposal(this.#people)}</cartulary-dialog-form>
      <cartulary-dialog-form id="return" heading=${t('sendBackHeading')} action=${t('sendBackAction')}
        .work=${change('return')} @done=${readAgain(t('sentBack'))}
      >${renderNote(t('why'), true)}</cartulary-dialog-form>
      <cartulary-dialog-form id="schedule" heading=${t('scheduleHeading')} action=${t('scheduleAction')}
        .work=${schedule} @done=${readAgain(t('scheduled'))}
      >
        <p>${t('scheduleText')}</p>
        ${field('at', t('scheduleAt'), { type: 'datetime-local', required: true, min: localText(Date.now()), value: publishAt })}
      </cartulary-dialog-form>
      <cartulary-dialog-form id="delete" danger heading=${t('deleteHeading')} action=${t('delete')}
        .work=${change('delete')} @done=${leave}
      ><p>${t('deleteText')}</p></cartulary-dialog-form>
      <cartulary-dialog-form id="replace" danger heading=${t('replaceHeading')} action=${t('replace')}
        .work=${() => takeUp(owner, draft)} @done=${() => this.#toEditor(owner)}
      ><p>${t('replaceText')}</p></cartulary-dialog-form>`
  }

  async #publish({ owner, draft, present, plan }: Loaded): Promise<void> {
    if ('refusal' in plan) return
    let version = 0
    const isDone = await this.#publication.run(async () => {
      version = (await changeDraft(owner, draft, 'publish')).version ?? 0
    })
    // Another version was published meanwhile, or the draft was changed: both are shown as they are now.
    if (!isDone) return void this.#loaded.run()
    if (loadDraft(owner)?.kept?.id === draft.id) draftPlace(owner).remove()
    this.published = {
      version,
      before: present.version ?? 0,
      moves: plan.impact.moved === 0 ? 0 : 1,
      keepsDraft: false,
    }
    announce(ofPublication('published', { version }))
    await this.focusOn('#done')
  }

  async #open({ owner, draft }: Loaded): Promise<void> {
    const own = loadDraft(owner)
    // Edits that the server has not yet are not overwritten.
    if (own && own.kept?.saved !== own.saved) {
      return own.kept?.id === draft.id ? this.#toEditor(owner) : this.openDialog('#replace')
    }
    if (await this.#opening.run(() => takeUp(owner, draft))) this.#toEditor(owner)
  }

  #toEditor(owner: SchemaOwner): void {
    goTo(hrefTo(...screenOf(owner, 'Schema')))
  }
}

/** Whether the draft was published or deleted meanwhile. */
const isGone = (error: unknown) => error instanceof ApiError && error.code === 404

/** Plan of publishing, which only those are answered who may publish. */
async function planOrRefusal(owner: SchemaOwner, draft: WholeDraft, signal: AbortSignal): Promise<Loaded['plan']> {
  try {
    return await changeDraft<SchemaPlan>(owner, draft, 'publish', { dryRun: true }, signal)
  } catch (error) {
    if (signal.aborted || !(error instanceof ApiError)) throw error
    return { refusal: error }
  }
}

/** `2026-11-28T13:05` in local time, as fields for a moment have it. */
function localText(milliseconds: number): string {
  const local = new Date(milliseconds - new Date(milliseconds).getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}

customElements.define('cartulary-shared-draft', SharedDraft)
