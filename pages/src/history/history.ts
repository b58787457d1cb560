import '@awesome.me/webawesome/dist/components/button/button.js'
import '../elements/heading.ts'
import '../elements/moment.ts'
import '../elements/problem.ts'
import '../elements/states.ts'
import '../elements/lists/pager.ts'
import { Task } from '@lit/task'
import { css, html, nothing } from 'lit'
import { fieldStyle } from '../elements/field-style.ts'
import { stackedTable } from '../elements/lists/stacked-table.ts'
import { Screen } from '../elements/screen.ts'
import { goTo, hrefTo } from '../navigation/navigation.ts'
import { ownerOf, type SchemaOwner, screenOf } from '../owners/owners.ts'
import type { SchemaVersion, VersionList } from '../schemas/answers.ts'
import { listVersions, readOwnerTitle } from '../schemas/requests.ts'
import { wrapStyle } from '../schemas/wrap-style.ts'
import { t } from './texts.ts'
import { versionNote } from './version-note.ts'

/** The versions of a schema, newest first: who made them, when and why; two of them are chosen to be compared. */
class History extends Screen {
  static override properties = { ...Screen.properties, older: { state: true }, newer: { state: true } }

  static override styles = [
    ...Screen.styles,
    fieldStyle,
    stackedTable,
    wrapStyle,
    css`
      .scroll {
        overflow-x: auto;
      }
      td input {
        display: block;
      }
      tr[aria-current] {
        background: var(--wa-color-brand-fill-quiet);
      }
      @media (max-width: 40rem) {
        td label {
          display: inline-flex;
          gap: 0.5rem;
          align-items: center;
        }
        td label .visually-hidden {
          position: static;
          width: auto;
          height: auto;
          overflow: visible;
          clip-path: none;
        }
      }
    `,
  ]

  declare older: number | undefined
  declare newer: number | undefined

  readonly #versions = new Task(this, {
    args: () => [JSON.stringify(ownerOf(this.parameters)), Number(this.query.get('start')) || 1] as const,
    task: async ([key, start], { signal }) => {
      const owner: SchemaOwner = JSON.parse(key)
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
        <wa-button appearance="outlined" href=${hrefTo(...screenOf(this.#owner, 'Schema'))}>${t('toSchema')}</wa-button>
      </cartulary-heading>
      ${this.#versions.render({
        pending: () => html`<cartulary-loading></cartulary-loading>`,
        error: (error) =>
          html`<cartulary-problem .error=${error} can-retry @retry=${() => this.#versions.run()}></cartulary-problem>`,
        complete: ({ list }) =>
          list.total === 0
            ? html`<cartulary-empty icon="history" heading=${t('noVersions')} text=${t('noVersionsText')}></cartulary-empty>`
            : this.#renderList(list),
      })}`
  }

  #renderList(list: VersionList) {
    const { versions, start, total, num, nextStart } = list
    return html`<form class="stack" @submit=${this.#compare}>
      <div class="row">
        <span class="quiet">${t('shownOf', { first: start, last: start + versions.length - 1, total })}</span>
        <wa-button class="end" type="submit" variant="brand" ?disabled=${this.older === this.newer}>${t('compareChosen')}</wa-button>
      </div>
      <div class="scroll">
        <table>
          <thead>
            <tr>
              <th scope="col">${t('version')}</th>
              <th scope="col">${t('when')}</th>
              <th scope="col">${t('who')}</th>
              <th scope="col">${t('what')}</th>
              <th scope="col">${t('size')}</th>
              <th scope="col">${t('older')}</th>
              <th scope="col">${t('newer')}</th>
            </tr>
          </thead>
          <tbody>${versions.map((version) => this.#renderRow(version))}</tbody>
        </table>
      </div>
      <cartulary-pager
        total=${total} start=${start} num=${num} next-start=${nextStart} previous=${t('newerVersions')} next=${t('olderVersions')} without-range
        .hrefOf=${(from: number) => hrefTo(...screenOf(this.#owner, 'History'), { start: from })}
      ></cartulary-pager>
    </form>`
  }

  #renderRow(entry: SchemaVersion) {
    const { version, modified, modifiedBy, comment, trees, categories } = entry
    const choose = (side: 'older' | 'newer') => html`<label>
      <input type="radio" name=${side} value=${version} .checked=${this[side] === version} @change=${() => {
        this[side] = version
      }}>
      <span class="visually-hidden">${t(`${side}Version`, { version })}</span>
    </label>`
    return html`<tr>
      <td><a href=${hrefTo(...screenOf(this.#owner, 'Version', { version: String(version) }))}>${t('versionNumber', { version })}</a></td>
      <td data-label=${t('when')}><cartulary-moment .value=${modified}></cartulary-moment></td>
      <td data-label=${t('who')}><bdi>${modifiedBy}</bdi></td>
      <td>${versionNote(entry)}${comment ? html`<div class="quiet"><bdi>${comment}</bdi></div>` : nothing}</td>
      <td>${t('schemaSize', { trees, categories })}</td>
      <td>${choose('older')}</td>
      <td>${choose('newer')}</td>
    </tr>`
  }

  #compare(event: Event): void {
    event.preventDefault()
    if (this.older === undefined || this.newer === undefined || this.older === this.newer) return
    goTo(hrefTo(...screenOf(this.#owner, 'Comparison'), { from: this.older, to: this.newer }))
  }
}

customElements.define('cartulary-history', History)
