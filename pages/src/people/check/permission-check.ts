import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/callout/callout.js'
import '@awesome.me/webawesome/dist/components/icon/icon.js'
import '../../elements/heading.ts'
import '../../elements/problem.ts'
import '../../elements/states.ts'
import { Task, TaskStatus } from '@lit/task'
import { css, html, nothing } from 'lit'
import type { permissionShape } from '../../../../src/http/shapes/directory/permission.ts'
import type { WireUser } from '../../../../src/http/shapes/directory/user.ts'
import type { ValueOf } from '../../../../src/http/shapes/shape.ts'
import { announce } from '../../elements/announce.ts'
import { readFields } from '../../elements/fields.ts'
import { Screen } from '../../elements/screen.ts'
import { enterSubmits, formStyle } from '../../forms/form-style.ts'
import { base, goTo, hrefTo } from '../../navigation/navigation.ts'
import { call, signedIn } from '../../session/session.ts'
import { renderPeopleTabs } from '../tabs.ts'
import { t as family } from '../texts.ts'
import { type ApiDescription, type CheckedOperation, findOperations, listCheckedOperations } from './operations.ts'
import { t } from './texts.ts'

type Verdict = ValueOf<typeof permissionShape>

/** "May this person do that?": the question is the address, so that it can be sent to others. */
class PermissionCheck extends Screen {
  static override properties = {
    ...Screen.properties,
    words: { state: true },
    chosen: { state: true },
    suggested: { state: true },
  }

  static override styles = [
    ...Screen.styles,
    ...formStyle,
    css`
      .answer {
        font-size: 1.25rem;
        font-weight: 600;
      }
    `,
  ]

  /** What the operations are searched by. */
  declare words: string
  /** The operation that is chosen in the form; the address has the one that is asked about. */
  declare chosen: string | undefined
  /** Usernames that fit what is typed. */
  declare suggested: readonly string[]

  #stopSuggesting = new AbortController()

