import { textField, textOf, tick } from '../elements/fields.ts'
import { Action, announce, button, PageElement, Reading, Screen } from '../elements/page.ts'
import '../files/export/export.ts'
import { html, nothing } from 'lit'
import { hrefTo } from '../navigation/navigation.ts'
import { ownerOf, type SchemaOwner, schemaPath, screenOf } from '../owners/owners.ts'
import type { PresentSchema, SchemaPlan, WholeVersion } from '../schemas/answers.ts'
import { readOwnerTitle, readPresent, readVersion } from '../schemas/requests.ts'
import '../schemas/schema-list.ts'
import { ofHistory as t } from '../texts/rooms.ts'
import { versionNote } from './version-note.ts'
import '../elements/bottom-bar.ts'
import '../schemas/plan-view.ts'
import { TaskStatus } from '@lit/task'
import { property, state } from 'lit/decorators.js'
import { post } from '../session/session.ts'
import { needsSecondPerson } from '../shared-drafts/requests.ts'
import { keepAsDraft } from '../shared-drafts/send-draft.ts'

/** One version of a schema: its tree, its files, and restoring it. `?restore=yes` shows the preview of that. */
class Version extends Screen {
  readonly #version = new Reading(this, {
    args: () => [ownerOf(this.parameters), Number(this.parameters['version'])] as const,
    task: async ([owner, number], { signal }) => {
      const [version, present, title] = await Promise.all([
        readVersion(owner, number, signal),
        readPresent(owner, signal),
        readOwnerTitle(owner, signal),
      ])
      return { version, present, title }
    },
  })

  override render() {
    const owner = ownerOf(this.parameters)
    const version = this.parameters['version'] ?? ''
    // A screen that restores is not that of the version, which another one takes the place of.
    const isRestored = this.query.get('restore') === 'yes'
    return html`<cartulary-heading text=${t(isRestored ? 'restore' : 'versionNumber', { version })} note=${this.#version.value?.title ?? ''}>
        ${button(t('history'), { href: hrefTo(...screenOf(owner, 'History')) })}
      </cartulary-heading>
      ${this.#version.show(({ version, present }) =>
        isRestored
          ? html`<cartulary-restore
                .owner=${owner} .version=${version} .present=${present}
              ></cartulary-restore>`
          : this.#renderVersion(owner, version, present),
      )}`
  }

  #renderVersion(owner: SchemaOwner, whole: WholeVersion, present: PresentSchema) {
    const { version, modified, modifiedBy, comment, moves, categorySchema } = whole
    const isPresent = version === present.version
    const compare = (from: number, to: number) => hrefTo(...screenOf(owner, 'Comparison'), { from, to })
    return html`<div class="stack">
      <section class="panel stack">
        <p>${versionNote({ ...whole, moves: moves.length })} · <bdi>${modifiedBy}</bdi> · <cartulary-moment .value=${modified}></cartulary-moment></p>
        ${comment ? html`<p class="quiet"><bdi>${comment}</bdi></p>` : nothing}
        ${isPresent ? html`<p><strong>${t('isPresent')}</strong></p>` : nothing}
        <div class="row">
          <a href=${compare(version - 1, version)}>${t('whatChanged')}</a>
          ${isPresent ? nothing : html`<a href=${compare(version, present.version ?? 0)}>${t('compareWithPresent')}</a>`}
          ${isPresent ? nothing : button(t('restorePlan'), { icon: 'undo', href: hrefTo(...screenOf(owner, 'Version', { version: String(version) }), { restore: 'yes' }) })}
        </div>
      </section>
      ${
        moves.length > 0
          ? html`<section class="panel stack">
              <h2>${t('declaredMoves')}</h2>
              <ul>${moves.map(({ from, to }) => html`<li>${t('moveFromTo', { from, to })}</li>`)}</ul>
            </section>`
          : nothing
      }
      <div class="sides">
        <section class="panel stack">
          <h2>${t('categories')}</h2>
          <cartulary-schema-list .categories=${categorySchema}></cartulary-schema-list>
        </section>
        <section class="panel stack">
          <h2>${t('export')}</h2>
          <cartulary-export .owner=${owner} .version=${version}></cartulary-export>
        </section>
      </div>
    </div>`
  }
}

