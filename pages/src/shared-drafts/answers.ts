import type { draftListShape, wholeDraftShape } from '../../../src/http/shapes/categories/schema-draft.ts'
import type { ValueOf } from '../../../src/http/shapes/shape.ts'
import type { Parameters } from '../api/parameters.ts'

export type DraftSummary = ValueOf<typeof draftListShape>['drafts'][number]
export type WholeDraft = ValueOf<typeof wholeDraftShape>

/** Content of a draft, as the API takes it. */
export interface DraftContent extends Parameters {
  readonly categorySchema: string
  readonly baseVersion: number
  readonly moves: string
  readonly comment: string
  readonly vanishing: string | undefined
}

export interface SavedDraft {
  readonly draftId: string
  readonly revision: number
}
