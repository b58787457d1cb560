import { html, nothing } from 'lit'
import { property, query, state } from 'lit/decorators.js'
import type { Category } from '../../../../src/categories/schema.ts'
import type { WireUserView } from '../../../../src/http/shapes/directory/user.ts'
import type { Parameters } from '../../api/parameters.ts'
import { choiceOf, field, readFields, textOf } from '../../elements/fields.ts'
import { announce, button, PageElement, Reading } from '../../elements/page.ts'
import { goTo, hrefTo } from '../../navigation/navigation.ts'
import { keyOfOwner, ownerPath, type SchemaOwner, screenOf } from '../../owners/owners.ts'
import type { OwnTemplate, Template, TemplateSummary } from '../../schemas/answers.ts'
import { readOwnerTitle, readPresent } from '../../schemas/requests.ts'
import { renderSchemaList } from '../../schemas/schema-list.ts'
import { call, may, post, signedIn } from '../../session/session.ts'
import type { ImportSource } from '../../tables/import-source.ts'
import { compareTexts } from '../../texts/formats.ts'
import { ofFilesTemplates as t } from '../../texts/rooms.ts'
import { presentLanguage } from '../../texts/texts.ts'
import { formatChoice, maxName, nameOf, namePattern, parseChoice, type TemplateChoice } from './choice.ts'

const publishedPath = '/categorySchemaTemplates'
const ownPath = `${ownerPath({ kind: 'organization' })}${publishedPath}`
/** Maximum length of a title, as in the API. */
const maxTitle = 100

/** A template with its tree. */
interface WholeTemplate {
  readonly title: string
  readonly categorySchema: readonly Category[]
}

/** A group whose schema can be a starting point. */
interface GroupChoice {
  readonly id: string
  readonly title: string
}

/**
 * Starting points for a schema, each with its tree: templates of the organization, schemas of other owners, published lists.
 * Emits `chosen` with the one that is taken.
 */
class Templates extends PageElement {
  @property({ attribute: false }) owner!: SchemaOwner
  @property({ attribute: false }) ownerTitle = ''
  /** The shown starting point, as `parseChoice` parses it; empty for none. */
  @property() name!: string
  /** Template that would be deleted. */
  @state() doomed: OwnTemplate | undefined
  /** Whether the owner has no categories to be saved. */
  @state() isEmpty = false
  @query('[name=name]') nameField!: HTMLInputElement

  /** Whether the person has typed a name, which the title does not change any more. */
  #isNamed = false

