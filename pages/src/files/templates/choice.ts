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

/** Text of a choice, as `parseChoice` parses it. */
export function formatChoice(choice: TemplateChoice): string {
  if (choice.kind !== 'owner') return choice.kind === 'own' ? `own:${choice.name}` : choice.name
  return choice.owner.kind === 'organization' ? 'organization' : `group:${choice.owner.id}`
}

/** Maximum length of the name of a template, as in the API. */
export const maxName = 50

/** Form of a name, as in the API. */
export const namePattern = `[a-z][a-z0-9\\-]{0,${maxName - 1}}`

const replaced: Readonly<Record<string, string>> = { ß: 'ss', æ: 'ae', œ: 'oe', ø: 'o', ł: 'l', đ: 'd' }

/** Name for a template with this title, unlike those that are taken. */
export function nameOf(title: string, taken: readonly string[]): string {
  const plain = title
    .toLowerCase()
    .replace(/[ßæœøłđ]/g, (letter) => replaced[letter]!)
    .normalize('NFKD')
    .replace(/\p{Mark}/gu, '')
    .replace(/[^a-z0-9]+/g, '-')
  const name = cut(plain.replace(/^[^a-z]+/, ''), maxName) || 'template'
  const isTaken = new Set(taken)
  for (let number = 1; ; number += 1) {
    const ending = number === 1 ? '' : `-${number}`
    const candidate = `${cut(name, maxName - ending.length)}${ending}`
    if (!isTaken.has(candidate)) return candidate
  }
}

function cut(name: string, length: number): string {
  return name.slice(0, length).replace(/-+$/, '')
}
