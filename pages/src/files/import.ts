import { button, Screen } from '../elements/page.ts'
import './export/export.ts'
import '../tables/file-form.ts'
import './preview/preview.ts'
import './templates/templates.ts'
import { Task } from '@lit/task'
import { css, html, nothing } from 'lit'
import { state } from 'lit/decorators.js'
import { hrefTo } from '../navigation/navigation.ts'
import { ownerOf, screenOf } from '../owners/owners.ts'
import { readOwnerTitle } from '../schemas/requests.ts'
import type { ImportSource } from '../tables/import-source.ts'
import { ofFiles as t } from '../texts/rooms.ts'

/** Import of schemas from files and published lists, and export to files. `?template=` names the shown list. */
class Import extends Screen {
  static override styles = css`
    /* A list that is open leaves no gap between the other two. */
    .sides {
      grid-template-rows: auto 1fr;
    }
    .tall {
      grid-row: span 2;
    }
  `

  /** Source that is previewed before the import. */
  @state() source: ImportSource | undefined

  readonly #title = new Task(this, {
    args: () => [ownerOf(this.parameters)] as const,
    task: ([owner], { signal }) => readOwnerTitle(owner, signal),
  })

  override render() {
    const owner = ownerOf(this.parameters)
    return html`<cartulary-heading text=${t('heading')} note=${this.#title.value ?? ''}>
        ${button(t('toEditor'), { href: hrefTo(...screenOf(owner, 'Schema')) })}
      </cartulary-heading>
      <div class="stack">
        ${
          this.source
            ? html`<cartulary-import-preview
                .owner=${owner} .source=${this.source} @leave=${() => this.#look(undefined)}
              ></cartulary-import-preview>`
            : nothing
        }
        <div class="sides" ?hidden=${this.source !== undefined}>
          <section class="panel stack">
            <h2 tabindex="-1" id="import">${t('importHeading')}</h2>
            <cartulary-import-file @chosen=${this.#take}></cartulary-import-file>
          </section>
          <section class="panel stack tall">
            <h2>${t('templatesHeading')}</h2>
            <cartulary-templates
              .owner=${owner} .ownerTitle=${this.#title.value ?? ''} .name=${this.query.get('template') ?? ''} @chosen=${this.#take}
            ></cartulary-templates>
          </section>
          <section class="panel stack">
            <h2>${t('exportHeading')}</h2>
            <p class="quiet">${t('exportText')}</p>
            <cartulary-export .owner=${owner}></cartulary-export>
          </section>
        </div>
      </div>`
  }

  #take(event: CustomEvent<ImportSource>): void {
    void this.#look(event.detail)
  }

  /** Shows or closes the preview, and moves the focus; the earlier choice is still in its fields afterwards. */
  async #look(source: ImportSource | undefined): Promise<void> {
    this.source = source
    await this.updateComplete
    if (source) this.renderRoot.querySelector<HTMLElement>('cartulary-import-preview')?.focus()
    else this.renderRoot.querySelector<HTMLElement>('#import')?.focus()
  }
}

customElements.define('cartulary-import', Import)
