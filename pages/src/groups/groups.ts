import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/icon/icon.js'
import '../elements/dialog-form.ts'
import '../elements/heading.ts'
import '../elements/problem.ts'
import '../elements/states.ts'
import '../elements/lists/pager.ts'
import { Task } from '@lit/task'
import { html, nothing } from 'lit'
import type { WireGroup } from '../../../src/http/shapes/directory/group.ts'
import type { DialogForm } from '../elements/dialog-form.ts'
import { fieldStyle } from '../elements/field-style.ts'
import { readFields } from '../elements/fields.ts'
import { stackedTable } from '../elements/lists/stacked-table.ts'
import { Screen } from '../elements/screen.ts'
import { goTo, hrefTo, replaceQuery } from '../navigation/navigation.ts'
import { call, may, signedIn } from '../session/session.ts'
import { pageSize, startOf } from './pages.ts'
import { t } from './texts.ts'

interface FoundGroups {
  readonly total: number
  readonly start: number
  readonly nextStart: number
  readonly results: readonly WireGroup[]
}

/** Longest title and summary of a group, as the API has them. */
const longestText = 250

/** The groups that the person sees: searched, page by page; and a new one. */
class Groups extends Screen {
  static override styles = [...Screen.styles, fieldStyle, stackedTable]

  readonly #found = new Task(this, {
    args: () => [this.query.get('q') ?? '', this.query.has('mine'), startOf(this.query), signedIn()?.username] as const,
    task: ([q, isMine, start], { signal }) =>
      call<FoundGroups>(
        '/community/groups',
        { q, start, num: pageSize, ...(isMine && { searchUserAccess: 'groupMember' }) },
        { signal },
      ),
  })

  override render() {
    const { value, error } = this.#found
    return html`<cartulary-heading text=${t('groups')}>
        ${
          may('createGroup')
            ? html`<wa-button variant="brand" @click=${this.#openDialog}><wa-icon slot="start" name="plus"></wa-icon>${t('create')}</wa-button>`
            : nothing
        }
      </cartulary-heading>
      <div class="stack">
        <search class="row">
          <label class="field"><span>${t('search')}</span>
            <input type="search" name="q" .value=${this.query.get('q') ?? ''} @input=${this.#search}></label>
          <label class="tick"><input type="checkbox" name="mine" .checked=${this.query.has('mine')} @change=${this.#search}>
            <span>${t('mine')}</span></label>
        </search>
        ${
          error !== undefined
            ? html`<cartulary-problem .error=${error} can-retry @retry=${() => this.#found.run()}></cartulary-problem>`
            : value
              ? this.#renderFound(value)
              : html`<cartulary-loading></cartulary-loading>`
        }
      </div>
      <cartulary-dialog-form heading=${t('create')} action=${t('createAction')} .work=${this.#create}>
        <div class="stack">
          <label class="field"><span>${t('title')}</span><input name="title" dir="auto" required maxlength=${longestText} autocomplete="off">
            <small>${t('upTo', { most: longestText })}</small></label>
          <label class="field"><span>${t('snippet')}</span><input name="snippet" dir="auto" maxlength=${longestText} autocomplete="off">
            <small>${t('upTo', { most: longestText })}</small></label>
          <label class="field"><span>${t('access')}</span><select name="access">
            ${(['private', 'org', 'public'] as const).map((access) => html`<option value=${access}>${t(`access_${access}`)}</option>`)}
          </select></label>
        </div>
      </cartulary-dialog-form>`
  }

  #renderFound({ total, start, nextStart, results }: FoundGroups) {
    const isSearched = this.query.has('q') || this.query.has('mine')
    if (total === 0 && !isSearched) {
      return html`<cartulary-empty icon="users" heading=${t('none')} text=${t('noneText')}></cartulary-empty>`
    }
    const query = { q: this.query.get('q') ?? undefined, mine: this.query.get('mine') ?? undefined }
    return html`<p role="status">${t('found', { count: total })}</p>
      ${
        results.length === 0
          ? nothing
          : html`<table>
              <thead><tr><th scope="col">${t('title')}</th><th scope="col">${t('owner')}</th><th scope="col">${t('access')}</th></tr></thead>
              <tbody>${results.map(
                ({ id, title, snippet, owner, access }) => html`<tr>
                  <td><a href=${hrefTo('group', { group: id })}><bdi>${title}</bdi></a>${snippet ? html`<div class="quiet"><bdi>${snippet}</bdi></div>` : nothing}</td>
                  <td data-label=${t('owner')}><bdi>${owner}</bdi></td>
                  <td data-label=${t('access')}>${t(`access_${access}`)}</td>
                </tr>`,
              )}</tbody>
            </table>`
      }
      <cartulary-pager
        total=${total} start=${start} num=${pageSize} next-start=${nextStart}
        .hrefOf=${(from: number) => hrefTo('groups', {}, { ...query, start: from > 1 ? from : undefined })}
      ></cartulary-pager>`
  }

  #search(): void {
    const field = (name: string) => this.renderRoot.querySelector<HTMLInputElement>(`search [name="${name}"]`)!
    replaceQuery({ q: field('q').value, mine: field('mine').checked ? '1' : undefined })
  }

  get #dialog(): DialogForm {
    return this.renderRoot.querySelector<DialogForm>('cartulary-dialog-form')!
  }

  #openDialog(): void {
    this.#dialog.open()
  }

  readonly #create = async () => {
    const { group } = await call<{ readonly group: WireGroup }>('/community/createGroup', readFields(this.#dialog), {
      method: 'POST',
    })
    goTo(hrefTo('group', { group: group.id }))
  }
}

customElements.define('cartulary-groups', Groups)
