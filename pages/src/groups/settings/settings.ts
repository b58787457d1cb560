import { button } from '../../elements/page.ts'
import './delete-group.ts'
import './edit-group.ts'
import './hand-over.ts'
import { html, nothing } from 'lit'
import { property } from 'lit/decorators.js'
import type { WireGroup } from '../../../../src/http/shapes/directory/group.ts'
import { Action, announce, PageElement } from '../../elements/page.ts'
import { may, post } from '../../session/session.ts'
import { ofGroupsSettings as t } from '../../texts/rooms.ts'

/** Changes of a group itself: its properties, owner, protection and end; nothing for those who may not. Emits `done`. */
class GroupSettings extends PageElement {
  @property({ attribute: false }) group!: WireGroup

  readonly #protection = new Action(this)

  override render() {
    const { group } = this
    const operations = ['updateGroup', 'reassignGroup', 'protectGroup', 'deleteGroup'] as const
    if (!operations.some((operation) => may(operation, group))) return nothing
    const mayProtect = may(group.protected ? 'unprotectGroup' : 'protectGroup', group)
    return html`<section class="panel stack no-print">
      <h2>${t('settings')}</h2>
      <div class="row">
        ${may('updateGroup', group) ? html`<cartulary-edit-group .group=${group} @done=${this.#pass}></cartulary-edit-group>` : nothing}
        ${may('reassignGroup', group) ? html`<cartulary-hand-over-group .group=${group} @done=${this.#pass}></cartulary-hand-over-group>` : nothing}
        ${mayProtect ? button(t(group.protected ? 'unprotect' : 'protect'), { icon: 'shield', loading: this.#protection.isRunning, onClick: this.#protect }) : nothing}
        ${may('deleteGroup', group) ? html`<cartulary-delete-group .group=${group}></cartulary-delete-group>` : nothing}
      </div>
      ${group.protected && may('deleteGroup', group) ? html`<p class="quiet">${t('isProtected')}</p>` : nothing}
      <cartulary-problem .error=${this.#protection.error}></cartulary-problem>
    </section>`
  }

  async #protect(): Promise<void> {
    const { id, protected: isProtected } = this.group
    const path = `/community/groups/${encodeURIComponent(id)}/${isProtected ? 'unprotect' : 'protect'}`
    if (!(await this.#protection.run(() => post(path)))) return
    announce(t(isProtected ? 'unprotected' : 'isProtected'))
    this.#pass()
  }

  readonly #pass = (): void => {
    this.dispatchEvent(new Event('done'))
  }
}

customElements.define('cartulary-group-settings', GroupSettings)
