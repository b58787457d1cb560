import '../schemas/schema-list.ts'
import { html, nothing } from 'lit'
import { property } from 'lit/decorators.js'
import { fieldStyle } from '../elements/field-style.ts'
import { PageElement } from '../elements/page-element.ts'
import { Reading } from '../elements/reading.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { type SchemaOwner, screenOf } from '../owners/owners.ts'
import type { Template, TemplateSummary } from '../schemas/answers.ts'
import { wrapStyle } from '../schemas/wrap-style.ts'
import { call } from '../session/session.ts'
import type { ImportSource } from './import-source.ts'
import { t } from './texts.ts'

/** Published lists as starting points for a schema, each with its tree. Emits `chosen` with the one that is taken. */
class Templates extends PageElement {
  static override styles = [fieldStyle, wrapStyle]

  @property({ attribute: false }) owner!: SchemaOwner
  /** Name of the shown list; empty for all lists. */
  @property() name!: string

  readonly #list = new Reading(this, {
    args: () => [] as const,
    task: async (_, { signal }) =>
      (await call<{ readonly templates: readonly TemplateSummary[] }>('/categorySchemaTemplates', {}, { signal }))
        .templates,
  })

  readonly #template = new Reading(this, {
    args: () => [this.name] as const,
    task: ([name], { signal }) =>
      name ? call<Template>(`/categorySchemaTemplates/${encodeURIComponent(name)}`, {}, { signal }) : undefined,
  })

  override render() {
    return html`<div class="stack"><p class="quiet">${t('templatesText')}</p>
      ${this.#list.show(
        (templates) => html`<ul role="list" class="stack">
          ${templates.map((template) => this.#renderSummary(template))}
        </ul>`,
      )}</div>`
  }

  #renderSummary({ name, title, categories, source }: TemplateSummary) {
    const isOpen = name === this.name
    const href = hrefTo(...screenOf(this.owner, 'Import'), isOpen ? {} : { template: name })
    return html`<li class="stack">
      <div>
        <a href=${href} aria-expanded=${isOpen}><strong>${title}</strong></a>
        <p class="quiet">${t('categoryCount', { count: categories })} · <bdi>${source}</bdi> · <code>${name}</code></p>
      </div>
      ${isOpen ? this.#template.show((template) => (template ? this.#renderTemplate(template) : nothing)) : nothing}
    </li>`
  }

  #renderTemplate(template: Template) {
    return html`<div class="stack">
      <label class="tick">
        <input type="checkbox" name="merge"><span>${t('merge')}<br><small>${t('mergeText')}</small></span>
      </label>
      <div><wa-button variant="brand" @click=${() => this.#take(template)}>${t('preview')}</wa-button></div>
      <cartulary-schema-list .categories=${template.categorySchema}></cartulary-schema-list>
    </div>`
  }

  #take({ title, categorySchema }: Template): void {
    const merges = this.renderRoot.querySelector<HTMLInputElement>('[name=merge]')?.checked
    const text = JSON.stringify({ categorySchema })
    const detail: ImportSource = {
      name: title,
      parameters: { text, format: 'json', mode: merges ? 'merge' : 'replace' },
    }
    this.dispatchEvent(new CustomEvent('chosen', { detail }))
  }
}

customElements.define('cartulary-templates', Templates)
