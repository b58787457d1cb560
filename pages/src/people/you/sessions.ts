import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/tag/tag.js'
import '../../elements/dialog-form.ts'
import '../../elements/problem.ts'
import '../../elements/states.ts'
import { Task } from '@lit/task'
import { css, html, nothing } from 'lit'
import type { sessionShape } from '../../../../src/http/shapes/directory/session.ts'
import type { ValueOf } from '../../../../src/http/shapes/shape.ts'
import { builtInApps } from '../../../../src/oauth/apps/app.ts'
import { announce } from '../../elements/announce.ts'
import type { DialogForm } from '../../elements/dialog-form.ts'
import { entryListStyle } from '../../elements/lists/entry-list-style.ts'
import { PageElement } from '../../elements/page-element.ts'
import { Action } from '../../forms/action.ts'
import { call } from '../../session/session.ts'
import { formatMoment } from '../../texts/formats.ts'
import { t } from './texts.ts'

type Session = ValueOf<typeof sessionShape>

interface SessionsAnswer {
  readonly total: number
  readonly sessions: readonly Session[]
}

/** The sign-ins of a user that have not ended, the ways to end them, and with `own` those of the person who sees them. */
class Sessions extends PageElement {
  static override properties = { username: {}, own: { type: Boolean } }

  static override styles = [
    ...PageElement.styles,
    entryListStyle,
    css`
      .quiet {
        font-size: 0.875rem;
      }
    `,
  ]

  declare username: string
  declare own: boolean

  readonly #action = new Action(this)

  readonly #sessions = new Task(this, {
    args: () => [this.username],
    task: ([username], { signal }) => call<SessionsAnswer>(`${pathOf(username)}/sessions`, { num: 100 }, { signal }),
  })

  override render() {
    return this.#sessions.render({
      initial: () => html`<cartulary-loading></cartulary-loading>`,
      // What there is stays in sight while it is read again.
      pending: () =>
        this.#sessions.value
          ? this.#renderSessions(this.#sessions.value)
          : html`<cartulary-loading></cartulary-loading>`,
      error: (error) =>
        html`<cartulary-problem .error=${error} can-retry @retry=${() => this.#sessions.run()}></cartulary-problem>`,
      complete: (answer) => this.#renderSessions(answer),
    })
  }

  #renderSessions({ sessions }: SessionsAnswer) {
    if (sessions.length === 0) return html`<p tabindex="-1">${t('none')}</p>`
    const others = sessions.filter(({ current }) => !current)
    return html`<div class="stack">
      <ul role="list" tabindex="-1">
        ${sessions.map((session) => this.#renderSession(session))}
      </ul>
      <cartulary-problem .error=${this.#action.error}></cartulary-problem>
      ${
        others.length > 0
          ? html`<div>
              <wa-button appearance="outlined" variant="danger" @click=${this.#askAll}
                >${t(this.own ? 'endOthers' : 'endAll')}</wa-button
              >
            </div>`
          : nothing
      }
      <cartulary-dialog-form
        danger heading=${t('endAllHeading')} action=${t(this.own ? 'endOthers' : 'endAll')} .work=${this.#endAll}
        @closed=${() => others.length === 0 && this.#focusList()}
      ><p>${t('endAllText')}</p></cartulary-dialog-form>
    </div>`
  }

  #renderSession(session: Session) {
    const { appTitle, clientId, kind, address, userAgent, created, expires, lastUsed, current } = session
    const name = [t(`kind_${kind}`), appTitle ?? clientId].filter(Boolean).join(': ')
    const facts = [
      t('since', { moment: formatMoment(created) }),
      ...(lastUsed === undefined ? [] : [t('used', { moment: formatMoment(lastUsed) })]),
      t('until', { moment: formatMoment(expires) }),
    ]
    return html`<li>
      <div class="words">
        <strong>${name}</strong>
        ${isBuiltIn(clientId) ? html`<wa-tag size="s">${t('builtIn')}</wa-tag>` : nothing}
        ${current ? html`<wa-tag size="s" variant="brand">${t('current')}</wa-tag>` : nothing}
        <div class="quiet">${facts.join(' · ')}</div>
        ${address || userAgent ? html`<div class="quiet">${[address, userAgent].filter(Boolean).join(' · ')}</div>` : nothing}
      </div>
      ${
        current
          ? nothing
          : html`<wa-button
              size="s" appearance="outlined" title=${t('endNamed', { name })} ?disabled=${this.#action.isRunning}
              @click=${() => this.#end(session)}
            >${t('end')}<span class="visually-hidden"> ${name}</span></wa-button>`
      }
    </li>`
  }

  async #end({ id }: Session): Promise<void> {
    const isDone = await this.#action.run(async () => {
      await call(`${pathOf(this.username)}/sessions/${id}/end`, {}, { method: 'POST' })
    })
    if (isDone) await this.#readAgain(t('ended'))
  }

  #askAll(): void {
    this.renderRoot.querySelector<DialogForm>('cartulary-dialog-form')?.open()
  }

  readonly #endAll = async (): Promise<void> => {
    await call(`${pathOf(this.username)}/sessions/endAll`, {}, { method: 'POST' })
    await this.#readAgain(t('endedAll'))
  }

  /** The button that was used is gone: the focus goes to the list. */
  async #readAgain(announced: string): Promise<void> {
    await this.#sessions.run()
    announce(announced)
    await this.updateComplete
    this.#focusList()
  }

  /** Not while a dialog is open, behind which nothing takes the focus. */
  #focusList(): void {
    this.renderRoot.querySelector<HTMLElement>('[tabindex="-1"]')?.focus()
  }
}

/** An app that was registered before such titles were refused may have that of one that comes with the server: the client id tells. */
function isBuiltIn(clientId: string | undefined): boolean {
  return builtInApps.some((app) => app.clientId === clientId)
}

function pathOf(username: string): string {
  return `/community/users/${encodeURIComponent(username)}`
}

customElements.define('cartulary-sessions', Sessions)
