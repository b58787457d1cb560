import '../coverage/category-policy.ts'
import { html } from 'lit'
import type { WirePortal } from '../../../src/http/shapes/directory/portal.ts'
import { choice, choiceOf, enterSubmits, field, readFields, textField } from '../elements/fields.ts'
import { renderDetails } from '../elements/lists/facts.ts'
import { Action, announce, button, Reading, Screen } from '../elements/page.ts'
import { call, may, post, readPersonAgain } from '../session/session.ts'
import { compareTexts, nameOfLanguage } from '../texts/formats.ts'
import { ofFrame, ofSettings as t } from '../texts/rooms.ts'

const approvals = ['none', 'organization', 'all'] as const
const accesses = ['private', 'public'] as const

/** Languages to choose from; the present one is listed too, whichever it is. */
const languages =
  'ar bg ca cs da de el en es et fi fr he hr hu id is it ja ko lt lv nb nl pl pt pt-BR ro ru sk sl sr sv th tr uk vi zh-CN zh-TW'.split(
    ' ',
  )

/** Settings of the organization: its name, its language, who sees it, who publishes its categories, and which items need one. */
class Organization extends Screen {
  readonly #saving = new Action(this)

  readonly #portal = new Reading(this, {
    args: () => [],
    task: (_, { signal }) => call<WirePortal>('/portals/self', { withCan: true }, { signal }),
  })

  override render() {
    return html`<cartulary-heading text=${ofFrame('settings')} note=${t('note')}></cartulary-heading>
      <div class="stack">
        ${this.#portal.showLatest((portal) => (may('updatePortal', portal) ? this.#renderForm(portal) : renderFacts(portal)))}
        <cartulary-category-policy setting></cartulary-category-policy>
      </div>`
  }

  #renderForm({ name, description, culture = '', access, categoryApproval = 'none' }: WirePortal) {
    return html`<form class="panel" @submit=${this.#save}>
      ${enterSubmits}
      ${field('name', t('name'), { autocomplete: 'organization', max: 250, required: true, value: name, hint: t('nameHint') })}
      ${textField('description', t('description'), { rows: 5, max: 10000, value: description })}
      <div class="fields">
        ${choiceOf('culture', t('culture'), [['', t('noCulture')], ...listLanguages(culture)], culture, { hint: t('cultureHint') })}
        ${choice('access', t('access'), accesses, (each) => t(`access_${each}`), access)}
      </div>
      ${choice('categoryApproval', t('approval'), approvals, (each) => t(`approval_${each}`), categoryApproval, { hint: t('approvalHint') })}
      <cartulary-problem .error=${this.#saving.error}></cartulary-problem>
      <div>${button(t('save'), { type: 'submit', variant: 'brand', loading: this.#saving.isRunning })}</div>
    </form>`
  }

  async #save(event: SubmitEvent): Promise<void> {
    event.preventDefault()
    const fields = readFields(event.target as HTMLFormElement)
    const isDone = await this.#saving.run(async () => {
      await post('/portals/self/update', { ...fields, clearEmptyFields: true })
      await Promise.all([readPersonAgain(), this.#portal.run()])
    })
    if (isDone) announce(t('saved'))
  }
}

/** Languages by their names, in the language of the person. */
function listLanguages(present: string): readonly (readonly [string, string])[] {
  const tags = present === '' || languages.includes(present) ? languages : [...languages, present]
  return tags.map((tag) => [tag, nameOfLanguage(tag)] as const).sort(([, a], [, b]) => compareTexts(a, b))
}

function renderFacts({ name, description, culture, access, categoryApproval = 'none' }: WirePortal) {
  return renderDetails([
    [t('name'), html`<bdi>${name}</bdi>`],
    [t('description'), description && html`<bdi>${description}</bdi>`],
    [t('culture'), culture && nameOfLanguage(culture)],
    [t('access'), t(`access_${access}`)],
    [t('approval'), t(`approval_${categoryApproval}`)],
  ])
}

customElements.define('cartulary-organization', Organization)
