import { css, html, nothing, type PropertyValues } from 'lit'
import { property } from 'lit/decorators.js'
import type { Draft } from '../drafts/draft-store.ts'
import { draftPlace, loadDraft } from '../drafts/drafts.ts'
import { readFields } from '../elements/fields.ts'
import { announce, button, PageElement } from '../elements/page.ts'
import { PersonSuggestions } from '../forms/person-suggestions.ts'
import { goTo, hrefTo } from '../navigation/navigation.ts'
import { type SchemaOwner, screenOf } from '../owners/owners.ts'
import { ofSharedDrafts as t } from '../texts/rooms.ts'
import { changeDraft, updateDraft } from './requests.ts'
import { DraftSaving, type KeptNow, type Sent } from './saving.ts'
import { removeKept, sendDraft } from './send-draft.ts'
import { renderProposal } from './state.ts'

const later = (work: () => void, milliseconds: number) => {
  // A tab that is not seen leaves saving to the one that is.
  const timer = setTimeout(work, document.hidden ? milliseconds * 10 : milliseconds)
  return () => clearTimeout(timer)
}

/**
 * Saves the draft of this browser on the server by itself, and says where it is. Another person may have saved it meanwhile: then
 * both stay, and the person chooses. With `proposes`, it can be proposed.
 */
export class KeepDraft extends PageElement {
  static override styles = css`
    :host {
      display: contents;
    }
    /* The line that it is in stays one. */
    .row {
      flex-wrap: nowrap;
      min-width: 0;
      max-width: 100%;
    }
    :host(.end) .row {
      margin-inline-start: auto;
    }
    /* A link alone takes the room that is left in its line. */
    :host(:not(.end)) .row {
      flex: 1 1 8rem;
    }
    :host(:not(.end)) .row > :is(a, span) {
      min-width: 0;
      overflow: hidden;
      white-space: nowrap;
      text-overflow: ellipsis;
    }
    .whole {
      flex-basis: 100%;
    }
  `

  @property({ attribute: false }) owner!: SchemaOwner
  @property({ attribute: false }) draft!: Draft
  @property({ type: Boolean }) proposes = false
  /** Whether proposing is what decides on its screen. */
  @property({ type: Boolean }) primary = false

  readonly #people = new PersonSuggestions(this, 'disabled:"false"')
  #saving: DraftSaving | undefined

  protected override willUpdate(changed: PropertyValues<this>): void {
    if (changed.has('owner')) {
      const { owner } = this
      const server = {
        send: (draft: Draft) => sendDraft(owner, draft),
        remove: (kept: KeptNow) => removeKept(owner, kept),
      }
      this.#saving = new DraftSaving(draftPlace(owner), server, later, () => this.requestUpdate())
    }
    this.#saving?.ask(this.#present)
  }

  override connectedCallback(): void {
    super.connectedCallback()
    window.addEventListener('online', this.#saveNow)
  }

  /** Another screen goes on with it, or the next visit does. */
  override disconnectedCallback(): void {
    super.disconnectedCallback()
    window.removeEventListener('online', this.#saveNow)
    void this.#saving?.stop()
  }

  /** Waits for what is being sent, and sends nothing more. */
  async stop(): Promise<void> {
    await this.#saving?.stop()
  }

  readonly #saveNow = () => void this.#saving?.now(this.#present)

  /** The draft with what is known of it on the server. */
  get #present(): Draft {
    const stored = loadDraft(this.owner)
    return stored?.saved === this.draft.saved ? stored : this.draft
  }

  override render() {
    const { kept } = this.#present
    const { state = 'saved' } = this.#saving ?? {}
    const link =
      kept &&
      html`<a href=${hrefTo(...screenOf(this.owner, 'Draft', { draft: kept.id }))}>${t('keptAs', { name: kept.name })}</a>`
    return html`<div class="row">
        ${state === 'unreachable' ? html`<span role="status">${t('unreachable')}</span>` : link}
        ${
          this.proposes
            ? button(t('propose'), {
                variant: this.primary ? 'brand' : 'neutral',
                appearance: this.primary ? 'accent' : 'outlined',
                onClick: () => this.openDialog(),
              })
            : nothing
        }
      </div>
      ${state === 'gone' ? html`<p class="whole" role="status">${t('goneMeanwhile')}</p>` : nothing}
      ${
        typeof state === 'object' && 'savedBy' in state
          ? html`<wa-callout class="whole" variant="warning" role="alert"><wa-icon slot="icon" name="warning"></wa-icon>
              <p>${t('savedByOther', { name: kept?.name ?? '', person: state.savedBy })}</p>
              <div class="row">
                ${button(t('keepAsOther'), { variant: 'brand', size: 's', onClick: () => this.#saving?.saveAsOther(this.#present) })}
                ${link}
              </div>
            </wa-callout>`
          : nothing
      }
      <cartulary-problem class="whole" .error=${typeof state === 'object' && 'refusal' in state ? state.refusal : undefined}></cartulary-problem>
      ${
        this.proposes
          ? html`<cartulary-dialog-form heading=${t('proposeHeading')} action=${t('proposeAction')} .work=${this.#propose} @done=${this.#finish}
              >${renderProposal(this.#people, kept?.name ?? '')}</cartulary-dialog-form>`
          : nothing
      }`
  }

  /** Saves what is not on the server yet; returns how that ended. */
  async save(): Promise<Sent> {
    // A comment that is typed since the draft was shown changes nothing else on the screen.
    await this.#saving?.now(this.#present)
    const { state = 'saved' } = this.#saving ?? {}
    const kept = loadDraft(this.owner)?.kept
    if (state === 'saving' || state === 'saved') return kept ? { kept } : 'unreachable'
    return state
  }

  /** Saves it with its name, and proposes it. */
  readonly #propose = async () => {
    const sent = await this.save()
    if (typeof sent === 'object' && 'refusal' in sent) throw sent.refusal
    if (typeof sent !== 'object' || !('kept' in sent)) throw new Error(t('unreachable'))
    const { kept } = sent
    const { name = '', ...proposal } = readFields(this.dialogOf())
    const revision =
      name === kept.name ? kept.revision : (await updateDraft(this.owner, kept, { name: name.trim() })).revision
    await changeDraft(this.owner, { id: kept.id, revision }, 'propose', proposal)
    const draft = loadDraft(this.owner)
    if (draft?.kept) draftPlace(this.owner).save({ ...draft, kept: { ...draft.kept, name, revision } })
  }

  #finish(): void {
    const id = loadDraft(this.owner)?.kept?.id
    if (id === undefined) return
    announce(t('proposed'))
    goTo(hrefTo(...screenOf(this.owner, 'Draft', { draft: id })))
  }
}

customElements.define('cartulary-keep-draft', KeepDraft)
