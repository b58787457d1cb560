import { choice, field, readFields } from '../elements/fields.ts'
import { button, Reading, Screen } from '../elements/page.ts'
import '../forms/filter-bar.ts'
import { html, nothing } from 'lit'
import { groupLimits } from '../../../src/directory/group.ts'
import type { WireGroup } from '../../../src/http/shapes/directory/group.ts'
import type { WirePage } from '../../../src/http/shapes/page.ts'
import { pageSize, startOf } from '../elements/lists/page-parts.ts'
import { renderPager, renderTable } from '../elements/lists/table.ts'
import { goTo, hrefTo, replaceQuery } from '../navigation/navigation.ts'
import { call, may, post, signedIn } from '../session/session.ts'
import { ofGroups as t } from '../texts/rooms.ts'
import { accessesFor } from './settings/group-fields.ts'

type FoundGroups = WirePage<'results', WireGroup>

/** Groups that the person sees: searched, page by page; and creation of a group. */
class Groups extends Screen {
  readonly #found = new Reading(this, {
    args: () => [this.query.get('q') ?? '', this.query.has('mine'), startOf(this.query), signedIn()?.username] as const,
    task: ([q, isMine, start], { signal }) =>
      call<FoundGroups>(
        '/community/groups',
        { q, start, num: pageSize, ...(isMine && { searchUserAccess: 'groupMember' }) },
        { signal },
      ),
  })

  /** Opens the dialog where the address asks for it, once. */
  protected override updated(): void {
    if (!this.query.has('new')) return
    replaceQuery({})
    if (may('createGroup')) void this.openDialog()
  }

  override render() {
    return html`<cartulary-heading text=${t('groups')}>
        ${may('createGroup') ? button(t('create'), { icon: 'plus', variant: 'brand', onClick: () => this.openDialog() }) : nothing}
      </cartulary-heading>
      <div class="stack">
        <cartulary-filter-bar words-only label=${t('search')} .value=${this.query.get('q') ?? ''} @words=${({ detail }: CustomEvent<string>) => replaceQuery({ q: detail, mine: this.query.get('mine') ?? undefined })}>
          <label slot="beside" class="tick"><input type="checkbox" name="mine" .checked=${this.query.has('mine')} @change=${this.#narrow}>
            <span>${t('mine')}</span></label>
        </cartulary-filter-bar>
        ${this.#found.showLatest((found) => this.#renderFound(found))}
      </div>
      <cartulary-dialog-form heading=${t('create')} action=${t('createAction')} .work=${this.#create}>
        ${field('title', t('title'), { max: groupLimits.title, required: true, hint: t('upTo', { max: groupLimits.title }) })}
        ${field('snippet', t('snippet'), { max: groupLimits.snippet, hint: t('upTo', { max: groupLimits.snippet }) })}
        ${choice('access', t('access'), accessesFor(signedIn()?.privileges ?? []), (access) => t(`access_${access}`), undefined)}
      </cartulary-dialog-form>`
  }

  #renderFound(found: FoundGroups) {
    const { total, results } = found
    const isSearched = this.query.has('q') || this.query.has('mine')
    if (total === 0 && !isSearched) {
      return html`<cartulary-empty icon="users" heading=${t('none')} text=${t('noneText')}></cartulary-empty>`
    }
    return html`<p role="status">${t('found', { count: total })}</p>
      ${
        results.length === 0
          ? nothing
          : renderTable(results, [
              [t('title'), renderTitle],
              [t('owner'), ({ owner }) => html`<bdi>${owner}</bdi>`],
              [t('access'), ({ access }) => t(`access_${access}`)],
            ])
      }
      ${renderPager(found)}`
  }

  #narrow(event: Event): void {
    const isMine = (event.target as HTMLInputElement).checked
    replaceQuery({ q: this.query.get('q') ?? undefined, mine: isMine ? '1' : undefined })
  }

  readonly #create = async () => {
    const { group } = await post<{ readonly group: WireGroup }>('/community/createGroup', readFields(this.dialogOf()))
    goTo(hrefTo('group', { group: group.id }))
  }
}

function renderTitle({ id, title, snippet }: WireGroup) {
  return html`<a href=${hrefTo('group', { group: id })}><bdi>${title}</bdi></a>${snippet ? html`<div class="quiet"><bdi>${snippet}</bdi></div>` : nothing}`
}

customElements.define('cartulary-groups', Groups)
