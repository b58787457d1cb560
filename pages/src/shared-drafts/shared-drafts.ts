import { css, html, nothing } from 'lit'
import { renderTable } from '../elements/lists/table.ts'
import { button, Reading, Screen } from '../elements/page.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { ownerOf, type SchemaOwner, screenOf } from '../owners/owners.ts'
import { readOwnerTitle } from '../schemas/requests.ts'
import { ofSharedDrafts as t } from '../texts/rooms.ts'
import type { DraftSummary } from './answers.ts'
import { listDrafts } from './requests.ts'
import { renderState } from './state.ts'

/** Drafts of a schema that are kept on the server, the latest change first. */
class SharedDrafts extends Screen {
  static override styles = css`
    td:last-child {
      min-width: 14rem;
    }
  `

  readonly #drafts = new Reading(this, {
    args: () => [ownerOf(this.parameters)] as const,
    task: async ([owner], { signal }) => {
      const [drafts, title] = await Promise.all([listDrafts(owner, signal), readOwnerTitle(owner, signal)])
      return { drafts, title }
    },
  })

  override render() {
    const owner = ownerOf(this.parameters)
    return html`<cartulary-heading text=${t('drafts')} note=${this.#drafts.value?.title ?? ''}>
        ${button(t('toSchema'), { href: hrefTo(...screenOf(owner, 'Schema')) })}
      </cartulary-heading>
      ${this.#drafts.show(({ drafts }) =>
        drafts.length === 0
          ? html`<cartulary-empty icon="pencil" heading=${t('noDrafts')} text=${t('noDraftsText')}></cartulary-empty>`
          : renderDrafts(owner, drafts),
      )}`
  }
}

function renderDrafts(owner: SchemaOwner, drafts: readonly DraftSummary[]) {
  return renderTable(drafts, [
    [
      t('name'),
      ({ id, name }) => html`<a href=${hrefTo(...screenOf(owner, 'Draft', { draft: id }))}><bdi>${name}</bdi></a>`,
    ],
    [t('size'), ({ categories }) => t('categories', { categories })],
    [t('base'), ({ baseVersion }) => (baseVersion === 0 ? nothing : t('versionNumber', { version: baseVersion }))],
    [
      t('saved'),
      ({ modified, modifiedBy }) =>
        html`<bdi>${modifiedBy}</bdi> <cartulary-moment class="quiet" .value=${modified}></cartulary-moment>`,
    ],
    [t('state'), renderState],
  ])
}

customElements.define('cartulary-shared-drafts', SharedDrafts)
