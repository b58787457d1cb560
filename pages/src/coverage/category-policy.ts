import { announce, button, PageElement } from '../elements/page.ts'
import '../content/bulk/bulk-panel.ts'
import '../content/item-list.ts'
import '../picker/category-picker.ts'
import { css, html, nothing } from 'lit'
import { property, state } from 'lit/decorators.js'
import type { CategorySchema } from '../../../src/categories/schema.ts'
import { policyAudiences, policyRequirements } from '../../../src/directory/category-policy.ts'
import type { completenessShape } from '../../../src/http/shapes/items/coverage.ts'
import type { ValueOf } from '../../../src/http/shapes/shape.ts'
import { splitTags, type Target } from '../content/bulk/bulk-change.ts'
import { ItemReading } from '../content/changed-items.ts'
import type { ListedItem } from '../content/item-list.ts'
import { choice, field, readFields } from '../elements/fields.ts'
import { pageSize, startOf } from '../elements/lists/page-parts.ts'
import { renderPager } from '../elements/lists/table.ts'
import { hrefTo } from '../navigation/navigation.ts'
import { schemaPath } from '../owners/owners.ts'
import type { CategoryPicker } from '../picker/category-picker.ts'
import { call, may, post } from '../session/session.ts'
import { formatTrail, listInWords } from '../texts/formats.ts'
import { ofCoverage as t } from '../texts/rooms.ts'

type Completeness = ValueOf<typeof completenessShape>
type Found = Completeness & { readonly schema: CategorySchema }
type Policy = Completeness['policy']

/** Items of the organization that need a category: the rule for them, and those that have none; as a setting, the rule alone. */
class CategoryPolicyPanel extends PageElement {
  static override styles = css`
    /* The section with its fields, in which the lists of the dialog are too. */
    cartulary-category-picker {
      max-width: 36rem;
    }
  `

  @property({ attribute: false }) query: URLSearchParams = new URLSearchParams()
  @property({ type: Boolean, attribute: 'setting' }) isSetting = false
  /** Values of the open dialog, beside those of its fields. */
  @state() required: Policy['require'] = 'off'
  @state() below: readonly string[] = []
  @state() chosen: ReadonlyMap<string, ListedItem> = new Map()
  /** Items that are being categorized. */
  @state() target: Target | undefined

  readonly #found = new ItemReading(this, {
    args: () => [startOf(this.query)] as const,
    task: async ([start], { signal }) => {
      const [found, schema] = await Promise.all([
        call<Completeness>('/content/categories/completeness', { start, num: pageSize }, { signal }),
        call<CategorySchema>(schemaPath({ kind: 'organization' }), {}, { signal }),
      ])
      return { ...found, schema }
    },
  })
  override render() {
    return html`<section class="panel stack" aria-labelledby="policy">
      <h2 id="policy">${t('policy')}</h2>
      ${this.#found.showLatest((found) => this.#renderFound(found))}
    </section>`
  }

  #renderFound(found: Found) {
    const { policy, items, missing } = found
    const coverage = html`<a href=${hrefTo('coverage')}>${t('coverage')}</a>`
    return html`<p>${t(`require_${policy.require}Text`)}</p>
      ${policy.require === 'off' ? nothing : renderRules(policy)}
      ${may('updatePortal') ? this.#renderChange(found) : nothing}
      ${policy.require === 'off' ? nothing : html`<p role="status">${t('missing', { missing, items })} ${this.isSetting ? coverage : nothing}</p>`}
      ${policy.require === 'off' || this.isSetting ? nothing : this.#renderMissing(found)}`
  }

  #renderChange(found: Found) {
    if (!this.isSetting)
      return html`<div class="no-print"><a href=${hrefTo('organizationSettings')}>${t('setPolicy')}</a></div>`
    return html`<div>${button(t('setPolicy'), { icon: 'pencil', onClick: () => this.#open(found.policy) })}</div>
      ${this.#renderDialog(found)}`
  }

  #renderMissing({ results, missing, start, nextStart, schema }: Found) {
    if (this.target) {
      return html`<cartulary-bulk-panel
        .target=${this.target} action="categories" .schema=${schema} @close=${this.#end}
      ></cartulary-bulk-panel>`
    }
    if (missing === 0) return nothing
    const all = results.map((item) => ({ ...item, snippet: null, tags: [] }))
    const items = this.chosen.size > 0 ? [...this.chosen.values()] : all
    return html`<div>
        ${button(t('categorize', { count: items.length }), { icon: 'tag', id: 'categorize', variant: 'brand', onClick: () => (this.target = { kind: 'items', titles: new Map(items.map(({ id, title }) => [id, title])) }) })}
      </div>
      <cartulary-item-list .items=${all} .chosen=${this.chosen} @choose=${(
        event: CustomEvent<ReadonlyMap<string, ListedItem>>,
      ) => (this.chosen = event.detail)}></cartulary-item-list>
      ${renderPager({ total: missing, start, nextStart })}`
  }

  #renderDialog({ policy, items, missing, schema }: Found) {
    return html`<cartulary-dialog-form heading=${t('policy')} action=${t('save')} .work=${() => this.#save()}>
      ${choice('require', t('require'), policyRequirements, (each) => t(`require_${each}`), policy.require, {
        onChange: (value) => (this.required = value),
        hint: t(`require_${this.required}Text`),
      })}
      ${this.required === 'enforce' ? html`<p role="status"><strong>${t('missingNow', { missing, items })}</strong></p>` : nothing}
      <div class="field">
        <span>${t('below')}</span>
        <cartulary-category-picker multiple label=${t('below')} .schema=${schema} .value=${this.below} @change=${(
          event: Event,
        ) => (this.below = (event.target as CategoryPicker).value)}></cartulary-category-picker>
        <small>${t('belowText')}</small>
      </div>
      ${field('types', t('types'), { value: policy.types.join(', '), hint: t('typesText') })}
      ${choice('when', t('when'), policyAudiences, (each) => t(`when_${each}`), policy.when)}
    </cartulary-dialog-form>`
  }

  #open({ require: required, below }: Policy): void {
    this.required = required
    this.below = below
    void this.openDialog()
  }

  async #save(): Promise<void> {
    const { types = '', when } = readFields(this.dialogOf())
    const categoryPolicy = JSON.stringify({ require: this.required, below: this.below, types: splitTags(types), when })
    await post('/portals/self/update', { categoryPolicy })
    await this.#found.run()
    announce(t('saved'))
  }

  readonly #end = async () => {
    this.target = undefined
    this.chosen = new Map()
    await this.focusOn('#categorize')
  }
}

function renderRules({ below, types, when }: Policy) {
  const words = (parts: readonly string[]) =>
    listInWords(parts).map(({ isPart, text }) => (isPart ? html`<bdi>${text}</bdi>` : text))
  return html`<dl class="facts">
    <dt>${t('below')}</dt><dd>${below.length === 0 ? t('anyCategory') : words(below.map((path) => formatTrail(path)))}</dd>
    <dt>${t('types')}</dt><dd>${types.length === 0 ? t('allTypes') : words(types)}</dd>
    <dt>${t('when')}</dt><dd>${t(`when_${when}`)}</dd>
  </dl>`
}

customElements.define('cartulary-category-policy', CategoryPolicyPanel)