customElements.define('cartulary-version', Version)

/** Preview of restoring an earlier version, and the button that does it. */
class Restore extends PageElement {
  @property({ attribute: false }) owner!: SchemaOwner
  @property({ attribute: false }) version!: WholeVersion
  @property({ attribute: false }) present!: PresentSchema
  /** Whether items follow the restored schema back to their earlier categories, or stay. */
  @state() items: 'follow' | 'stay' = 'follow'
  /** Version that was created. */
  @state() made: number | undefined

  #comment = ''
  readonly #restoring = new Action(this)

  readonly #plan = new Reading(this, {
    args: () => [this.version.version, this.items] as const,
    task: (_, { signal }) => this.#send<SchemaPlan>(true, signal),
  })

  override render() {
    const { version } = this.version
    if (this.made !== undefined) return this.#renderMade(this.made)
    const isShared = needsSecondPerson(this.owner)
    return html`<div class="stack">
      <p>${t('restoreText', { version })}</p>
      ${tick(t('itemsFollowBack'), this.items === 'follow', { onChange: (ticked) => (this.items = ticked ? 'follow' : 'stay') })}
      ${this.#plan.show(
        (plan) => html`<section class="panel">
            <cartulary-plan .plan=${plan} .older=${this.present} .newer=${this.version}></cartulary-plan>
          </section>`,
      )}
      ${textField('', t('comment'), { max: 500, rows: 2, onInput: (event) => (this.#comment = textOf(event)) })}
      ${isShared ? html`<p>${t('secondPerson')}</p>` : nothing}
      <cartulary-bottom-bar>
        <cartulary-problem class="whole" .error=${this.#restoring.error}></cartulary-problem>
        <a href=${hrefTo(...screenOf(this.owner, 'Version', { version: String(version) }))}>${t('cancel')}</a>
        ${button(isShared ? t('restoreAsDraft') : t('restore', { version }), { class: 'end', variant: 'brand', disabled: this.#plan.status !== TaskStatus.COMPLETE, loading: this.#restoring.isRunning, onClick: () => this.#restoring.run(isShared ? this.#keep : this.#restore) })}
      </cartulary-bottom-bar>
    </div>`
  }

  #renderMade(made: number) {
    const { version } = this.version
    return html`<wa-callout variant="success"><wa-icon slot="icon" name="check"></wa-icon>
      <div class="stack">
        <strong id="made" tabindex="-1">${t('restored', { version, made })}</strong>
        <div class="row">
          <a href=${hrefTo(...screenOf(this.owner, 'Version', { version: String(made) }))}>${t('versionNumber', { version: made })}</a>
          <a href=${hrefTo(...screenOf(this.owner, 'History'))}>${t('history')}</a>
        </div>
      </div>
    </wa-callout>`
  }

  readonly #restore = async () => {
    const { version } = await this.#send<{ readonly version: number }>(false)
    this.made = version
    announce(t('restored', { version: this.version.version, made: version }))
    await this.focusOn('#made')
  }

  readonly #keep = () => {
    const { version: restoredFrom } = this.version
    const { version: baseVersion } = this.present
    const content = {
      action: 'restore',
      restoredFrom,
      items: this.items,
      baseVersion,
      comment: this.#comment || undefined,
    }
    return keepAsDraft(this.owner, t('restore', { version: restoredFrom }), content)
  }

  #send<Answer>(dryRun: boolean, signal?: AbortSignal): Promise<Answer> {
    const parameters = {
      items: this.items,
      ifVersion: this.present.version,
      comment: this.#comment || undefined,
      dryRun: dryRun || undefined,
    }
    const path = `${schemaPath(this.owner)}/versions/${this.version.version}/restore`
    return post(path, parameters, signal)
  }
}

customElements.define('cartulary-restore', Restore)
