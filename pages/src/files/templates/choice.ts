import type { SchemaOwner } from '../../owners/owners.ts'

/** A starting point for a schema: a published list, a template of the organization, or the schema of another owner. */
export type TemplateChoice =
  | { readonly kind: 'published' | 'own'; readonly name: string }
  | { readonly kind: 'owner'; readonly owner: SchemaOwner }

/** Parses the value of `?template=`: `inspire`, `own:basemaps`, `group:<id>` or `organization`; undefined for none. */
export function parseChoice(text: string): TemplateChoice | undefined {
  if (text === '') return undefined
  if (text === 'organization') return { kind: 'owner', owner: { kind: 'organization' } }
  const [, prefix, rest = ''] = /^(own|group):(.+)$/.exec(text) ?? []
  if (prefix === 'own') return { kind: 'own', name: rest }
  if (prefix === 'group') return { kind: 'owner', owner: { kind: 'group', id: rest } }
  return { kind: 'published', name: text }
}

/** As `parseChoice` parses it. */
export function formatChoice(choice: TemplateChoice): string {
  if (choice.kind !== 'owner') return choice.kind === 'own' ? `own:${choice.name}` : choice.name
  return choice.owner.kind === 'organization' ? 'organization' : `group:${choice.owner.id}`
}
