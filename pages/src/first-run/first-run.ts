import { css, html, nothing } from 'lit'
import { state } from 'lit/decorators.js'
import { findPasswordProblem, passwordLength } from '../../../src/directory/passwords/password.ts'
import { portalNameLength } from '../../../src/directory/portal.ts'
import { findUsernameProblem, profileLimits, usernameLength } from '../../../src/directory/user.ts'
import { enterSubmits, field, readFields, textOf, tick } from '../elements/fields.ts'
import { Action, button, Reading, Screen } from '../elements/page.ts'
import { base, hrefTo } from '../navigation/navigation.ts'
import { said } from '../sentences/said.ts'
import { post, signInTo, signInWith } from '../session/session.ts'
import { ownName } from '../state/own-name.ts'
import { ofFirstRun as t } from '../texts/rooms.ts'
import { presentLanguage } from '../texts/texts.ts'

/** Storage key for the secret of the link. */
const secretKey = ownName('firstRun')

interface Completed {
  readonly organization: { readonly name: string }
  readonly username: string
  readonly hasSample: boolean
}

/** Screen behind the link of the first start: names the organization and creates its administrator, once. */
class FirstRun extends Screen {
  static override styles = css`
    form,
    .done {
      max-width: 40rem;
    }
  `

  @state() completed: Completed | undefined
  /** Whether the password is shown while it is typed. */
  @state() isShown = false
  @state() password = ''
  @state() username = ''
  @state() organizationName = ''

  /**
   * Secret from the address, which is removed from the bar and the history. The tab keeps it until it is
   * used, so that the page can be loaded again.
   */
  #secret = ''
  readonly #action = new Action(this)

  readonly #state = new Reading(this, {
    autoRun: false,
    task: async (_, { signal }) => {
      if (this.#secret === '') return 'missing' as const
      const parameters = { secret: this.#secret }
      const { open } = await post<{ readonly open: boolean }>('/firstRun', parameters, signal)
      if (!open) window.sessionStorage.removeItem(secretKey)
      return open ? ('open' as const) : ('ended' as const)
    },
  })

  override connectedCallback(): void {
    super.connectedCallback()
    window.addEventListener('hashchange', this.#takeSecret)
    this.#takeSecret()
  }

  override disconnectedCallback(): void {
    super.disconnectedCallback()
    window.removeEventListener('hashchange', this.#takeSecret)
  }

  readonly #takeSecret = (): void => {
    const given = window.location.hash.slice(1)
    if (given === '') this.#secret = window.sessionStorage.getItem(secretKey) ?? ''
    else {
      this.#secret = given
      window.sessionStorage.setItem(secretKey, given)
      window.history.replaceState(null, '', hrefTo('firstRun'))
    }
    void this.#state.run()
  }

  override render() {
    if (this.completed) return this.#renderCompleted(this.completed)
    return html`<cartulary-heading text=${t('title')} note=${t('note')}></cartulary-heading>
      ${this.#state.show((state) => {
        if (state === 'open') return this.#renderForm()
        const words = state === 'ended' ? [t('ended'), t('endedText')] : [t('missing'), t('missingText')]
        return html`<cartulary-empty icon="key" heading=${words[0]!} text=${words[1]!}>
            ${button(t('home'), { href: hrefTo('home') })}
          </cartulary-empty>`
      })}`
  }

  #renderForm() {
    const { username, password, organizationName } = this
    const usernameProblem = username === '' ? undefined : findUsernameProblem(username.trim())
    const context = { username: username.trim() || undefined, organization: organizationName.trim() || undefined }
    // The server checks for common passwords, as it has the list.
    const passwordProblem =
      password === '' ? undefined : findPasswordProblem({ text: password, isCommon: false }, context)
    return html`<form class="panel" @submit=${this.#complete}>
      ${enterSubmits}
      ${field('organizationName', t('organizationName'), {
        autocomplete: 'organization',
        max: portalNameLength,
        required: true,
        onInput: (event: Event) => (this.organizationName = textOf(event)),
      })}
      <fieldset class="stack">
        <legend>${t('administrator')}</legend>
        ${field('username', t('username'), { max: usernameLength.max, required: true, autocomplete: 'username', isCode: true, describedBy: 'username-problem', onChange: (event) => (this.username = textOf(event)), hint: t('usernameHint', { minimum: usernameLength.min, maximum: usernameLength.max }) })}
        <div class="problem" id="username-problem" role="status">${usernameProblem ? said(usernameProblem) : nothing}</div>
        ${field('password', t('password'), { type: this.isShown ? 'text' : 'password', max: passwordLength.max, required: true, autocomplete: 'new-password', isCode: true, describedBy: 'password-problem', onChange: (event) => (this.password = textOf(event)), hint: t('passwordHint', { minimum: passwordLength.min, maximum: passwordLength.max }) })}
        <div class="problem" id="password-problem" role="status">${passwordProblem ? said(passwordProblem) : nothing}</div>
        ${tick(t('showPassword'), this.isShown, { onChange: (ticked) => (this.isShown = ticked) })}
        ${field('fullName', t('fullName'), { autocomplete: 'name', max: profileLimits.name, hint: t('optional') })}
        ${field('email', t('email'), { type: 'email', autocomplete: 'email', max: profileLimits.name, hint: t('optional') })}
      </fieldset>
      ${tick(t('sample'), false, { name: 'sampleContent', value: 'true' })}
      <cartulary-problem .error=${this.#action.error}></cartulary-problem>
      <div>${button(t('complete'), { type: 'submit', variant: 'brand', loading: this.#action.isRunning })}</div>
    </form>`
  }

  #renderCompleted({ organization, username, hasSample }: Completed) {
    return html`<cartulary-heading text=${t('done', { organization: organization.name })}></cartulary-heading>
      <div class="stack done">
        <p>${t(hasSample ? 'doneTextSample' : 'doneText', { username })}</p>
        <cartulary-problem .error=${this.#action.error}></cartulary-problem>
        <div>
          ${button(t('signIn'), { id: 'sign-in', variant: 'brand', onClick: () => this.#action.run(() => signInTo(placeAfter, username)) })}
        </div>
      </div>`
  }

  async #complete(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const fields = readFields(event.target as HTMLFormElement)
    await this.#action.run(async () => {
      const parameters = { ...fields, language: presentLanguage(), secret: this.#secret }
      const answer = await post<Omit<Completed, 'hasSample'>>('/firstRun/complete', parameters)
      this.completed = { ...answer, hasSample: fields['sampleContent'] === 'true' }
      window.sessionStorage.removeItem(secretKey)
      await signInWith(placeAfter, answer.username, String(fields['password']))
    })
    await this.focusOn('#sign-in')
  }
}

/** Category editor, as an address below the application. */
const placeAfter = hrefTo('organizationSchema').slice(base.href.length)

customElements.define('cartulary-first-run', FirstRun)
