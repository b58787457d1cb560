import { field, type Named, type RecordOf } from '../../record.ts'
import type { Vanishing } from '../change/accept-paths.ts'
import type { RestoreOptions } from '../change/restore.ts'
import type { Move } from '../moves.ts'
import type { SchemaOwner } from '../store.ts'

/**
 * States of a draft: being written, proposed to a second person, sent back, to be published at a time, or refused at that time.
 */
export const draftStates = ['open', 'proposed', 'returned', 'scheduled', 'failed'] as const

const progressFields = {
  state: field.choice(draftStates),
  /** Username; undefined for an open draft. */
  stateBy: field.text().optional(),
  stateAt: field.time().optional(),
  /** Words that a proposal, or a return, comes with; the reason of a failure. */
  note: field.text().optional(),
  /** Username of the person that it is proposed to; undefined where any may publish it. */
  reviewer: field.text().optional(),
  /** Undefined unless it is to be published at a time. */
  publishAt: field.time().optional(),
}

/** Who brought a draft into its state, and when; a new one is open. */
export interface DraftProgress extends RecordOf<typeof progressFields>, Named {}

export const openProgress: DraftProgress = {
  state: 'open',
  stateBy: undefined,
  stateAt: undefined,
  note: undefined,
  reviewer: undefined,
  publishAt: undefined,
}

/** Operations that publish a draft. */
export const draftActions = ['assign', 'delete', 'restore'] as const
export type DraftAction = (typeof draftActions)[number]

/** A person as they were when they acted. */
export interface Person {
  readonly userId: string
  readonly username: string
}

/** Persons behind a draft; an app is none of them, and neither is its owner. */
export interface DraftPeople {
  /** Who saved it since it has its base; none known where an earlier version of the program kept it. */
  readonly savers: readonly Person[]
  /** Who proposed it since it was saved or sent back. */
  readonly proposer?: Person
  /** Who has set the time of publication. */
  readonly scheduler?: Person
}

/** Members of the content of a draft that lists have. */
const outlineFields = {
  action: field.choice(draftActions),
  /** Version that a restore restores, and what becomes of items then; undefined for the other actions. */
  restoredFrom: field.number().optional(),
  items: field.text<RestoreOptions['items']>().optional(),
  /** Number of categories, on all levels. */
  categories: field.number(),
  /** Version that it is based on; 0 if there never was a schema. */
  baseVersion: field.number(),
}

export const draftTextFields = {
  /** JSON text of the category schema. */
  document: field.text(),
  moves: field.json<readonly Move[]>(),
  comment: field.text().optional(),
  vanishing: field.text<Vanishing>().optional(),
}

/** Content of a draft, as it would be published; it may violate limits. */
export interface DraftContent extends RecordOf<typeof outlineFields>, RecordOf<typeof draftTextFields> {}

/** Members that its people change without its content: its state, and who they are. */
export const draftProgressFields = {
  ...progressFields,
  /** Counts what is saved, proposed and sent back, from 1. */
  revision: field.number(),
  /** Ids and names of who saved, proposed and scheduled it, as they were then. */
  people: field.json<DraftPeople>(),
}

export const draftFields = {
  ...draftProgressFields,
  ...outlineFields,
  draftId: field.id(),
  portalId: field.text(),
  name: field.text(),
  /** The revision that its content was saved as. */
  savedRevision: field.number(),
  /** Usernames. */
  createdBy: field.text(),
  createdAt: field.time(),
  savedBy: field.text(),
  savedAt: field.time(),
}

/** A category schema that is kept without being published, without its content. */
export interface SchemaDraft extends RecordOf<typeof draftFields> {
  readonly owner: SchemaOwner
}

export type StoredDraft = SchemaDraft & DraftContent

/** Drafts of one group or organization at most (chosen). */
export const maxDrafts = 50

/** Chosen: characters, in UTF-16 code units; a schema of 200 categories with long descriptions has about 100,000. */
export const draftLimits = { nameLength: 100, noteLength: 1_000, documentLength: 256 * 1024 } as const

/** Maximum time until a draft is published, in milliseconds (chosen): a year. */
export const maxDelay = 366 * 86_400_000
