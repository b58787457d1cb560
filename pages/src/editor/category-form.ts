import { css, html, nothing, type PropertyValues } from 'lit'
import { property } from 'lit/decorators.js'
import { live } from 'lit/directives/live.js'
import type { SchemaLimits } from '../../../src/categories/limits.ts'
import { textOf } from '../elements/fields.ts'
import type { IconName } from '../elements/icon-shapes.ts'
import { announce, button, PageElement } from '../elements/page.ts'
import { ofEditor as t } from '../texts/rooms.ts'
import { type Command, command } from './model/command.ts'
import { type Fullness, fullnessOf } from './model/counts.ts'
import type { Finding, Verdict } from './model/judgement.ts'
import { type Place, pathOf, type Step, targetOfStep } from './model/places.ts'
import { findingText } from './status-lines.ts'

/** Steps among its siblings; into another category leads what it is moved to by name. */
const steps = [
  ['up', 'arrow-up'],
  ['down', 'arrow-down'],
] as const satisfies readonly (readonly [Step, IconName])[]

const fields = ['title', 'description'] as const
type Field = (typeof fields)[number]

/** Texts of the selected category, and buttons for its actions. */
export class CategoryForm extends PageElement {
  static override styles = css`
    .field {
      max-width: none;
    }
    textarea {
      min-height: 4.5rem;
    }
    h2 {
      font-size: 1.0625rem;
    }
    .stack {
      gap: 0.625rem;
    }
    [aria-invalid='true'] {
      border-color: var(--wa-color-danger-border-loud);
      border-width: 2px;
    }
  `

  @property({ attribute: false }) place!: Place
  @property({ attribute: false }) verdict: Verdict | undefined
  @property({ attribute: false }) limits!: SchemaLimits
  /** Number of categories that are chosen together, this one among them. */
  @property({ type: Number }) count = 1
  /** Items of the category; undefined if they are not known. */
  @property({ attribute: false }) items: number | undefined
  @property({ type: Boolean, attribute: 'read-only' }) isReadOnly = false

  readonly #announced = new Map<Field, Fullness>()

  override focus(): void {
    this.renderRoot.querySelector<HTMLInputElement>('#title')?.focus()
  }

  /** Announces the remaining characters of a field only when few or none are left, not at each letter. */
  protected override updated(changed: PropertyValues<this>): void {
    const isOther = (changed.get('place') as Place | undefined)?.node.key !== this.place.node.key
    for (const field of fields) {
      const { fullness, words } = this.#measure(field)
      if (!isOther && fullness !== this.#announced.get(field) && fullness !== 'free') announce(`${t(field)}: ${words}`)
      this.#announced.set(field, fullness)
    }
  }

  override render() {
    const { node } = this.place
    if (this.count > 1) {
      return html`<div class="stack">
        <h2>${t('chosen', { count: this.count })}</h2>
        ${this.isReadOnly ? nothing : this.#renderTogether()}
      </div>`
    }
    return html`<div class="stack">
      <div>
        <h2>${node.title || node.source || t('untitled')}</h2>
        <p class="quiet path"><bdi>${pathOf(this.place)}</bdi>${this.items === undefined ? nothing : html` · ${t('items', { count: this.items })}`}</p>
      </div>
      ${this.#renderField('title')} ${this.#renderField('description')}
      ${node.source === undefined ? nothing : html`<p class="quiet">${t('source', { source: node.source })}</p>`}
      ${this.#renderFindings('others', this.verdict?.others ?? [])}
      ${this.isReadOnly ? nothing : this.#renderActions()}
    </div>`
  }

  #renderField(field: Field) {
    const { key, [field]: value = '' } = this.place.node
    const { fullness, words } = this.#measure(field)
    const { [field]: findings = [], unseen = [] } = this.verdict ?? {}
    const onInput = (event: Event) => command(this, { do: 'change', key, texts: { [field]: textOf(event) } })
    const end = this.#send({ do: 'endTyping' })
    return html`<div class="field">
      <label for=${field}><strong>${t(field)}</strong></label>
      ${
        field === 'title'
          ? html`<input
              id="title" name="title" dir="auto" autocomplete="off" .value=${live(value)} ?readonly=${this.isReadOnly}
              aria-invalid=${String(findings.length > 0)} aria-describedby="title-count title-problems"
              @input=${onInput} @blur=${end}
            >`
          : html`<textarea
              id="description" name="description" dir="auto" rows="2" .value=${live(value)} ?readonly=${this.isReadOnly}
              aria-invalid=${String(findings.length > 0)} aria-describedby="description-count description-problems"
              @input=${onInput} @blur=${end}
            ></textarea>`
      }
      <small id="${field}-count" class=${fullness}>${words}</small>
      ${this.#renderFindings(field, findings)}
      ${field === 'title' && unseen.length > 0 ? html`<small class="near" role="status">${t('unseen', { characters: unseen.join(', ') })}</small>` : nothing}
    </div>`
  }

  #measure(field: Field) {
    const used = this.place.node[field]?.length ?? 0
    const max = this.limits[`${field}Length`]
    const words = used > max ? t('charactersOver', { over: used - max, max }) : t('characters', { used, max })
    return { fullness: fullnessOf(used, max), words }
  }

  readonly #send = (detail: Command) => () => command(this, detail)

  #renderFindings(id: string, findings: readonly Finding[]) {
    return html`<div id="${id}-problems">${
      findings.length === 0
        ? nothing
        : html`<ul class=${id === 'others' ? 'warnings' : 'problem'}>${findings.map((finding) => html`<li>${findingText(finding)}</li>`)}</ul>`
    }</div>`
  }

  #renderActions() {
    const { key } = this.place.node
    return html`<div class="row" role="group" aria-label=${t('moveBy')}>
        ${steps.map(
          ([step, icon]) => html`<wa-button
            size="s" appearance="outlined" data-step=${step} ?disabled=${targetOfStep(this.place, step) === undefined}
            @click=${this.#send({ do: 'step', key, step })}
          ><wa-icon name=${icon} label=${t(`step_${step}`)}></wa-icon></wa-button>`,
        )}
        ${button(t('duplicate'), { icon: 'copy', size: 's', onClick: this.#send({ do: 'duplicate', key }) })}
      </div>
      ${this.#renderTogether()}`
  }

  /** Buttons for what several categories can have done together. */
  #renderTogether() {
    const { key } = this.place.node
    // The second press of a double click would hit the category that is selected next.
    const remove = (event: MouseEvent) => {
      if (event.detail < 2) command(this, { do: 'remove', key })
    }
    return html`<div class="row">
        ${button(t('moveTo'), { size: 's', onClick: this.#send({ do: 'moveTo' }) })}
        ${button(t('mergeInto'), { size: 's', onClick: this.#send({ do: 'mergeInto', mode: 'whole' }) })}
      </div>
      <div class="row">
        ${button(t('delete'), { icon: 'trash', variant: 'danger', appearance: 'outlined', size: 's', onClick: remove })}
        ${button(t('giveItems'), { appearance: 'plain', size: 's', onClick: this.#send({ do: 'mergeInto', mode: 'items' }) })}
      </div>`
  }
}

customElements.define('cartulary-category-form', CategoryForm)
