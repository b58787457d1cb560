import '@awesome.me/webawesome/dist/components/icon/icon.js'
import { css, html, nothing } from 'lit'
import type { IconName } from '../elements/icon-shapes.ts'
import { PageElement } from '../elements/page-element.ts'
import { hrefTo, type Place } from '../navigation/navigation.ts'
import { type PathName, paths } from '../navigation/paths.ts'
import { screens } from '../screens.ts'
import { t } from './texts.ts'

type Entry = readonly [PathName, IconName, () => string]

const entries: readonly Entry[] = [
  ['home', 'home', () => t('home')],
  ['organizationSchema', 'tree', () => t('organizationSchema')],
  ['groups', 'users', () => t('groups')],
  ['content', 'folder', () => t('content')],
  ['collaborations', 'share', () => t('collaborations')],
  ['people', 'user', () => t('people')],
  ['log', 'list', () => t('log')],
  ['system', 'gauge', () => t('system')],
]

/** The way to the screens: a column beside them, or with `narrow` a menu that opens where there is no room for one. */
class MainMenu extends PageElement {
  static override properties = { narrow: { type: Boolean }, place: { attribute: false } }

  static override styles = [
    ...PageElement.styles,
    css`
      :host([narrow]) {
        position: relative;
      }
      nav.wide {
        display: none;
        position: sticky;
        top: 0;
        padding: 1rem 0.75rem;
      }
      @media (min-width: 60rem) {
        nav.wide {
          display: block;
        }
        details {
          display: none;
        }
      }
      ul {
        display: grid;
        gap: 0.125rem;
      }
      a {
        display: flex;
        gap: 0.75rem;
        align-items: center;
        min-height: 2.5rem;
        padding: 0.25rem 0.75rem;
        border-radius: 0.375rem;
        color: var(--wa-color-text-normal);
        text-decoration: none;
      }
      a:hover {
        background: var(--wa-color-neutral-fill-quiet);
      }
      a[aria-current] {
        background: var(--wa-color-brand-fill-quiet);
        color: var(--wa-color-brand-on-quiet);
        font-weight: 600;
      }
      summary {
        display: grid;
        place-items: center;
        width: 2.5rem;
        height: 2.5rem;
        border-radius: 0.375rem;
        list-style: none;
        cursor: pointer;
      }
      summary::-webkit-details-marker {
        display: none;
      }
      details nav {
        position: absolute;
        inset-inline-start: 0;
        top: 2.75rem;
        z-index: 5;
        width: min(18rem, calc(100vw - 2rem));
        padding: 0.5rem;
        border: 1px solid var(--wa-color-surface-border);
        border-radius: 0.5rem;
        background: var(--wa-color-surface-raised);
        box-shadow: 0 0.5rem 1.5rem var(--wa-color-shadow);
      }
    `,
  ]

  declare narrow: boolean
  declare place: Place

  override render() {
    if (!this.narrow) return html`<nav class="wide" aria-label=${t('menu')}>${this.#renderList()}</nav>`
    return html`<details @keydown=${this.#closeByKey} @focusout=${this.#closeBehind}>
      <summary aria-label=${t('menu')}><wa-icon name="menu"></wa-icon></summary>
      <nav aria-label=${t('menu')} @click=${this.#close}>${this.#renderList()}</nav>
    </details>`
  }

  #renderList() {
    // The part of the application that a screen belongs to is the first segment of its address.
    const part = this.place.name && paths[this.place.name].split('/')[1]
    return html`<ul role="list">
      ${entries
        .filter(([name]) => screens[name])
        .map(([name, icon, label]) => {
          const isPresent = paths[name].split('/')[1] === part
          return html`<li>
            <a href=${hrefTo(name)} aria-current=${isPresent ? 'page' : nothing}>
              <wa-icon name=${icon}></wa-icon><span>${label()}</span>
            </a>
          </li>`
        })}
    </ul>`
  }

  #close(): void {
    this.renderRoot.querySelector('details')?.removeAttribute('open')
  }

  #closeByKey(event: KeyboardEvent): void {
    if (event.key !== 'Escape') return
    this.#close()
    this.renderRoot.querySelector('summary')?.focus()
  }

  #closeBehind(event: FocusEvent): void {
    const next = event.relatedTarget
    if (next instanceof Node && !this.renderRoot.contains(next)) this.#close()
  }
}

customElements.define('cartulary-main-menu', MainMenu)
