import { css, html, nothing } from 'lit'
import { property } from 'lit/decorators.js'
import { signedIn } from '../session/session.ts'
import { directionOf } from '../texts/languages.ts'
import { titleOfPage } from '../texts/names.ts'
import { ofElements as t } from '../texts/rooms.ts'
import { presentLanguage } from '../texts/texts.ts'
import type { IconName } from './icon-shapes.ts'
import { PageElement } from './page.ts'

/** Heading of a screen, which is the title of the page too, with its actions beside it. */
class Heading extends PageElement {
  static override styles = css`
    header.row {
      gap: 0.75rem 1rem;
      margin-block-end: 1.25rem;
    }
    @media (min-width: 60rem) {
      .words {
        flex-basis: 16rem;
      }
    }
    p {
      margin-block-start: 0.25rem;
      color: var(--wa-color-text-quiet);
    }
    /* Actions stay together: those that have no room beside the title stand below it, from its start. */
    .actions {
      gap: 0.5rem;
      max-width: 100%;
    }
  `

  /** Title of the screen, in the language of the person. */
  @property() text!: string
  /** Optional sentence below it. */
  @property() note: string | undefined

  override render() {
    return html`<header class="row">
      <div class="words">
        <h1 tabindex="-1"><bdi>${this.text}</bdi></h1>
        ${this.note ? html`<p><bdi>${this.note}</bdi></p>` : ''}
      </div>
      <div class="row actions"><slot></slot></div>
    </header>`
  }

  override updated(): void {
    const portal = signedIn()?.portal.name
    document.title = titleOfPage(this.text, portal, directionOf(presentLanguage()))
  }

  override focus(): void {
    this.renderRoot.querySelector('h1')?.focus()
  }
}

customElements.define('cartulary-heading', Heading)

/** Loading state. */
class Loading extends PageElement {
  static override styles = css`
    div {
      padding-block: 2rem;
      justify-content: center;
    }
  `

  override render() {
    return html`<div class="row quiet" role="status"><wa-spinner aria-hidden="true"></wa-spinner>${t('loading')}</div>`
  }
}

/** Empty state: that there is nothing to show, and why; its slot has what can be done about it. */
class Empty extends PageElement {
  static override styles = css`
    div {
      display: grid;
      justify-items: center;
      gap: 0.75rem;
      padding: 2.5rem 1rem;
      text-align: center;
      border: 1px dashed var(--wa-color-neutral-border-normal);
      border-radius: 0.5rem;
    }
    wa-icon {
      font-size: 2rem;
      color: var(--wa-color-text-quiet);
    }
    p {
      max-width: 34rem;
    }
  `

  @property() icon!: IconName
  @property() heading!: string
  @property() text: string | undefined

  override render() {
    return html`<div>
      <wa-icon name=${this.icon}></wa-icon>
      <strong>${this.heading}</strong>
      ${this.text ? html`<p class="quiet">${this.text}</p>` : nothing}
      <slot></slot>
    </div>`
  }
}

customElements.define('cartulary-loading', Loading)
customElements.define('cartulary-empty', Empty)