  readonly #operations = new Task(this, {
    args: () => [],
    task: async (_, { signal }) => {
      const response = await fetch(new URL('openapi.json', base), { signal, credentials: 'omit' })
      return listCheckedOperations((await response.json()) as ApiDescription)
    },
  })

  readonly #verdict = new Task(this, {
    args: () => [this.query.toString(), this.#operations.value],
    task: async ([text, operations], { signal }) => {
      const query = new URLSearchParams(text)
      const operation = operations?.find(({ id }) => id === query.get('operation'))
      if (!operation) return undefined
      const target = Object.fromEntries(operation.targets.map((name) => [name, query.get(name) ?? '']))
      const parameters = query.get('parameters') ?? undefined
      return call<Verdict>(
        '/portals/self/permissionCheck',
        {
          user: query.get('user') ?? undefined,
          operation: operation.id,
          target: operation.targets.length > 0 ? JSON.stringify(target) : undefined,
          parameters,
        },
        { signal },
      )
    },
    onComplete: (verdict) => {
      if (verdict) announce(`${wordOf(verdict)}. ${verdict.reason}`)
    },
  })

  constructor() {
    super()
    this.words = ''
    this.suggested = []
  }

  override render() {
    return html`<cartulary-heading text=${family('check')} note=${t('note')}></cartulary-heading>
      ${renderPeopleTabs('permissionCheck')}
      <div class="stack">
        ${this.#operations.render({
          pending: () => html`<cartulary-loading></cartulary-loading>`,
          error: (error) =>
            html`<cartulary-problem .error=${error} can-retry @retry=${() => this.#operations.run()}></cartulary-problem>`,
          complete: (operations) => this.#renderForm(operations),
        })}
        ${this.#verdict.render({
          error: (error) => html`<cartulary-problem .error=${error}></cartulary-problem>`,
          complete: (verdict) => verdict && renderVerdict(verdict),
        })}
      </div>`
  }

  #renderForm(operations: readonly CheckedOperation[]) {
    const isAdministrator = signedIn()?.role === 'org_admin'
    const user = this.query.get('user') ?? signedIn()?.username ?? ''
    const chosen = operations.find(({ id }) => id === (this.chosen ?? this.query.get('operation')))
    const found = findOperations(operations, this.words)
    const shown = chosen && !found.includes(chosen) ? [chosen, ...found] : found
    return html`<form class="panel" @submit=${this.#ask}>
      ${enterSubmits}
      <div class="fields">
        <label class="field">
          <span>${t('person')}</span>
          <input
            name="user" required list="users" .value=${user} ?readonly=${!isAdministrator} @input=${this.#suggest}
            autocomplete="off" autocapitalize="none" spellcheck="false"
          />
          <small>${t(isAdministrator ? 'personHint' : 'onlyYou')}</small>
        </label>
        <datalist id="users">${this.suggested.map((username) => html`<option value=${username}></option>`)}</datalist>
        <label class="field">
          <span>${t('find')}</span>
          <input type="search" autocomplete="off" .value=${this.words} @input=${this.#find} />
          <small role="status">${t('matching', { count: found.length })}</small>
        </label>
        <label class="field">
          <span>${t('operation')}</span>
          <select name="operation" required @change=${this.#choose}>
            <option value="" ?selected=${!chosen}>${t('choose')}</option>
            ${[...new Set(shown.map(({ room }) => room))].map(
              (room) => html`<optgroup label=${room}>
                ${shown
                  .filter((operation) => operation.room === room)
                  .map(
                    ({ id, title }) =>
                      html`<option value=${id} ?selected=${id === chosen?.id}>${title} (${id})</option>`,
                  )}
              </optgroup>`,
            )}
          </select>
        </label>
        ${chosen?.targets.map(
          (name) => html`<label class="field">
            <span>${t('target', { name })}</span>
            <input name=${name} required .value=${this.query.get(name) ?? ''} autocomplete="off" autocapitalize="none" spellcheck="false" />
          </label>`,
        )}
      </div>
      <details ?open=${this.query.has('parameters')}>
        <summary>${t('parameters')}</summary>
        <label class="field">
          <span class="visually-hidden">${t('parameters')}</span>
          <textarea name="parameters" rows="3" spellcheck="false" .value=${this.query.get('parameters') ?? ''}></textarea>
          <small>${t('parametersHint')}</small>
        </label>
      </details>
      <div><wa-button type="submit" variant="brand" ?loading=${this.#verdict.status === TaskStatus.PENDING && this.query.has('operation')}>${t('ask')}</wa-button></div>
    </form>`
  }

  #find(event: Event): void {
    this.words = (event.target as HTMLInputElement).value
  }

  #choose(event: Event): void {
    this.chosen = (event.target as HTMLSelectElement).value
  }

  async #suggest(event: Event): Promise<void> {
    const typed = (event.target as HTMLInputElement).value.trim()
    this.#stopSuggesting.abort()
    this.#stopSuggesting = new AbortController()
    if (!/^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.-]*$/u.test(typed)) return
    try {
      const { results } = await call<{ readonly results: readonly WireUser[] }>(
        '/portals/self/users/search',
        { q: `${typed}*`, num: 10 },
        { signal: this.#stopSuggesting.signal },
      )
      this.suggested = results.map(({ username }) => username)
    } catch {
      // A username can be typed without suggestions.
    }
  }

  #ask(event: SubmitEvent): void {
    event.preventDefault()
    const question = hrefTo('permissionCheck', {}, readFields(event.target as HTMLFormElement))
    if (question === window.location.href) void this.#verdict.run()
    else goTo(question)
  }
}

function wordOf({ verdict, allowed }: Verdict): string {
  if (verdict === 'refusedNow') return t('yesBut')
  return t(allowed ? 'yes' : 'no')
}

function renderVerdict(verdict: Verdict) {
  const { allowed, reason, who, privilege, details = [], user } = verdict
  const isYes = allowed && verdict.verdict !== 'refusedNow'
  return html`<wa-callout variant=${isYes ? 'success' : allowed ? 'warning' : 'danger'}>
    <wa-icon slot="icon" name=${isYes ? 'check' : allowed ? 'warning' : 'circle-xmark'}></wa-icon>
    <div class="stack">
      <div class="answer">${wordOf(verdict)}</div>
      <p lang="en">${reason}</p>
      ${details.length > 0 ? html`<ul lang="en">${details.map((detail) => html`<li>${detail}</li>`)}</ul>` : nothing}
      <dl class="facts">
        <dt>${t('who')}</dt><dd lang="en">${who}</dd>
        ${privilege ? html`<dt>${t('missing')}</dt><dd><code>${privilege}</code></dd>` : nothing}
      </dl>
      <p><a href=${hrefTo('person', { username: user })}>${t('toPerson')}</a></p>
    </div>
  </wa-callout>`
}

customElements.define('cartulary-permission-check', PermissionCheck)
