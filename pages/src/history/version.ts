import '../files/export/export.ts'
import '../review/revision.ts'
import { html, nothing } from 'lit'
import { button, Reading, Screen } from '../elements/page.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { ownerOf, type SchemaOwner, screenOf } from '../owners/owners.ts'
import type { PresentSchema, WholeVersion } from '../schemas/answers.ts'
import { readOwnerTitle, readPresent, readVersion } from '../schemas/requests.ts'
import { renderSchemaList } from '../schemas/schema-list.ts'
import { ofHistory as t } from '../texts/rooms.ts'
import { versionNote } from './version-note.ts'

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
          ? html`<cartulary-revision .owner=${owner} .version=${version} .present=${present}></cartulary-revision>`
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
          ${renderSchemaList(categorySchema)}
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
