import type { draftListShape, wholeDraftShape } from '../../../src/http/shapes/categories/schema-draft.ts'
import type { ValueOf } from '../../../src/http/shapes/shape.ts'

export type DraftSummary = ValueOf<typeof draftListShape>['drafts'][number]
export type WholeDraft = ValueOf<typeof wholeDraftShape>

export interface SavedDraft {
  readonly draftId: string
  readonly revision: number
}
