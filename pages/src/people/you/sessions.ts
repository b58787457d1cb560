import { css, html, nothing } from 'lit'
import { property } from 'lit/decorators.js'
import { Action, announce, button, PageElement, Reading } from '../../elements/page.ts'
import { call, post, userPath } from '../../session/session.ts'
import { formatMoment } from '../../texts/formats.ts'
import { ofPeopleYou as t } from '../../texts/rooms.ts'
import { isBuiltIn, listSignIns, readAgent, type Session, type SignIn } from './sign-ins.ts'

type SessionsAnswer = { readonly sessions: readonly Session[] }

/** Active sign-ins of a user, with buttons to end them; with `own` those of the present person. */
class Sessions extends PageElement {
  static override styles = css`
    .quiet {
      font-size: 0.875rem;
    }
  `

  @property() username!: string
  @property({ type: Boolean }) own = false

  readonly #action = new Action(this)

  readonly #sessions = new Reading(this, {
    args: () => [this.username],
    task: ([username], { signal }) => call<SessionsAnswer>(`${userPath(username)}/sessions`, { num: 100 }, { signal }),
  })

  override render() {
    return this.#sessions.showLatest((answer) => this.#renderSessions(answer))
  }

  #renderSessions({ sessions }: SessionsAnswer) {
    if (sessions.length === 0) return html`<p tabindex="-1">${t('none')}</p>`
    const signIns = listSignIns(sessions)
    const others = sessions.filter(({ current }) => !current)
    return html`<div class="stack">
      <ul role="list" class="entries" tabindex="-1">
        ${signIns.map((signIn) => this.#renderSignIn(signIn))}
      </ul>
      <cartulary-problem .error=${this.#action.error}></cartulary-problem>
      ${
        others.length > 0
          ? html`<div>
              ${button(t(this.own ? 'endOthers' : 'endAll'), { variant: 'danger', appearance: 'outlined', onClick: () => this.openDialog() })}
            </div>`
          : nothing
      }
      <cartulary-dialog-form
        danger heading=${t('endAllHeading')} action=${t(this.own ? 'endOthers' : 'endAll')} .work=${this.#endAll}
        @closed=${() => others.length === 0 && this.#focusList()}
      ><p>${t('endAllText')}</p></cartulary-dialog-form>
    </div>`
  }

  #renderSignIn(signIn: SignIn) {
    const { session, sessions, isCurrent, lastUsed, expires } = signIn
    const { address, userAgent, created } = session
    const name = nameOf(session)
    const facts = [
      t('since', { moment: formatMoment(created) }),
      ...(lastUsed === undefined ? [] : [t('used', { moment: formatMoment(lastUsed) })]),
      t('until', { moment: formatMoment(expires) }),
    ]
    // An app that is not built in is known by its own name, in whichever browser it runs.
    const where = session.kind === 'app' && !isBuiltIn(session.clientId) ? nameOfAgent(session) : undefined
    return html`<li>
      <div>
        <strong title=${userAgent ?? nothing}>${name}</strong>
        ${sessions.some(({ clientId }) => isBuiltIn(clientId)) ? html`<wa-tag size="s">${t('builtIn')}</wa-tag>` : nothing}
        ${isCurrent ? html`<wa-tag size="s" variant="brand">${t('current')}</wa-tag>` : nothing}
        <div class="quiet">${facts.join(' · ')}</div>
        ${address || where ? html`<div class="quiet">${[where, address].filter(Boolean).join(' · ')}</div>` : nothing}
      </div>
      ${
        isCurrent
          ? nothing
          : html`<wa-button
              size="s" appearance="outlined" title=${t('endNamed', { name })} ?disabled=${this.#action.isRunning}
              @click=${() => this.#end(signIn)}
            >${t('end')}<span class="visually-hidden"> ${name}</span></wa-button>`
      }
    </li>`
  }

  async #end({ sessions }: SignIn): Promise<void> {
    const isDone = await this.#action.run(async () => {
      for (const { id } of sessions) await post(`${userPath(this.username)}/sessions/${id}/end`)
    })
    if (isDone) await this.#readAgain(t('ended'))
  }

  readonly #endAll = async (): Promise<void> => {
    await post(`${userPath(this.username)}/sessions/endAll`)
    await this.#readAgain(t('endedAll'))
  }

  /** Reads the sign-ins again. The used button is gone: the focus goes to the list. */
  async #readAgain(announced: string): Promise<void> {
    await this.#sessions.run()
    announce(announced)
    await this.updateComplete
    this.#focusList()
  }

  /** Moves the focus, but not while a dialog is open, behind which nothing takes it. */
  #focusList(): void {
    this.renderRoot.querySelector<HTMLElement>('[tabindex="-1"]')?.focus()
  }
}

/** Name of a sign-in: its browser, or what signed in where the browser is not known. */
function nameOf(session: Session): string {
  const { kind, appTitle, clientId } = session
  const agent = kind === 'browser' || isBuiltIn(clientId) ? nameOfAgent(session) : undefined
  return agent ?? [t(`kind_${kind}`), appTitle ?? clientId].filter(Boolean).join(': ')
}

function nameOfAgent({ userAgent }: Session): string | undefined {
  const agent = readAgent(userAgent)
  return agent && t('browserOn', { ...agent })
}

customElements.define('cartulary-sessions', Sessions)
