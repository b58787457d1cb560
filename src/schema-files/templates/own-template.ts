import type { Parsed } from '../../call/parsed.ts'
import { hasDirectionControl } from '../../plain-text.ts'
import { say } from '../../sentences/say.ts'
import { templates } from './templates.ts'

/** Templates of one organization at most (chosen). */
export const maxTemplates = 100

/** Characters of a title at most (chosen), in UTF-16 code units. */
export const maxTitleLength = 100

const namePattern = /^[a-z][a-z0-9-]{0,49}$/

/** The problem of the name of a template, which stands in a path, and beside the names of the published lists. */
export function findTemplateNameProblem(name: string): string | undefined {
  if (!namePattern.test(name)) return say('templateNameRule')
  const isPublished = templates.some((template) => template.name === name)
  return isPublished ? say('templatePublished', { name }) : undefined
}

/** The problem of a title beside those of every title. */
export function findTemplateTitleProblem(title: string): string | undefined {
  return hasDirectionControl(title) ? say('changesDirection') : undefined
}

/** The schema that a template is made from. */
export interface TemplateOrigin {
  /** Undefined for the schema of the organization. */
  readonly groupId: string | undefined
  /** Undefined for the present version. */
  readonly version: number | undefined
}

/** `org`, `org@3`, `group:<id>` or `group:<id>@3` → the schema of the organization or of a group. */
export function parseOrigin(text: string): Parsed<TemplateOrigin> {
  const found = /^(?:org|group:(?<groupId>[^@]+))(?:@(?<version>[1-9]\d{0,8}))?$/.exec(text.trim())
  if (!found) return { problems: ['has to be org or group:<id>, and may end with a version, such as org@3.'] }
  const { groupId, version } = found.groups!
  return { value: { groupId, version: version === undefined ? undefined : Number(version) } }
}
