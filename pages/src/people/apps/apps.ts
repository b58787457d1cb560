import { html, nothing } from 'lit'
import { query, state } from 'lit/decorators.js'
import type { WireApp } from '../../../../src/http/shapes/oauth/app.ts'
import type { WirePage } from '../../../../src/http/shapes/page.ts'
import type { DialogForm } from '../../elements/dialog-form.ts'
import { pageSize, startOf } from '../../elements/lists/page-parts.ts'
import { renderPager } from '../../elements/lists/table.ts'
import { Action, announce, button, Reading, Screen } from '../../elements/page.ts'
import { hrefTo } from '../../navigation/navigation.ts'
import { clientId } from '../../session/oauth.ts'
import { call, post } from '../../session/session.ts'
import { ofPeople as family, ofPeopleApps as t } from '../../texts/rooms.ts'
import { renderPeopleTabs } from '../tabs.ts'

type AppsAnswer = WirePage<'apps', WireApp> & { readonly builtIn: readonly WireApp[] }

/** Apps of the organization, each to be switched off and on. */
class Apps extends Screen {
  /** App that is to be switched off, while the dialog asks. */
  @state() asked: WireApp | undefined
  @query('cartulary-dialog-form') dialog!: DialogForm

  readonly #action = new Action(this)

  readonly #page = new Reading(this, {
    args: () => [startOf(this.query)],
    task: ([start], { signal }) => call<AppsAnswer>('/oauth2/apps', { start, num: pageSize }, { signal }),
  })

  override render() {
    const { asked } = this
    return html`<cartulary-heading text=${family('apps')} note=${t('note')}></cartulary-heading>
      ${renderPeopleTabs('apps')}
      <div class="stack">
        <cartulary-problem .error=${this.#action.error}></cartulary-problem>
        ${this.#page.showLatest((page) => this.#renderPage(page))}
      </div>
      <cartulary-dialog-form
        danger heading=${t('offHeading', { title: asked?.title ?? '' })} action=${t('switchOff')} .work=${() => this.#set(asked!, true)}
        @done=${this.#readAgain}
      >
        <p>${t('offText')}</p>
      </cartulary-dialog-form>`
  }

  #renderPage(page: AppsAnswer) {
    const { apps, builtIn } = page
    return html`<h2>${t('own')}</h2>
      ${apps.length === 0 ? html`<cartulary-empty icon="key" heading=${t('none')} text=${t('noneText')}></cartulary-empty>` : apps.map((app) => this.#renderApp(app))}
      ${renderPager(page)}
      <h2>${t('builtIn')}</h2>
      ${builtIn.map((app) => this.#renderApp(app))}`
  }

  #renderApp(app: WireApp) {
    const {
      title,
      client_id: id,
      owner,
      appType,
      redirect_uris: addresses,
      disabled,
      registered,
      secretExpires,
      builtIn,
    } = app
    return html`<section class="panel stack">
      <div class="row">
        <h3 class="words"><bdi>${title}</bdi></h3>
        ${builtIn ? html`<wa-tag size="s" variant="brand">${t('builtInOne')}</wa-tag>` : nothing}
        <wa-tag size="s" variant=${disabled ? 'warning' : 'success'}>${t(disabled ? 'off' : 'on')}</wa-tag>
        ${id === clientId ? nothing : this.#renderSwitch(app)}
      </div>
      ${id === clientId ? html`<p class="quiet">${t('ownOnly')}</p>` : nothing}
      <dl class="facts">
        <dt>${t('clientId')}</dt><dd><code>${id}</code></dd>
        ${owner === null ? nothing : html`<dt>${t('owner')}</dt><dd><a href=${hrefTo('person', { username: owner })}>${owner}</a></dd>`}
        <dt>${t('kind')}</dt><dd>${t(`kind_${appType}`)}</dd>
        ${addresses.length === 0 ? nothing : html`<dt>${t('addresses')}</dt><dd>${addresses.map((address) => html`<div><code>${address}</code></div>`)}</dd>`}
        ${builtIn ? nothing : html`<dt>${t('registered')}</dt><dd><cartulary-moment value=${registered}></cartulary-moment></dd>`}
        ${secretExpires === null ? nothing : html`<dt>${t('secretEnds')}</dt><dd><cartulary-moment value=${secretExpires}></cartulary-moment></dd>`}
      </dl>
    </section>`
  }

  /** One button for both, which keeps the focus. */
  #renderSwitch(app: WireApp) {
    const { title, disabled } = app
    return button(html`${t(disabled ? 'switchOn' : 'switchOff')}<span class="visually-hidden"> ${title}</span>`, {
      variant: disabled ? 'neutral' : 'danger',
      appearance: 'outlined',
      size: 's',
      loading: disabled && this.#action.isRunning,
      onClick: () => (disabled ? this.#switchOn(app) : this.#ask(app)),
    })
  }

  #ask(app: WireApp): void {
    this.asked = app
    this.dialog.open()
  }

  async #switchOn(app: WireApp): Promise<void> {
    if (await this.#action.run(() => this.#set(app, false))) await this.#readAgain()
  }

  async #set({ client_id: id }: WireApp, disabled: boolean): Promise<void> {
    await post(`/oauth2/apps/${encodeURIComponent(id)}/update`, { disabled })
  }

  readonly #readAgain = async (): Promise<void> => {
    await this.#page.run()
    const { title = '', client_id: id } = this.asked ?? {}
    const app = [...(this.#page.value?.apps ?? []), ...(this.#page.value?.builtIn ?? [])].find(
      (each) => each.client_id === id,
    )
    if (app) announce(`${title}: ${t(app.disabled ? 'off' : 'on')}`)
  }
}

customElements.define('cartulary-apps', Apps)
