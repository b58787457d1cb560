import { field, type Named, type RecordOf } from '../../record.ts'

export const templateFields = {
  portalId: field.text(),
  /** Unique in the organization. */
  name: field.text(),
  title: field.text(),
  /** Number of its categories, on all levels. */
  categories: field.number(),
  /** Owner and version of the schema that it was made from; undefined where the schema was given. */
  source: field.text().optional(),
  /** Username. */
  createdBy: field.text(),
  createdAt: field.time(),
}

/** A template of an organization's own, without its document. */
export interface OwnTemplate extends RecordOf<typeof templateFields>, Named {}

/** A template of an organization's own, with the text of its category schema. */
export interface StoredTemplate extends OwnTemplate {
  readonly document: string
}

/** Reading methods of the templates of organizations. */
export interface TemplateReader {
  findTemplate(portalId: string, name: string): Promise<StoredTemplate | undefined>
  /** All of an organization, sorted by name. */
  listTemplates(portalId: string): Promise<readonly OwnTemplate[]>
}

/** The store of the templates of organizations. */
export interface TemplateStore extends TemplateReader {
  addTemplate(template: StoredTemplate): Promise<void>
  /** False if there is none. */
  removeTemplate(portalId: string, name: string): Promise<boolean>
}
