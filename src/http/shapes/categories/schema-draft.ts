import { removedCategoryPolicies } from '../../../categories/change/accept-paths.ts'
import { itemsChoices } from '../../../categories/change/restore.ts'
import { draftActions, draftStates, type SchemaDraft, type StoredDraft } from '../../../categories/drafts/draft.ts'
import type { PendingDraft } from '../../../categories/drafts/operations.ts'
import { choice, component, integer, list, nullable, object, text, time, type ValueOf } from '../shape.ts'
import { successShapeWith, successWith } from '../success.ts'
import { categorySchemaMember } from './category-schema.ts'
import { moveShape } from './schema-version.ts'

const revision = integer('Counts what is saved, proposed and sent back.', 1)

const listedMembers = {
  id: text('32 lower-case hex characters.'),
  name: text(),
  action: choice(draftActions, 'What publishing it does.'),
  restoredFrom: nullable(integer('Version that a restore restores; null for the other actions.', 1)),
  items: nullable(choice(itemsChoices, 'What becomes of items at a restore; null for the other actions.')),
  baseVersion: integer('Version that it is based on; 0 if there never was a schema.', 0),
  revision,
  savedRevision: integer('Revision that its content was saved as.', 1),
  categories: integer('Number of categories on all levels.', 0),
  created: time('When it was created.'),
  createdBy: text('Username.'),
  modified: time('When its content was last saved.'),
  modifiedBy: text('Username.'),
  savers: list(text(), 'Usernames of all persons who saved it since it has its base; an app is none.'),
  proposedBy: nullable(text('Username of the person who proposed it since; null where none did.')),
  state: choice(
    draftStates,
    'open: being written. proposed: to a second person. returned: sent back. scheduled: published at publishAt. failed: refused at that time.',
  ),
  stateBy: nullable(text('Username; null for an open draft.')),
  stateModified: nullable(time('When it came into its state; null for an open draft.')),
  note: nullable(text('Words of who proposed it or sent it back; the reason why it failed.')),
  reviewer: nullable(
    text(
      'Username of the person that is asked to publish it; any other second person may, too. Null where no one is named.',
    ),
  ),
  publishAt: nullable(time('When it is published; null unless it is scheduled, or has failed.')),
}

const summaryShape = component('SchemaDraftSummary', 'A draft of a category schema.', object(listedMembers))

export const draftListShape = object({ drafts: list(summaryShape) })

export const pendingDraftsShape = object({
  drafts: list(
    component(
      'PendingSchemaDraft',
      'A draft that waits for a person.',
      object(
        { ...listedMembers },
        {
          groupId: text('Group whose schema it is of; absent for that of the organization.'),
          groupTitle: text('Title of the group.'),
        },
      ),
    ),
  ),
})

export const wholeDraftShape = component(
  'SchemaDraft',
  'A draft of a category schema, which may violate limits.',
  object({
    ...listedMembers,
    categorySchema: categorySchemaMember,
    moves: list(moveShape, 'Moves that it is published with.'),
    comment: nullable(text('Comment that it is published with.')),
    vanishing: nullable(
      choice(removedCategoryPolicies, 'What becomes of items whose category is removed; null for the default.'),
    ),
  }),
)

export const savedDraftShape = successShapeWith({ draftId: text('32 lower-case hex characters.'), revision })

function summaryOf(draft: SchemaDraft): ValueOf<typeof summaryShape> {
  const { draftId, name, action, baseVersion, revision, savedRevision, categories, state, people } = draft
  return {
    id: draftId,
    name,
    action,
    restoredFrom: draft.restoredFrom ?? null,
    items: draft.items ?? null,
    baseVersion,
    revision,
    savedRevision,
    categories,
    created: draft.createdAt,
    createdBy: draft.createdBy,
    modified: draft.savedAt,
    modifiedBy: draft.savedBy,
    savers: people.savers.map(({ username }) => username),
    proposedBy: people.proposer?.username ?? null,
    state,
    stateBy: draft.stateBy ?? null,
    stateModified: draft.stateAt ?? null,
    note: draft.note ?? null,
    reviewer: draft.reviewer ?? null,
    publishAt: draft.publishAt ?? null,
  }
}

export function draftListToWire(drafts: readonly SchemaDraft[]): ValueOf<typeof draftListShape> {
  return { drafts: drafts.map(summaryOf) }
}

export function pendingDraftsToWire(drafts: readonly PendingDraft[]): ValueOf<typeof pendingDraftsShape> {
  return {
    drafts: drafts.map((draft) => ({
      ...summaryOf(draft),
      ...(draft.owner.kind === 'group' && { groupId: draft.owner.groupId }),
      ...(draft.groupTitle !== undefined && { groupTitle: draft.groupTitle }),
    })),
  }
}

export function draftToWire(draft: StoredDraft): ValueOf<typeof wholeDraftShape> {
  const { categorySchema } = JSON.parse(draft.document)
  const { moves, comment = null, vanishing = null } = draft
  return { ...summaryOf(draft), categorySchema, moves, comment, vanishing }
}

export function toSavedDraft({ draftId, revision }: SchemaDraft) {
  return successWith({ draftId, revision })
}
