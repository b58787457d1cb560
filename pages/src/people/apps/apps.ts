import '../../forms/secret.ts'
import { html, nothing } from 'lit'
import { state } from 'lit/decorators.js'
import { isPrivilege } from '../../../../src/call/privilege.ts'
import type { WireApp } from '../../../../src/http/shapes/oauth/app.ts'
import type { WirePage } from '../../../../src/http/shapes/page.ts'
import { defaultPrivileges } from '../../../../src/oauth/apps/registration.ts'
import { choice, field, readFields, textField, tick } from '../../elements/fields.ts'
import { pageSize, startOf } from '../../elements/lists/page-parts.ts'
import { renderPager } from '../../elements/lists/table.ts'
import { Action, announce, button, Reading, Screen } from '../../elements/page.ts'
import { hrefTo } from '../../navigation/navigation.ts'
import { clientId } from '../../session/oauth.ts'
import { call, contentPath, itemPath, may, post, signedIn } from '../../session/session.ts'
import { ofPeople as family, ofPeopleRoles, ofPeopleApps as t } from '../../texts/rooms.ts'
import { areas, privilegesIn } from '../privileges/areas.ts'
import { describePrivilege } from '../privileges/describe-privilege.ts'
import { renderPeopleTabs } from '../tabs.ts'

type AppsAnswer = WirePage<'apps', WireApp> & { readonly builtIn: readonly WireApp[] }

const kinds = ['server', 'browser', 'native', 'multiple'] as const

/** Days for which a secret is valid (chosen). */
const lifetimes = ['30', '90', '180', '365', '730'] as const

const pathOf = ({ client_id: id }: WireApp) => `/oauth2/apps/${encodeURIComponent(id)}`

/** Apps of the organization: to be registered, given another secret, and switched off and on. */
class Apps extends Screen {
  /** App that a dialog is about. */
  @state() asked: WireApp | undefined
  /** App with the secret that was just made, which is shown once. */
  @state() made: WireApp | undefined

  readonly #action = new Action(this)

