import '../elements/popup.ts'
import { css, html, nothing } from 'lit'
import { property } from 'lit/decorators.js'
import type { IconName } from '../elements/icon-shapes.ts'
import { PageElement } from '../elements/page.ts'
import { hrefTo, type Place } from '../navigation/navigation.ts'
import { type PathName, paths } from '../navigation/paths.ts'
import { mayOpen } from '../session/may-open.ts'
import { ofFrame as t } from '../texts/rooms.ts'

const entries = {
  home: 'home',
  organizationSchema: 'tree',
  groups: 'users',
  content: 'folder',
  collaborations: 'share',
  people: 'user',
  requests: 'clock',
  organizationSettings: 'building',
  log: 'list',
  system: 'gauge',
} as const satisfies Partial<Record<PathName, IconName>>

const names = Object.keys(entries) as readonly (keyof typeof entries)[]

/** Whether the menu leads to a screen. Requests are a part of people, for those who have no use for the first one of that family. */
function isListed(name: keyof typeof entries): boolean {
  return name === 'requests' ? !mayOpen('people') : mayOpen(name)
}

/** Navigation to the screens: a column beside them, with what is in the element below it, or with `narrow` a menu that opens on demand. */
class MainMenu extends PageElement {
  static override styles = css`
    .wide {
      display: none;
      position: sticky;
      top: 0;
      padding: 1rem 0.75rem;
    }
    @media (min-width: 60rem) {
      .wide {
        display: block;
      }
      cartulary-popup {
        display: none;
      }
    }
    ul {
      display: grid;
      gap: 0.125rem;
    }
    a {
      gap: 0.75rem;
      align-items: center;
      min-height: 2.5rem;
      padding: 0.25rem 0.75rem;
    }
  `

  @property({ type: Boolean }) narrow = false
  @property({ attribute: false }) place!: Place

  override render() {
    if (!this.narrow) {
      return html`<div class="wide"><nav aria-label=${t('menu')}>${this.#renderList()}</nav><slot></slot></div>`
    }
    return html`<cartulary-popup label=${t('menu')} icon="menu">
      <nav aria-label=${t('menu')} @click=${() => this.renderRoot.querySelector('cartulary-popup')?.close()}>${this.#renderList()}</nav>
    </cartulary-popup>`
  }

  #renderList() {
    // The first segment of an address identifies the part of the application.
    const part = this.place.name && paths[this.place.name].split('/')[1]
    return html`<ul role="list" class="links">
      ${names.filter(isListed).map(
        (name) => html`<li>
          <a href=${hrefTo(name)} aria-current=${paths[name].split('/')[1] === part ? 'page' : nothing}>
            <wa-icon name=${entries[name]}></wa-icon><span>${t(name === 'organizationSettings' ? 'settings' : name)}</span>
          </a>
        </li>`,
      )}
    </ul>`
  }
}

customElements.define('cartulary-main-menu', MainMenu)