  readonly #published = new Reading(this, {
    args: () => [presentLanguage()] as const,
    task: ([language], { signal }) => listTemplates<TemplateSummary>(publishedPath, signal, { language }),
  })

  readonly #own = new Reading(this, {
    args: () => [signedIn()?.username] as const,
    task: (_, { signal }) => listTemplates<OwnTemplate>(ownPath, signal),
  })

  readonly #groups = new Reading(this, {
    args: () => [keyOfOwner(this.owner), signedIn()?.username] as const,
    task: (_, { signal }) => listGroups(this.owner, signal),
  })

  readonly #template = new Reading(this, {
    args: () => [this.name, presentLanguage()] as const,
    task: ([name], { signal }) => {
      const choice = parseChoice(name)
      return choice && readTemplate(choice, signal)
    },
  })

  override render() {
    return html`<div class="stack">
        <section class="stack" aria-labelledby="own">
          <h3 id="own">${t('own')}</h3>
          ${this.#own.showLatest((templates) => this.#renderOwn(templates))}
        </section>
        ${this.#groups.showLatest((groups) => this.#renderOwners(groups))}
        <section class="stack" aria-labelledby="published">
          <h3 id="published">${t('published')}</h3>
          <p class="quiet">${t('publishedText')}</p>
          ${this.#published.show((templates) => renderList(templates.map((published) => this.#renderPublished(published))))}
        </section>
      </div>
      ${mayKeep() ? this.#renderSaving() : nothing}
      <cartulary-dialog-form
        id="delete" danger heading=${t('deleteHeading', { title: this.doomed?.title ?? '' })} action=${t('delete')}
        .work=${() => post(`${ownPath}/${encodeURIComponent(this.doomed!.name)}/delete`)} @done=${this.#deleted}
      ><p>${t('deleteText')}</p></cartulary-dialog-form>`
  }

  #renderOwn(templates: readonly OwnTemplate[]) {
    return html`${templates.length === 0 ? html`<p class="quiet">${t('noOwn')}</p>` : renderList(templates.map((own) => this.#renderOwnTemplate(own)))}
      ${mayKeep() ? html`<div>${button(t('save'), { icon: 'plus', onClick: this.#openSaving })}</div>` : nothing}`
  }

  /** Dialog that saves the present schema of the owner as a template of the organization. */
  #renderSaving() {
    const { ownerTitle } = this
    return html`<cartulary-dialog-form
      id="save" heading=${t('saveHeading')} action=${t('saveAction')} .blocked=${this.isEmpty ? t('saveNothing') : ''}
      .work=${this.#save} @done=${() => this.#own.run()}
    >
      <p>${t('saveText')}</p>
      ${field('title', t('title'), { max: maxTitle, required: true, value: ownerTitle.slice(0, maxTitle), onInput: this.#follow })}
      ${field('name', t('name'), { max: maxName, pattern: namePattern, required: true, dir: 'ltr', value: nameOf(ownerTitle, this.#taken), hint: t('nameText'), isCode: true, onInput: () => (this.#isNamed = true) })}
    </cartulary-dialog-form>`
  }

  #renderOwnTemplate(own: OwnTemplate) {
    const { name, title, categories, created, createdBy } = own
    const details = html`${t('categoryCount', { count: categories })} · <bdi>${createdBy}</bdi>, <cartulary-moment .value=${created}></cartulary-moment> · <code>${name}</code>`
    return html`<li class="stack">${this.#renderChoice({ kind: 'own', name }, title, details, own)}</li>`
  }

  #renderPublished({ name, title, categories, source }: TemplateSummary) {
    const details = html`${t('categoryCount', { count: categories })} · <bdi>${source}</bdi> · <code>${name}</code>`
    return html`<li class="stack">${this.#renderChoice({ kind: 'published', name }, title, details)}</li>`
  }

  /** Renders the schemas of other owners: of the organization, if this is a group, and of the person's other groups. */
  #renderOwners(groups: readonly GroupChoice[]) {
    const chosen = parseChoice(this.name)
    const group = chosen?.kind === 'owner' && chosen.owner.kind === 'group' ? chosen.owner.id : ''
    const isGroup = this.owner.kind === 'group'
    if (groups.length === 0 && !isGroup) return nothing
    return html`<section class="stack" aria-labelledby="others">
      <h3 id="others">${t('others')}</h3>
      ${isGroup ? html`<div class="stack">${this.#renderChoice({ kind: 'owner', owner: { kind: 'organization' } }, t('organization'))}</div>` : nothing}
      ${
        groups.length === 0
          ? nothing
          : html`${choiceOf('', t('group'), [['', t('noGroup')], ...groups.map(({ id, title }) => [id, title] as const)], group, { isLive: true, onChange: (id) => goTo(this.#hrefTo(id === '' ? undefined : { kind: 'owner', owner: { kind: 'group', id } })) })}
              ${group === '' ? nothing : this.#renderOpen()}`
      }
    </section>`
  }

  /** Renders a link that opens a starting point below it, or closes it. */
  #renderChoice(choice: TemplateChoice, title: string, details?: unknown, own?: OwnTemplate) {
    const name = formatChoice(choice)
    const isOpen = name === this.name
    return html`<div>
        <a href=${this.#hrefTo(isOpen ? undefined : choice)} aria-expanded=${isOpen}><strong>${title}</strong></a>
        ${details ? html`<p class="quiet">${details}</p>` : nothing}
      </div>
      ${isOpen ? this.#renderOpen(own) : nothing}`
  }

  #renderOpen(own?: OwnTemplate) {
    return this.#template.show((template) => (template ? this.#renderTemplate(template, own) : nothing))
  }

  #renderTemplate(template: WholeTemplate, own: OwnTemplate | undefined) {
    return html`<div class="stack">
      <div class="row">
        ${button(t('preview'), { variant: 'brand', disabled: template.categorySchema.length === 0, onClick: () => this.#take(template) })}
        ${own && mayKeep() ? button(t('delete'), { class: 'end', variant: 'danger', appearance: 'outlined', onClick: () => this.#askToDelete(own) }) : nothing}
      </div>
      ${renderSchemaList(template.categorySchema)}
    </div>`
  }

  #hrefTo(choice: TemplateChoice | undefined): string {
    return hrefTo(...screenOf(this.owner, 'Import'), choice ? { template: formatChoice(choice) } : {})
  }

  #take({ title, categorySchema }: WholeTemplate): void {
    const text = JSON.stringify({ categorySchema })
    const detail: ImportSource = { name: title, parameters: { text, format: 'json', mode: 'merge' } }
    this.dispatchEvent(new CustomEvent('chosen', { detail }))
  }

  #askToDelete(template: OwnTemplate): void {
    this.doomed = template
    void this.openDialog('#delete')
  }

  async #deleted(): Promise<void> {
    announce(t('deleted', { title: this.doomed!.title }))
    goTo(this.#hrefTo(undefined))
    await this.#own.run()
  }

  /** Names of the templates that there are. */
  get #taken(): readonly string[] {
    return [...(this.#own.value ?? []), ...(this.#published.value ?? [])].map(({ name }) => name)
  }

  async #openSaving(): Promise<void> {
    this.#isNamed = false
    this.isEmpty = false
    void this.openDialog('#save')
    // Without an answer, the server says it when the template is saved.
    const present = await readPresent(this.owner).catch(() => undefined)
    this.isEmpty = present?.categorySchema.length === 0
  }

  /** Derives the name from the title while it is typed. */
  #follow(event: Event): void {
    if (!this.#isNamed) this.nameField.value = nameOf(textOf(event), this.#taken)
  }

  readonly #save = async () => {
    const { title = '', name = '' } = readFields(this.dialogOf('#save'))
    const { owner } = this
    const from = owner.kind === 'organization' ? 'org' : `group:${owner.id}`
    await post(ownPath, { name, title: title.trim(), from })
    announce(t('saved', { title: title.trim() }))
  }
}

