import { choice } from '../elements/fields.ts'
import { Action, button, PageElement } from '../elements/page.ts'
import '../elements/popup.ts'
import { css, html, nothing } from 'lit'
import { renderLanguageSelect } from '../elements/language-select.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { screens } from '../screens.ts'
import type { SignedIn } from '../session/person.ts'
import { signedIn, signIn, signOut } from '../session/session.ts'
import { presentTheme, setTheme, themeChanges, themes } from '../session/theme.ts'
import { namesOf } from '../texts/names.ts'
import { ofFrame as t } from '../texts/rooms.ts'

/** Account menu: the signed-in person, language and colours, sign-in and sign-out. */
class AccountMenu extends PageElement {
  static override styles = css`
    .name {
      font-weight: 600;
    }
  `

  readonly #action = new Action(this)

  override render() {
    const person = signedIn()
    return html`<div class="row">
      <cartulary-problem .error=${this.#action.error}></cartulary-problem>
      ${person ? nothing : button(t('signIn'), { variant: 'brand', onClick: () => this.#action.run(signIn) })}
      <cartulary-popup label=${person ? t('account') : t('settings')} icon=${person ? 'user' : 'globe'}>
        <div class="stack" @click=${this.#closeByLink}>
          ${person ? renderNames(person) : nothing}
          ${person && screens.you ? html`<a href=${hrefTo('you')}>${t('you')}</a>` : nothing}
          <label class="field"><span>${t('language')}</span>
            ${renderLanguageSelect()}
          </label>
          ${choice('', t('theme'), themes, (theme) => t(`theme_${theme}`), presentTheme(), { isLive: true, onChange: setTheme })}
          ${person ? button(t('signOut'), { icon: 'sign-out', onClick: () => this.#action.run(signOut) }) : nothing}
        </div>
      </cartulary-popup>
    </div>`
  }

  #closeByLink(event: Event): void {
    if (event.target instanceof HTMLAnchorElement) this.renderRoot.querySelector('cartulary-popup')?.close()
  }

  constructor() {
    super()
    themeChanges.watch(() => this.requestUpdate())
  }
}

function renderNames(person: SignedIn) {
  const { name, username } = namesOf(person.username, person.fullName)
  return html`<p class="name"><bdi>${name}</bdi>${username === undefined ? nothing : html`<br><span class="quiet"><bdi>${username}</bdi></span>`}</p>`
}

customElements.define('cartulary-account-menu', AccountMenu)
