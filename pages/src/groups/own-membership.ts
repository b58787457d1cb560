import { html, nothing } from 'lit'
import { property, query, state } from 'lit/decorators.js'
import type { WireGroup } from '../../../src/http/shapes/directory/group.ts'
import type { DialogForm } from '../elements/dialog-form.ts'
import { Action, announce, button, PageElement } from '../elements/page.ts'
import { may, post } from '../session/session.ts'
import { ofGroups as t } from '../texts/rooms.ts'

/** Joins a group, asks to, or leaves it: for the person themselves. Emits `joined` and `left`. */
class OwnMembership extends PageElement {
  @property({ attribute: false }) group!: WireGroup
  /** Whether the person has asked to join, here and now: a request that was made before is not shown by the server. */
  @state() hasAsked = false
  @query('cartulary-dialog-form') dialog!: DialogForm

  readonly #joining = new Action(this)

  /** Hides the element with nothing to offer, so that it takes no space. */
  override willUpdate(): void {
    this.hidden = !this.#mayJoin && !this.#mayLeave
  }

  override render() {
    const { group } = this
    return html`${this.#mayJoin ? this.#renderJoin() : nothing}
      ${
        this.#mayLeave
          ? html`${button(t('leave'), { icon: 'sign-out', disabled: group.leavingDisallowed, onClick: () => this.dialog.open() })}
              ${group.leavingDisallowed ? html`<p class="quiet">${t('leavingDisallowed')}</p>` : nothing}
              <cartulary-dialog-form
                danger heading=${t('leaveHeading')} action=${t('leave')} .work=${this.#leave}
                @done=${() => this.dispatchEvent(new Event('left'))}
              ><p>${t(group.isInvitationOnly ? 'leaveClosedText' : 'leaveText')}</p></cartulary-dialog-form>`
          : nothing
      }`
  }

  get #mayJoin(): boolean {
    return this.group.userMembership.memberType === 'none' && may('joinGroup', this.group)
  }

  get #mayLeave(): boolean {
    const { memberType } = this.group.userMembership
    return (memberType === 'admin' || memberType === 'member') && may('leaveGroup', this.group)
  }

  #renderJoin() {
    const { isInvitationOnly } = this.group
    return html`<div role="status">${this.hasAsked ? html`<p>${t('asked')}</p>` : nothing}</div>
      ${this.hasAsked ? nothing : button(t(isInvitationOnly ? 'askToJoin' : 'join'), { icon: 'user', variant: 'brand', loading: this.#joining.isRunning, onClick: this.#join })}
      <cartulary-problem .error=${this.#joining.error}></cartulary-problem>`
  }

  async #join(): Promise<void> {
    const isDone = await this.#joining.run(async () => {
      const { applied } = await post<{ readonly applied?: true }>(`${pathOf(this.group)}/join`)
      this.hasAsked = applied === true
    })
    if (!isDone || this.hasAsked) return
    announce(t('hasJoined'))
    this.dispatchEvent(new Event('joined'))
  }

  readonly #leave = async (): Promise<void> => {
    await post(`${pathOf(this.group)}/leave`)
    announce(t('hasLeft'))
  }
}

function pathOf({ id }: WireGroup): string {
  return `/community/groups/${encodeURIComponent(id)}`
}

customElements.define('cartulary-own-membership', OwnMembership)