async function listTemplates<Summary>(path: string, signal: AbortSignal, parameters: Parameters = {}) {
  return (await call<{ readonly templates: readonly Summary[] }>(path, parameters, { signal })).templates
}

/** Groups of the person with a schema, without the owner whose screen it is, by title. */
async function listGroups(owner: SchemaOwner, signal: AbortSignal): Promise<readonly GroupChoice[]> {
  const { groups } = await call<WireUserView>('/community/self', {}, { signal })
  return groups
    .filter(({ id, hasCategorySchema }) => hasCategorySchema && !(owner.kind === 'group' && owner.id === id))
    .sort((one, other) => compareTexts(one.title, other.title))
}

async function readTemplate(choice: TemplateChoice, signal: AbortSignal): Promise<WholeTemplate> {
  if (choice.kind === 'owner') {
    const [title, { categorySchema }] = await Promise.all([
      readOwnerTitle(choice.owner, signal),
      readPresent(choice.owner, signal),
    ])
    return { title, categorySchema }
  }
  const [path, parameters] = choice.kind === 'own' ? [ownPath, {}] : [publishedPath, { language: presentLanguage() }]
  return call<Template>(`${path}/${encodeURIComponent(choice.name)}`, parameters, { signal })
}

/** Whether the person may save and delete templates of the organization: one rule is for both. */
function mayKeep(): boolean {
  return may('createPortalSchemaTemplate')
}

function renderList(entries: readonly unknown[]) {
  return html`<ul role="list" class="stack">${entries}</ul>`
}

customElements.define('cartulary-templates', Templates)
