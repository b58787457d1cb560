import { html, nothing } from 'lit'
import { property } from 'lit/decorators.js'
import type { WireGroupApplication } from '../../../../src/http/shapes/directory/group-request.ts'
import { Action, announce, button, PageElement, Reading } from '../../elements/page.ts'
import { call, groupPath, post } from '../../session/session.ts'
import { ofGroupsMembers as t } from '../../texts/rooms.ts'

/** Requests to join a group, to be answered. Emits `done` after each answer. */
class GroupApplications extends PageElement {
  @property() group!: string

  /** Whether the last request was answered here: the section stays, with the focus. */
  #hasAnswered = false
  readonly #action = new Action(this)
  readonly #applications = new Reading(this, {
    args: () => [this.group] as const,
    task: async ([group], { signal }) => {
      const path = `${groupPath(group)}/applications`
      const { applications } = await call<{ readonly applications: readonly WireGroupApplication[] }>(
        path,
        {},
        { signal },
      )
      return applications
    },
  })

  override render() {
    const { value = [], error } = this.#applications
    if (value.length === 0 && error === undefined && !this.#hasAnswered) return nothing
    return html`<section class="panel stack">
      <h2 tabindex="-1">${t('applications')}</h2>
      <cartulary-problem .error=${this.#action.error}></cartulary-problem>
      ${this.#applications.showLatest((applications) =>
        applications.length === 0
          ? html`<p class="quiet">${t('noApplications')}</p>`
          : html`<ul role="list" class="entries">${applications.map((each) => this.#renderOne(each))}</ul>`,
      )}
    </section>`
  }

  #renderOne({ username, fullname, received }: WireGroupApplication) {
    const name = fullname && fullname !== username ? `${fullname} (${username})` : username
    return html`<li>
      <div>
        <strong>${name}</strong>
        <div class="quiet"><cartulary-moment value=${received} distance></cartulary-moment></div>
      </div>
      <div class="row">${this.#renderAnswer('accept', username, name)}${this.#renderAnswer('decline', username, name)}</div>
    </li>`
  }

  #renderAnswer(answer: 'accept' | 'decline', username: string, name: string) {
    const isAccept = answer === 'accept'
    return button(html`${t(answer)}<span class="visually-hidden">: ${name}</span>`, {
      variant: isAccept ? 'brand' : 'neutral',
      appearance: isAccept ? 'accent' : 'outlined',
      size: 's',
      disabled: this.#action.isRunning,
      onClick: () => this.#answer(answer, username, name),
    })
  }

  /** Sends an answer. The used button is gone afterwards: the focus goes to the heading. */
  async #answer(answer: 'accept' | 'decline', username: string, name: string): Promise<void> {
    const path = `${groupPath(this.group)}/applications/${encodeURIComponent(username)}`
    const isDone = await this.#action.run(() => post(`${path}/${answer}`))
    if (!isDone) return
    this.#hasAnswered = true
    await this.#applications.run()
    announce(t(`answered_${answer}`, { name }))
    this.dispatchEvent(new Event('done'))
    await this.focusOn('h2')
  }
}

customElements.define('cartulary-group-applications', GroupApplications)
