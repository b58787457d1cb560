import type { Category } from '../../../../src/categories/schema.ts'
import type { WireUserView } from '../../../../src/http/shapes/directory/user.ts'
import { ownerPath, type SchemaOwner } from '../../owners/owners.ts'
import type { OwnTemplate, Template, TemplateSummary } from '../../schemas/answers.ts'
import { readOwnerTitle, readPresent } from '../../schemas/requests.ts'
import { call, post } from '../../session/session.ts'
import { compareTexts } from '../../texts/formats.ts'
import { presentLanguage } from '../../texts/texts.ts'
import type { TemplateChoice } from './choice.ts'

const publishedPath = '/categorySchemaTemplates'
const ownPath = `${ownerPath({ kind: 'organization' })}${publishedPath}`

/** A template with its tree. */
export interface WholeTemplate {
  readonly title: string
  readonly categorySchema: readonly Category[]
}

/** A group whose schema can be a starting point. */
export interface GroupChoice {
  readonly id: string
  readonly title: string
}

interface TemplateList<Summary> {
  readonly templates: readonly Summary[]
}

export async function listPublished(signal: AbortSignal): Promise<readonly TemplateSummary[]> {
  return (await call<TemplateList<TemplateSummary>>(publishedPath, { language: presentLanguage() }, { signal }))
    .templates
}

/** Templates that the organization has saved. */
export async function listOwn(signal: AbortSignal): Promise<readonly OwnTemplate[]> {
  return (await call<TemplateList<OwnTemplate>>(ownPath, {}, { signal })).templates
}

/** Groups of the person with a schema, without the owner whose screen it is, by title. */
export async function listGroups(owner: SchemaOwner, signal: AbortSignal): Promise<readonly GroupChoice[]> {
  const { groups } = await call<WireUserView>('/community/self', {}, { signal })
  return groups
    .filter(({ id, hasCategorySchema }) => hasCategorySchema && !(owner.kind === 'group' && owner.id === id))
    .sort((one, other) => compareTexts(one.title, other.title))
}

export async function readTemplate(choice: TemplateChoice, signal: AbortSignal): Promise<WholeTemplate> {
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

/** Saves the present schema of an owner as a template of the organization. */
export function createTemplate(owner: SchemaOwner, { name, title }: Pick<OwnTemplate, 'name' | 'title'>) {
  return post(ownPath, { name, title, from: owner.kind === 'organization' ? 'org' : `group:${owner.id}` })
}

export function deleteTemplate(name: string) {
  return post(`${ownPath}/${encodeURIComponent(name)}/delete`)
}
