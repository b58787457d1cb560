import { html, nothing } from 'lit'
import { state } from 'lit/decorators.js'
import { tick } from '../elements/fields.ts'
import { startOf } from '../elements/lists/page-parts.ts'
import { renderPager, renderTable } from '../elements/lists/table.ts'
import { button, Reading, Screen } from '../elements/page.ts'
import { goTo, hrefTo } from '../navigation/navigation.ts'
import { ownerOf, type SchemaOwner, screenOf } from '../owners/owners.ts'
import type { SchemaVersion, VersionList } from '../schemas/answers.ts'
import { listVersions, readOwnerTitle } from '../schemas/requests.ts'
import { ofHistory as t } from '../texts/rooms.ts'
import { versionNote } from './version-note.ts'

/** Versions of a schema, newest first: author, time and comment; two of them can be chosen for comparison. */
class History extends Screen {
  @state() older: number | undefined
  @state() newer: number | undefined

  readonly #versions = new Reading(this, {
    args: () => [ownerOf(this.parameters), startOf(this.query)] as const,
    task: async ([owner, start], { signal }) => {
      const [list, title] = await Promise.all([listVersions(owner, start, signal), readOwnerTitle(owner, signal)])
      const [newest, before] = list.versions
      this.newer = newest?.version
      this.older = before?.version
      return { list, title }
    },
  })

  get #owner(): SchemaOwner {
    return ownerOf(this.parameters)
  }

  override render() {
    return html`<cartulary-heading text=${t('history')} note=${this.#versions.value?.title ?? ''}>
        ${button(t('toSchema'), { href: hrefTo(...screenOf(this.#owner, 'Schema')) })}
      </cartulary-heading>
      ${this.#versions.show(({ list }) =>
        list.total === 0
          ? html`<cartulary-empty icon="history" heading=${t('noVersions')} text=${t('noVersionsText')}></cartulary-empty>`
          : this.#renderList(list),
      )}`
  }

  #renderList(list: VersionList) {
    const { versions, start, total, num } = list
    return html`<form class="stack" @submit=${this.#compare}>
      <div class="row">
        <span class="quiet">${t('shownOf', { first: start, last: start + versions.length - 1, total })}</span>
        ${button(t('compareChosen'), { class: 'end', type: 'submit', variant: 'brand', disabled: this.older === this.newer })}
      </div>
      <div class="scroll">${renderTable(versions, [
        [t('version'), ({ version }) => html`<a href=${this.#hrefOf(version)}>${t('versionNumber', { version })}</a>`],
        [t('when'), ({ modified }) => html`<cartulary-moment .value=${modified}></cartulary-moment>`],
        [t('who'), ({ modifiedBy }) => html`<bdi>${modifiedBy}</bdi>`],
        [t('what'), renderNote],
        [t('size'), ({ trees, categories }) => t('schemaSize', { trees, categories })],
        [t('older'), ({ version }) => this.#renderChoice('older', version)],
        [t('newer'), ({ version }) => this.#renderChoice('newer', version)],
      ])}</div>
      ${renderPager(list, { num, previous: t('newerVersions'), next: t('olderVersions'), withoutRange: true })}
    </form>`
  }

  #hrefOf(version: number): string {
    return hrefTo(...screenOf(this.#owner, 'Version', { version: String(version) }))
  }

  #renderChoice(side: 'older' | 'newer', version: number) {
    const words = html`<span class="visually-hidden">${t(`${side}Version`, { version })}</span>`
    const choose = () => {
      this[side] = version
    }
    return tick(words, this[side] === version, { type: 'radio', name: side, value: String(version), onChange: choose })
  }

  #compare(event: Event): void {
    event.preventDefault()
    if (this.older === undefined || this.newer === undefined || this.older === this.newer) return
    goTo(hrefTo(...screenOf(this.#owner, 'Comparison'), { from: this.older, to: this.newer }))
  }
}

function renderNote(version: SchemaVersion) {
  const { comment } = version
  return html`<div>${versionNote(version)}${comment ? html`<div class="quiet"><bdi>${comment}</bdi></div>` : nothing}</div>`
}

customElements.define('cartulary-history', History)
