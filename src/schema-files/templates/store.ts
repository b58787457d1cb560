/** A template of an organization's own, without its document. */
export interface OwnTemplate {
  readonly portalId: string
  /** Unique in the organization. */
  readonly name: string
  readonly title: string
  /** Number of its categories, on all levels. */
  readonly categories: number
  /** Owner and version of the schema that it was made from; undefined where the schema was given. */
  readonly source: string | undefined
  /** Username. */
  readonly createdBy: string
  /** Epoch milliseconds. */
  readonly createdAt: number
}

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
