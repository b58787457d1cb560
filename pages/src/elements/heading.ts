import { css, html } from 'lit'
import { property } from 'lit/decorators.js'
import { signedIn } from '../session/session.ts'
import { directionOf } from '../texts/languages.ts'
import { titleOfPage } from '../texts/names.ts'
import { presentLanguage } from '../texts/texts.ts'
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
