import type { WithAuditDetails } from '../../call/audit-details.ts'
import type { Call } from '../../call/call.ts'
import { type Parsed, unwrapParsed } from '../../call/parsed.ts'
import type { HistoryReaders } from '../../categories/history/store.ts'
import { requireAssignable } from '../../categories/owners.ts'
import { measureSchema, type SchemaVerdict } from '../../categories/schema.ts'
import type { CategoryReaders } from '../../categories/store.ts'
import { requireOwnPortal } from '../../directory/portal-operations.ts'
import type { DirectoryReaders } from '../../directory/store.ts'
import { operationRefused, PortalError, resourceNotFound } from '../../errors.ts'
import { say } from '../../sentences/say.ts'
import { exportCategorySchema } from '../export-operations.ts'
import { maxTemplates, type TemplateOrigin } from './own-template.ts'
import type { OwnTemplate, StoredTemplate, TemplateReader, TemplateStore } from './store.ts'

type Readers = DirectoryReaders & { readonly templates: TemplateReader }
type Stores = CategoryReaders & { readonly templates: TemplateStore }

interface NamedTemplate {
  readonly portalId: string
  readonly templateName: string
}

/** Templates of an organization, for its members, sorted by name (chosen). */
export async function listPortalSchemaTemplates(
  stores: Readers,
  call: Call,
  input: { readonly portalId: string },
): Promise<readonly OwnTemplate[]> {
  const { portal } = await requireOwnPortal(stores, call, input.portalId)
  return stores.templates.listTemplates(portal.portalId)
}

/** A template of an organization, for its members. */
export async function readPortalSchemaTemplate(
  stores: Readers,
  call: Call,
  input: NamedTemplate,
): Promise<StoredTemplate> {
  const { portal } = await requireOwnPortal(stores, call, input.portalId)
  const found = await stores.templates.findTemplate(portal.portalId, input.templateName)
  if (!found) throw resourceNotFound()
  return found
}

export interface NewTemplate {
  readonly name: string
  readonly title: string
  /** A schema that is set or was, or one that is given. */
  readonly content: TemplateOrigin | SchemaVerdict
}

/** Keeps a category schema as a template; for those who may assign the schema of the organization (chosen). */
export async function createPortalSchemaTemplate(
  stores: Stores & HistoryReaders,
  call: Call,
  input: { readonly portalId: string; readonly template: Parsed<NewTemplate> },
): Promise<WithAuditDetails> {
  const owner = { kind: 'portal', id: input.portalId } as const
  const { caller, portalId } = await requireAssignable(stores, call, { owner })
  const { name, title, content } = unwrapParsed(input.template)
  const { source, ...schema } = await readContent(stores, call, portalId, content)
  const kept = await stores.templates.listTemplates(portalId)
  if (kept.some((template) => template.name === name)) {
    throw operationRefused(`name: ${say('templateTaken', { name })}`)
  }
  if (kept.length >= maxTemplates) {
    throw operationRefused(say('templatesFull', { max: maxTemplates }))
  }
  const template = { portalId, name, title, source, ...schema, createdBy: caller.username, createdAt: call.now }
  await stores.templates.addTemplate(template)
  const data = { title, categories: schema.categories, ...(source !== undefined && { source }) }
  return { audit: { target: `/portals/${portalId}/categorySchemaTemplates/${name}`, data } }
}

/** Deletes a template; schemas that were begun with it stay. */
export async function deletePortalSchemaTemplate(stores: Stores, call: Call, input: NamedTemplate): Promise<void> {
  const owner = { kind: 'portal', id: input.portalId } as const
  const { portalId } = await requireAssignable(stores, call, { owner })
  const isRemoved = await stores.templates.removeTemplate(portalId, input.templateName)
  if (!isRemoved) throw resourceNotFound()
}

type Content = Pick<StoredTemplate, 'document' | 'categories' | 'source'>

async function readContent(
  stores: Stores & HistoryReaders,
  call: Call,
  portalId: string,
  content: NewTemplate['content'],
): Promise<Content> {
  if ('violations' in content) throw operationRefused(...(content.reasons ?? content.violations))
  if ('document' in content) {
    return { document: content.document, categories: content.size.categories, source: undefined }
  }
  const found = await findOrigin(stores, call, portalId, content)
  if (!found) throw operationRefused(`from: ${say('templateSourceUnknown')}`)
  return { ...found, categories: measureSchema(JSON.parse(found.document)).categories }
}

/** The schema that an export would have, of the organization or of one of its groups; undefined where that is refused. */
async function findOrigin(
  stores: Stores & HistoryReaders,
  call: Call,
  portalId: string,
  { groupId, version }: TemplateOrigin,
): Promise<Pick<Content, 'document' | 'source'> | undefined> {
  if (groupId !== undefined && (await stores.directory.findGroup(groupId))?.portalId !== portalId) return undefined
  const [kind, id] = groupId === undefined ? (['portal', portalId] as const) : (['group', groupId] as const)
  try {
    const exported = await exportCategorySchema(stores, call, { owner: { kind, id }, version: { value: version } })
    if (!exported.document) return undefined
    const source = `${kind === 'portal' ? 'org' : `group:${id}`}@${exported.number}`
    return { document: Buffer.from(exported.document).toString(), source }
  } catch (error) {
    if (error instanceof PortalError) return undefined
    throw error
  }
}
