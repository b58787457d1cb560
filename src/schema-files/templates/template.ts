import type { Category, CategorySchema } from '../../categories/schema.ts'
import { titleFromLabel } from '../title.ts'

/** A published list of categories. */
export interface Template {
  /** Name in the path of its resource. */
  readonly name: string
  readonly title: string
  /** Title of its tree (chosen); by default its own. */
  readonly root?: string
  /** Origin. */
  readonly source: string
  /** Order of publication; those of one parent follow each other. */
  readonly concepts: readonly Concept[]
}

interface Concept {
  readonly code: string
  /** Published label. A title has no slash and no comma. */
  readonly label: string
  readonly uri: string
  /** Title of the category between it and the root. */
  readonly parent?: string
}

/** Published data about one category. */
export interface TemplateConcept {
  readonly path: string
  readonly uri: string
  readonly code: string
  readonly label: string
}

/** The categories of the template; with `keepUris`, each concept has its URI as its source. */
export function schemaOf({ title, root = title, concepts }: Template, keepUris: boolean): CategorySchema {
  const leafOf = ({ label, uri }: Concept): Category => ({
    title: titleFromLabel(label),
    ...(keepUris ? { source: uri } : {}),
  })
  const groups = Map.groupBy(concepts, ({ parent }) => parent)
  const categories = [...groups].flatMap(([parent, members]): readonly Category[] =>
    parent === undefined ? members.map(leafOf) : [{ title: parent, categories: members.map(leafOf) }],
  )
  return { categorySchema: [{ title: root, categories }] }
}

/** Code, label and URI of each concept, by the path of its category. */
export function conceptsOf({ title, root = title, concepts }: Template): readonly TemplateConcept[] {
  return concepts.map(({ code, label, uri, parent }) => ({
    path: `/${[root, ...(parent === undefined ? [] : [parent]), titleFromLabel(label)].join('/')}`,
    uri,
    code,
    label,
  }))
}

/** How many categories the template has, its root and parents included. */
export function sizeOf({ concepts }: Template): number {
  const parents = new Set(concepts.map(({ parent }) => parent))
  parents.delete(undefined)
  return 1 + parents.size + concepts.length
}
