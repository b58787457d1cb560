import type { readingShape, refusedFileMembers } from '../../../src/http/shapes/categories/file-reading.ts'
import type { importAnswerShape } from '../../../src/http/shapes/categories/imported-schema.ts'
import type { schemaPlanShape } from '../../../src/http/shapes/categories/schema-plan.ts'
import type {
  ownTemplateListShape,
  templateListShape,
  templateShape,
} from '../../../src/http/shapes/categories/schema-template.ts'
import type {
  presentSchemaShape,
  schemaVersionsShape,
  versionDiffShape,
  wholeVersionShape,
} from '../../../src/http/shapes/categories/schema-version.ts'
import type { ValueOf } from '../../../src/http/shapes/shape.ts'

/** Types of the API's answers about category schemas, from the server's own table of shapes. */

export type SchemaPlan = ValueOf<typeof schemaPlanShape>
export type SuggestedMove = SchemaPlan['suggestions'][number]
export type SchemaChange = SchemaPlan['changes'][number]
export type PresentSchema = ValueOf<typeof presentSchemaShape>
export type SchemaVersion = VersionList['versions'][number]
export type WholeVersion = ValueOf<typeof wholeVersionShape>
export type VersionDiff = ValueOf<typeof versionDiffShape>
export type ImportAnswer = ValueOf<typeof importAnswerShape>
/** How a file was read, in an answer of an import or in its refusal. */
export type FileReading = ValueOf<typeof readingShape>
export type Branch = ValueOf<typeof refusedFileMembers.branches>[number]
export type Template = ValueOf<typeof templateShape>
export type TemplateSummary = ValueOf<typeof templateListShape>['templates'][number]
/** A template of the organization. */
export type OwnTemplate = ValueOf<typeof ownTemplateListShape>['templates'][number]

export type VersionList = ValueOf<typeof schemaVersionsShape>
