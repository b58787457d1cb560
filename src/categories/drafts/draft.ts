import type { Vanishing } from '../change/accept.ts'
import type { RestoreOptions } from '../change/restore.ts'
import type { Move } from '../moves.ts'
import type { SchemaOwner } from '../store.ts'

/**
 * States of a draft: being written, proposed to a second person, sent back, to be published at a time, or refused at that time.
 */
export const draftStates = ['open', 'proposed', 'returned', 'scheduled', 'failed'] as const
export type DraftState = (typeof draftStates)[number]

/** Who brought a draft into its state, and when; a new one is open. */
export interface DraftProgress {
  readonly state: DraftState
  /** Username; undefined for an open draft. */
  readonly stateBy: string | undefined
  /** Epoch milliseconds. */
  readonly stateAt: number | undefined
  /** Words that a proposal, or a return, comes with; the reason of a failure. */
  readonly note: string | undefined
  /** Username of the person that it is proposed to; undefined where any may publish it. */
  readonly reviewer: string | undefined
  /** Epoch milliseconds; undefined unless it is to be published at a time. */
  readonly publishAt: number | undefined
}

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

/** Content of a draft, as it would be published; it may violate limits. */
export interface DraftContent {
  readonly action: DraftAction
  /** Version that a restore restores, and what becomes of items then; undefined for the other actions. */
  readonly restoredFrom: number | undefined
  readonly items: RestoreOptions['items'] | undefined
  /** JSON text of the category schema. */
  readonly document: string
  /** Number of categories, on all levels. */
  readonly categories: number
  /** Version that it is based on; 0 if there never was a schema. */
  readonly baseVersion: number
  readonly moves: readonly Move[]
  readonly comment: string | undefined
  readonly vanishing: Vanishing | undefined
}

/** A category schema that is kept without being published, without its content. */
export interface SchemaDraft
  extends DraftProgress,
    Pick<DraftContent, 'action' | 'restoredFrom' | 'items' | 'categories' | 'baseVersion'> {
  readonly draftId: string
  readonly portalId: string
  readonly owner: SchemaOwner
  readonly name: string
  /** Counts what is saved, proposed and sent back, from 1. */
  readonly revision: number
  /** The revision that its content was saved as. */
  readonly savedRevision: number
  readonly people: DraftPeople
  /** Usernames, and epoch milliseconds. */
  readonly createdBy: string
  readonly createdAt: number
  readonly savedBy: string
  readonly savedAt: number
}

export type StoredDraft = SchemaDraft & DraftContent

/** Drafts of one group or organization at most (chosen). */
export const maxDrafts = 50

/** Chosen: characters, in UTF-16 code units; a schema of 200 categories with long descriptions has about 100,000. */
export const draftLimits = { nameLength: 100, noteLength: 1_000, documentLength: 256 * 1024 } as const

/** Maximum time until a draft is published, in milliseconds (chosen): a year. */
export const maxDelay = 366 * 86_400_000
