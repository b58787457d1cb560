import { announce, button, PageElement, Reading } from '../elements/page.ts'
import '../elements/bottom-bar.ts'
import '../schemas/difference.ts'
import { html, nothing } from 'lit'
import { property, state } from 'lit/decorators.js'
import { diffSchemas } from '../../../src/categories/diff/diff.ts'
import { type MergeInput, mergeSchemas, type Question } from '../../../src/categories/merge/merge.ts'
import type { Choice } from '../../../src/categories/merge/side.ts'
import type { Move } from '../../../src/categories/moves.ts'
import type { CategorySchema } from '../../../src/categories/schema.ts'
import type { Draft } from '../drafts/draft-store.ts'
import { movesToPublish } from '../drafts/moves-to-publish.ts'
import { tick } from '../elements/fields.ts'
import type { SchemaOwner } from '../owners/owners.ts'
import type { PresentSchema } from '../schemas/answers.ts'
import { compareVersions, readSchema } from '../schemas/requests.ts'
import { renderSchemaList } from '../schemas/schema-list.ts'
import { ofReview as t } from '../texts/rooms.ts'
import { inputOf, putTogether, replaceTheirs } from './resolving.ts'

interface Sides {
  readonly base: CategorySchema
  readonly theirMoves: readonly Move[]
}

/**
 * Conflict of two persons' changes to one schema, shown with the common base. Emits `resolved` with the resulting draft: both
 * merged, or the one of the person replacing theirs; this does not publish it.
 */
class Conflict extends PageElement {
  @property({ attribute: false }) owner!: SchemaOwner
  @property({ attribute: false }) draft!: Draft
  @property({ attribute: false }) present!: PresentSchema
  @state() choices: ReadonlyMap<string, Choice> = new Map()
  @state() asksForAnswers = false

  override focus(): void {
    this.renderRoot.querySelector<HTMLElement>('#conflict')?.focus()
  }

  readonly #sides = new Reading(this, {
    args: () => [this.draft.baseVersion, this.present.version ?? 0] as const,
    task: async ([from, to], { signal }): Promise<Sides> => {
      const [base, diff] = await Promise.all([
        readSchema(this.owner, from, signal),
        compareVersions(this.owner, from, to, signal),
      ])
      return { base, theirMoves: diff.moves }
    },
  })

  override render() {
    const { version = 0, modifiedBy, modified, comment } = this.present
    return html`<div class="stack">
      <wa-callout variant="warning"><wa-icon slot="icon" name="warning"></wa-icon>
        <strong id="conflict" tabindex="-1">${t('conflict', { version, base: this.draft.baseVersion })}</strong>
        <p><bdi>${modifiedBy ?? nothing}</bdi> ${modified == null ? nothing : html`· <cartulary-moment .value=${modified}></cartulary-moment>`}</p>
        ${comment ? html`<p><bdi>${comment}</bdi></p>` : nothing}
        <p>${t('conflictText')}</p>
      </wa-callout>
      ${this.#sides.show((sides) => this.#renderSides(sides))}
    </div>`
  }

  #renderSides({ base, theirMoves }: Sides) {
    const { draft, present } = this
    const moves = movesToPublish(base, draft)
    const input = inputOf({ base, theirs: present, theirMoves, choices: this.choices }, draft, moves.declared)
    const { questions } = mergeSchemas(input)
    const theirChanges = diffSchemas(base, present, theirMoves).changes
    const myChanges = diffSchemas(base, draft, moves.all).changes
    return html`<div class="sides">
        <section class="panel stack">
          <h2>${t('theirs', { version: present.version ?? 0 })}</h2>
          <cartulary-difference .older=${base} .newer=${present} .changes=${theirChanges}></cartulary-difference>
        </section>
        <section class="panel stack">
          <h2>${t('mine')}</h2>
          <cartulary-difference .older=${base} .newer=${draft} .changes=${myChanges}></cartulary-difference>
        </section>
      </div>
      ${
        questions.length === 0
          ? nothing
          : html`<section class="panel stack" aria-labelledby="merge">
              <h2 id="merge">${t('mergeHeading')}</h2>
              ${questions.map((question) => this.#renderQuestion(question))}
            </section>`
      }
      <details class="panel">
        <summary>${t('base', { version: draft.baseVersion })}</summary>
        ${renderSchemaList(base.categorySchema)}
      </details>
      <section class="panel stack" aria-labelledby="overwrite">
        <h2 id="overwrite">${t('overwriteHeading')}</h2>
        <p>${t('overwriteText', { version: present.version ?? 0 })}</p>
        <div class="row">
          ${button(t('overwrite'), { onClick: () => this.#resolve(replaceTheirs(input, draft)) })}
        </div>
      </section>
      <cartulary-bottom-bar>
        <p class="words">${
          this.asksForAnswers
            ? html`<strong role="alert">${t('answerFirst')}</strong>`
            : questions.length === 0
              ? t('mergeWithoutQuestions')
              : t('mergeWithQuestions', { count: questions.length })
        }</p>
        ${button(t('merge'), { class: 'end', variant: 'brand', onClick: () => this.#merge(input, questions) })}
      </cartulary-bottom-bar>`
  }

  #renderQuestion({ id, kind, path, base, theirs, mine }: Question) {
    const name = `question ${id}`
    const words = (text: string | null) =>
      kind === 'removed' ? (text === null ? t('isRemoved') : t('isKept', { path: text })) : (text ?? t('none'))
    const choose = (choice: Choice, text: string | null) =>
      tick(
        html`${t(choice === 'theirs' ? 'asTheirs' : 'asMine')} <strong>${words(text)}</strong>`,
        this.choices.get(id) === choice,
        { type: 'radio', name: name, onChange: () => this.#choose(id, choice) },
      )
    return html`<fieldset class="panel">
      <legend>${t(`question_${kind}`, { path: path || '/' })}</legend>
      ${kind === 'removed' ? nothing : html`<p class="quiet">${t('asBefore')} <bdi>${words(base)}</bdi></p>`}
      ${choose('theirs', theirs)} ${choose('mine', mine)}
    </fieldset>`
  }

  #choose(id: string, choice: Choice): void {
    this.choices = new Map([...this.choices, [id, choice]])
    this.asksForAnswers = false
  }

  #merge(input: MergeInput, questions: readonly Question[]): void {
    const open = questions.findIndex(({ id }) => !this.choices.has(id))
    if (open >= 0) {
      this.asksForAnswers = true
      this.renderRoot.querySelectorAll('fieldset')[open]?.querySelector('input')?.focus()
      return
    }
    announce(t('merged'))
    this.#resolve(putTogether(input, this.draft))
  }

  #resolve(more: Partial<Draft>): void {
    const draft: Draft = { ...this.draft, ...more, baseVersion: this.present.version ?? 0, saved: Date.now() }
    this.dispatchEvent(new CustomEvent('resolved', { detail: draft }))
  }
}

customElements.define('cartulary-conflict', Conflict)
