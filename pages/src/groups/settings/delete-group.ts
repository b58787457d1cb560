import { html, nothing } from 'lit'
import { property, query, state } from 'lit/decorators.js'
import type { CategorySchema } from '../../../../src/categories/schema.ts'
import type { WireGroup } from '../../../../src/http/shapes/directory/group.ts'
import type { DialogForm } from '../../elements/dialog-form.ts'
import { Action, announce, button, PageElement } from '../../elements/page.ts'
import { goTo, hrefTo } from '../../navigation/navigation.ts'
import { call, post } from '../../session/session.ts'
import { ofGroupsSettings as t } from '../../texts/rooms.ts'

/** Numbers of what ends with a group. */
interface Lost {
  readonly categories: number
  readonly items: number
}

type Branches = { readonly categories?: readonly Branches[] | undefined }

/** Deletes a group, after naming what is lost with it. */
class DeleteGroup extends PageElement {
  @property({ attribute: false }) group!: WireGroup
  @state() lost: Lost | undefined
  @query('cartulary-dialog-form') dialog!: DialogForm

  readonly #opening = new Action(this)

  override render() {
    const { group, lost } = this
    return html`${button(t('delete'), { icon: 'trash', variant: 'danger', appearance: 'outlined', disabled: group.protected, loading: this.#opening.isRunning, onClick: this.#open })}
      <cartulary-problem .error=${this.#opening.error}></cartulary-problem>
      <cartulary-dialog-form
        danger heading=${t('deleteHeading')} action=${t('delete')} typed=${group.title} .work=${this.#delete}
        @done=${() => goTo(hrefTo('groups'))}
      >
        ${
          lost
            ? html`<p>${t('deleteText')}</p>
                <ul>
                  <li>${t('lostCategories', { count: lost.categories })}</li>
                  <li>${t('lostItems', { count: lost.items })}</li>
                </ul>`
            : nothing
        }
      </cartulary-dialog-form>`
  }

  async #open(): Promise<void> {
    const isRead = await this.#opening.run(async (signal) => {
      const id = encodeURIComponent(this.group.id)
      const [{ categorySchema }, { total }] = await Promise.all([
        call<CategorySchema>(`/community/groups/${id}/categorySchema`, {}, { signal }),
        call<{ readonly total: number }>(`/content/groups/${id}/search`, { num: 0 }, { signal }),
      ])
      this.lost = { categories: countBranches(categorySchema), items: total }
    })
    if (!isRead) return
    await this.updateComplete
    this.dialog.open()
  }

  readonly #delete = async (): Promise<void> => {
    await post(`/community/groups/${encodeURIComponent(this.group.id)}/delete`)
    announce(t('deleted'))
  }
}

function countBranches(branches: readonly Branches[]): number {
  return branches.reduce((sum, { categories = [] }) => sum + 1 + countBranches(categories), 0)
}

customElements.define('cartulary-delete-group', DeleteGroup)