  readonly #page = new Reading(this, {
    args: () => [startOf(this.query)],
    task: async ([start], { signal }) => {
      const page = await call<AppsAnswer>('/oauth2/apps', { start, num: pageSize }, { signal })
      // The list does not have their last uses.
      const apps = page.apps.map((app) => (app.hasSecret ? call<WireApp>(pathOf(app), {}, { signal }) : app))
      return { ...page, apps: await Promise.all(apps) }
    },
  })

  override render() {
    const { asked, made } = this
    const lifetime = choice('expiration', t('lifetime'), lifetimes, (days) => t('days', { count: Number(days) }), '365')
    return html`<cartulary-heading text=${family('apps')} note=${t('note')}>
        ${may('addItem') ? button(t('register'), { icon: 'plus', variant: 'brand', onClick: () => this.openDialog('#registering') }) : nothing}
      </cartulary-heading>
      ${renderPeopleTabs('apps')}
      <div class="stack">
        <cartulary-problem .error=${this.#action.error}></cartulary-problem>
        <div role="status">${
          made?.client_secret === undefined
            ? nothing
            : html`<section class="panel stack">
                <cartulary-secret label=${t('secretOf', { title: made.title })} .value=${made.client_secret}></cartulary-secret>
                <p>${t('secretText')}</p>
              </section>`
        }</div>
        ${this.#page.showLatest((page) => this.#renderPage(page))}
      </div>
      <cartulary-dialog-form
        id="registering" heading=${t('register')} action=${t('registerAction')} .work=${this.#register} @done=${() => this.#page.run()}
      >
        ${field('title', t('title'), { max: 64, required: true })}
        ${choice('appType', t('kind'), kinds, (kind) => t(`kind_${kind}`), 'server')}
        ${textField('addresses', t('addresses'), { rows: 2, hint: t('addressesHint') })}
        ${lifetime}
        <details>
          <summary>${t('privileges')}</summary>
          <div class="stack">${areas
            .filter((area) => area !== 'none')
            .map(
              (area) => html`<fieldset>
                <legend>${ofPeopleRoles(`area_${area}`)}</legend>
                ${privilegesIn(area).map((each) => tick(describePrivilege(each), defaultPrivileges.includes(each), { name: each }))}
              </fieldset>`,
            )}</div>
        </details>
      </cartulary-dialog-form>
      <cartulary-dialog-form
        id="renewing" heading=${t('renewHeading', { title: asked?.title ?? '' })} action=${t('renew')} .work=${async () => (this.made = await post(`${pathOf(asked!)}/renewSecret`, readFields(this.dialogOf('#renewing'))))} @done=${() => this.#page.run()}
      >
        <p>${t('renewText')}</p>
        ${lifetime}
      </cartulary-dialog-form>
      <cartulary-dialog-form
        id="off" danger heading=${t('offHeading', { title: asked?.title ?? '' })} action=${t('switchOff')} .work=${() => this.#set(asked!, true)}
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
    const { title, client_id: id, owner, appType, redirect_uris: addresses, disabled, secretExpires, builtIn } = app
    const { lastUses } = app
    const privileges = app.privileges.filter(isPrivilege).map(describePrivilege)
    return html`<section class="panel stack">
      <div class="row">
        <h3 class="words"><bdi>${title}</bdi></h3>
        ${builtIn ? html`<wa-tag size="s" variant="brand">${t('builtInOne')}</wa-tag>` : nothing}
        <wa-tag size="s" variant=${disabled ? 'warning' : 'success'}>${t(disabled ? 'off' : 'on')}</wa-tag>
        ${app.hasSecret ? this.#renderRenewal(app) : nothing} ${id === clientId ? nothing : this.#renderSwitch(app)}
      </div>
      ${id === clientId ? html`<p class="quiet">${t('ownOnly')}</p>` : nothing}
      <dl class="facts">
        <dt>${t('clientId')}</dt><dd><code>${id}</code></dd>
        ${owner === null ? nothing : html`<dt>${t('owner')}</dt><dd><a href=${hrefTo('person', { username: owner })}>${owner}</a></dd>`}
        <dt>${t('kind')}</dt><dd>${t(`kind_${appType}`)}</dd>
        ${addresses.length === 0 ? nothing : html`<dt>${t('addresses')}</dt><dd>${addresses.map((address) => html`<div><code>${address}</code></div>`)}</dd>`}
        ${builtIn ? nothing : html`<dt>${t('registered')}</dt><dd><cartulary-moment value=${app.registered}></cartulary-moment></dd>`}
        ${secretExpires === null ? nothing : html`<dt>${t('secretEnds')}</dt><dd><cartulary-moment value=${secretExpires}></cartulary-moment></dd>`}
        ${lastUses === undefined ? nothing : html`<dt>${t('lastUse')}</dt><dd>${lastUses[0] ? html`<cartulary-moment value=${lastUses[0].at}></cartulary-moment> · <code>${lastUses[0].address}</code>` : t('unused')}</dd>`}
        ${builtIn || privileges.length === 0 ? nothing : html`<dt>${t('privileges')}</dt><dd>${privileges.map((words) => html`<div>${words}</div>`)}</dd>`}
      </dl>
    </section>`
  }

  /** Makes another secret, or ends the one before it. */
  #renderRenewal(app: WireApp) {
    const { hasFormerSecret, title } = app
    const end = () => this.#action.run(() => post(`${pathOf(app)}/endFormerSecret`)).then(() => this.#page.run())
    return button(html`${t(hasFormerSecret ? 'endFormer' : 'renew')}<span class="visually-hidden"> ${title}</span>`, {
      appearance: 'outlined',
      size: 's',
      onClick: hasFormerSecret ? end : () => this.#ask(app, '#renewing'),
    })
  }

  /** Registers it for an item of its own, which goes if the registration is refused. */
  readonly #register = async (): Promise<void> => {
    const { title = '', appType, addresses = '', expiration, ...ticked } = readFields(this.dialogOf('#registering'))
    const { username } = signedIn()!
    const { id } = await post<{ readonly id: string }>(`${contentPath(username)}/addItem`, {
      title,
      type: 'Application',
    })
    try {
      this.made = await post<WireApp>('/oauth2/registerApp', {
        itemId: id,
        appType,
        redirect_uris: JSON.stringify(addresses.split(/\s+/).filter(Boolean)),
        privileges: JSON.stringify(Object.keys(ticked)),
        expiration,
      })
    } catch (error) {
      await post(`${itemPath(username, id)}/delete`).catch(() => {})
      throw error
    }
  }

  /** One button for both, which keeps the focus. */
  #renderSwitch(app: WireApp) {
    const { title, disabled } = app
    return button(html`${t(disabled ? 'switchOn' : 'switchOff')}<span class="visually-hidden"> ${title}</span>`, {
      variant: disabled ? 'neutral' : 'danger',
      appearance: 'outlined',
      size: 's',
      loading: disabled && this.#action.isRunning,
      onClick: () => (disabled ? this.#switchOn(app) : this.#ask(app, '#off')),
    })
  }

  #ask(app: WireApp, dialog: string): Promise<void> {
    this.asked = app
    return this.openDialog(dialog)
  }

  async #switchOn(app: WireApp): Promise<void> {
    if (await this.#action.run(() => this.#set(app, false))) await this.#readAgain()
  }

  async #set(app: WireApp, disabled: boolean): Promise<void> {
    await post(`${pathOf(app)}/update`, { disabled })
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
