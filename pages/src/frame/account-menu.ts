import '@awesome.me/webawesome/dist/components/button/button.js'
import '@awesome.me/webawesome/dist/components/divider/divider.js'
import '@awesome.me/webawesome/dist/components/dropdown/dropdown.js'
import '@awesome.me/webawesome/dist/components/dropdown-item/dropdown-item.js'
import '@awesome.me/webawesome/dist/components/icon/icon.js'
import { html, nothing } from 'lit'
import { PageElement } from '../elements/page-element.ts'
import { goTo, hrefTo } from '../navigation/navigation.ts'
import { screens } from '../screens.ts'
import { signedIn, signIn, signOut } from '../session/session.ts'
import { type Language, languageNames } from '../texts/languages.ts'
import { presentLanguage, setLanguage } from '../texts/texts.ts'
import { t } from './texts.ts'
import { presentTheme, setTheme, type Theme } from './theme.ts'

const themes = { system: 'computer', light: 'sun', dark: 'moon' } as const

/** Who is signed in; language and colours; the way in and out. */
class AccountMenu extends PageElement {
  override render() {
    const person = signedIn()
    const theme = presentTheme()
    return html`<div class="row">
      <wa-dropdown @wa-select=${this.#chooseLanguage}>
        <wa-button slot="trigger" appearance="plain" with-caret>
          <wa-icon name="globe" label=${t('language')}></wa-icon>
        </wa-button>
        ${Object.entries(languageNames).map(
          ([language, name]) => html`<wa-dropdown-item
            type="checkbox" value=${language} lang=${language} ?checked=${language === presentLanguage()}
          >${name}</wa-dropdown-item>`,
        )}
      </wa-dropdown>
      <wa-dropdown @wa-select=${this.#chooseTheme}>
        <wa-button slot="trigger" appearance="plain" with-caret>
          <wa-icon name=${themes[theme]} label=${t('theme')}></wa-icon>
        </wa-button>
        ${(Object.keys(themes) as Theme[]).map(
          (each) => html`<wa-dropdown-item type="checkbox" value=${each} ?checked=${each === theme}>
            <wa-icon slot="icon" name=${themes[each]}></wa-icon>${t(`theme_${each}`)}
          </wa-dropdown-item>`,
        )}
      </wa-dropdown>
      ${
        person
          ? html`<wa-dropdown @wa-select=${this.#chooseAccount}>
              <wa-button slot="trigger" appearance="plain" with-caret>
                <wa-icon slot="start" name="user"></wa-icon>${person.username}
              </wa-button>
              ${
                screens.you
                  ? html`<wa-dropdown-item value="you"><wa-icon slot="icon" name="key"></wa-icon>${t('you')}</wa-dropdown-item>`
                  : nothing
              }
              <wa-dropdown-item value="out">
                <wa-icon slot="icon" name="sign-out"></wa-icon>${t('signOut')}
              </wa-dropdown-item>
            </wa-dropdown>`
          : html`<wa-button variant="brand" @click=${signIn}>${t('signIn')}</wa-button>`
      }
    </div>`
  }

  #chooseLanguage(event: CustomEvent<{ readonly item: { readonly value: string } }>): void {
    void setLanguage(event.detail.item.value as Language)
  }

  #chooseTheme(event: CustomEvent<{ readonly item: { readonly value: string } }>): void {
    setTheme(event.detail.item.value as Theme)
    this.requestUpdate()
  }

  #chooseAccount(event: CustomEvent<{ readonly item: { readonly value: string } }>): void {
    if (event.detail.item.value === 'you') goTo(hrefTo('you'))
    else void signOut()
  }
}

customElements.define('cartulary-account-menu', AccountMenu)
