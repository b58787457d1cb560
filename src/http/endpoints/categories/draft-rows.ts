import { mapParsed, type Parsed } from '../../../call/parsed.ts'
import { type DraftAction, draftActions, draftLimits, maxDelay, maxDrafts } from '../../../categories/drafts/draft.ts'
import { readUnfinishedSchema } from '../../../categories/schema.ts'
import { proposalMail } from '../../../mail/texts.ts'
import { say } from '../../../sentences/say.ts'
import { exampleIds, exampleSchema, exampleTime, generatedIds } from '../../examples/examples.ts'
import {
  draftListShape,
  draftListToWire,
  draftToWire,
  pendingDraftsShape,
  pendingDraftsToWire,
  savedDraftShape,
  toSavedDraft,
  wholeDraftShape,
} from '../../shapes/categories/schema-draft.ts'
import { changedSchemaShape, planAnswer, toVersionResult } from '../../shapes/categories/schema-plan.ts'
import { success } from '../../shapes/success.ts'
import { type Endpoint, endpointsOf } from '../endpoint.ts'
import {
  changedName,
  guard,
  onlyGiven,
  optionalChoice,
  optionalInteger,
  optionalText,
  type Parameter,
  requiredName,
  requiredText,
  Wrong,
  withDefault,
} from '../parameter-types.ts'
import { assignParameters, dryRun, isDryRun } from './change-parameters.ts'
import { exampleIdsOf, type OwnerWords, ownerOf } from './owner-words.ts'
import { itemsChoice } from './plan-rows.ts'

const endpoint = endpointsOf('categories')

type Unfinished = Extract<ReturnType<typeof readUnfinishedSchema>, { value: unknown }>['value']

/** Refuses a text that is too long to be kept. */
function tooLong({ length }: string): Wrong | undefined {
  const { documentLength } = draftLimits
  if (length <= documentLength) return undefined
  return new Wrong(say('tooLong', { length, max: documentLength }))
}

/** The schema of a draft: what cannot be published is kept too, if it is a list of categories. */
function readSchema(text: string): Unfinished | Wrong {
  const refusal = tooLong(text)
  if (refusal) return refusal
  const read = readUnfinishedSchema(text)
  return 'problems' in read ? new Wrong(read.problems.join(' ')) : read.value
}

const schemaMeaning =
  'JSON text of an object with the member categorySchema. It may violate limits, and have blank titles, as it is not published yet.'

const schema: Parameter<Unfinished | undefined> = {
  type: 'json',
  isRequired: false,
  meaning: schemaMeaning,
  read: (given) => (given === undefined || given.trim() === '' ? undefined : readSchema(given)),
}

const baseVersion = guard(
  optionalInteger('Version that the draft is based on, with which it is published; by default the present one.', {
    minimum: 0,
  }),
  'for the default',
)
const ifRevision = guard(
  optionalInteger('Revision that the draft has to have, else 409.', { minimum: 1 }),
  'to take the draft whatever it is',
)
const note = { maxLength: draftLimits.noteLength }
const nameRules = { maxLength: draftLimits.nameLength }

const publishAt = guard(
  optionalInteger('Time at which it is published, in epoch milliseconds: at most a year from now.', { minimum: 0 }),
  'to publish the draft now',
)

/** Parameters that only drafts of one action have; the first of them is required. */
const ownParameters = {
  assign: ['categorySchema', 'moves', 'vanishing'],
  delete: [],
  restore: ['restoredFrom', 'items'],
} as const satisfies Record<DraftAction, readonly string[]>

/** Refuses what drafts of this action do not have. */
function fitted<Given extends { readonly action: DraftAction }>(input: Parsed<Given>): Parsed<Given> {
  if ('problems' in input) return input
  const { action } = input.value
  const given: Readonly<Record<string, unknown>> = { ...input.value }
  const [required] = ownParameters[action]
  const others = Object.entries(ownParameters).flatMap(([other, names]) => (other === action ? [] : names))
  const problems = others
    .filter((name) => given[name] !== undefined)
    .map((name) => `${name}: action=${action} has none.`)
  if (required !== undefined && given[required] === undefined) problems.push(`${required}: ${say('isMissing')}`)
  return problems.length > 0 ? { problems } : input
}

/** The time lies ahead, and not too far. */
function requirePublishTime<Values extends { readonly publishAt: number | undefined }>(
  input: Parsed<Values>,
  now: number,
): Parsed<Values> {
  if ('problems' in input || input.value.publishAt === undefined) return input
  const delay = input.value.publishAt - now
  if (delay <= 0) return { problems: [`publishAt: ${say('publishAtPast')}`] }
  return delay > maxDelay ? { problems: [`publishAt: ${say('publishAtFar')}`] } : input
}

const exampleDraft = {
  name: 'New regions',
  action: 'assign',
  restoredFrom: null,
  items: null,
  baseVersion: 1,
  revision: 2,
  savedRevision: 1,
  categories: 4,
  created: exampleTime,
  createdBy: 'admin',
  modified: exampleTime,
  modifiedBy: 'admin',
  savers: ['admin'],
  proposedBy: 'admin',
  state: 'proposed',
  stateBy: 'admin',
  stateModified: exampleTime,
  note: 'Please look at Asia.',
  reviewer: null,
  publishAt: null,
} as const

/** Drafts of an owner's schema. */
export function draftRows(words: OwnerWords): readonly Endpoint[] {
  const { name, owner, paths, mayAssign, maySeeVersions } = words
  const drafts = `${paths.schema}/drafts` as const
  const draft = `${drafts}/:draftId` as const
  const ofOwner = exampleIdsOf(words)
  const draftId = words.kind === 'group' ? exampleIds.groupDraftId : exampleIds.draftId
  const ofDraft = { ...ofOwner, draftId }
  const { moves, comment, vanishing } = assignParameters(words)
  const keptMoves: typeof moves = { ...moves, read: (given) => tooLong(given ?? '') ?? moves.read(given) }
  const content = { baseVersion, moves: keptMoves, comment, vanishing }
  const extension = 'schemaDrafts'
  const shared = { token: 'required', who: mayAssign, source: 'chosen' } as const
  const goals = ['Have a second person publish changes'] as const
  return [
    endpoint({
      ...shared,
      who: maySeeVersions,
      id: `list${name}SchemaDrafts`,
      title: `Drafts of the category schema (${owner})`,
      task: 'list drafts of category schema',
      goals,
      sharesPath: true,
      path: drafts,
      summary: `Drafts of the ${owner}'s category schema, the latest change first.`,
      chosen: [
        'GET reads this list; POST of the same path creates a draft.',
        'All who may assign the schema change and publish all of its drafts.',
      ],
      answers: { json: draftListShape },
      example: { ids: ofOwner, answer: { drafts: [{ id: draftId, ...exampleDraft }] } },
      answer: async ({ ids, run }) => ({ json: draftListToWire(await run({ owner: ownerOf(words, ids) })) }),
    }),
    endpoint({
      ...shared,
      id: `create${name}SchemaDraft`,
      title: `Create draft (${owner})`,
      task: 'create draft of category schema',
      goals,
      sharesPath: true,
      extension,
      path: drafts,
      parameters: {
        name: requiredName('Name.', nameRules),
        action: withDefault(
          optionalChoice(
            'What publishing it does: assign (default) takes categorySchema, which is required then; restore takes restoredFrom; delete neither.',
            draftActions,
          ),
          'assign',
        ),
        restoredFrom: optionalInteger('Version to restore.', { minimum: 1 }),
        items: itemsChoice,
        categorySchema: schema,
        ...content,
      },
      summary: `Keeps a change of the ${owner}'s category schema as a draft, without publishing it.`,
      chosen: [
        `There are at most ${maxDrafts} drafts of a schema.`,
        'A deletion, or a restore, is refused where it would be refused now, whatever the version.',
      ],
      answers: { json: savedDraftShape },
      example: {
        ids: ofOwner,
        parameters: { name: 'New regions', categorySchema: exampleSchema },
        answer: { success: true, draftId: generatedIds.id, revision: 1 },
      },
      async answer({ ids, input, dependencies, run }) {
        const given = mapParsed(fitted(input), ({ categorySchema: kept, moves: declared = [], ...others }) => ({
          ...others,
          document: kept?.document,
          categories: kept?.size.categories,
          moves: declared,
        }))
        const made = await run({ owner: ownerOf(words, ids), draftId: dependencies.random.id(), draft: given })
        return toSavedDraft(made.draft)
      },
    }),
    endpoint({
      ...shared,
      who: maySeeVersions,
      id: `read${name}SchemaDraft`,
      title: `Draft (${owner})`,
      task: 'read draft of category schema',
      path: draft,
      summary: `A draft of the ${owner}'s category schema.`,
      answers: { json: wholeDraftShape },
      example: {
        ids: ofDraft,
        answer: {
          id: draftId,
          ...exampleDraft,
          ...JSON.parse(exampleSchema),
          moves: [],
          comment: null,
          vanishing: null,
        },
      },
      answer: async ({ ids, run }) => ({
        json: draftToWire(await run({ owner: ownerOf(words, ids), draftId: ids.draftId })),
      }),
    }),
    endpoint({
      ...shared,
      id: `update${name}SchemaDraft`,
      title: `Update draft (${owner})`,
      task: 'update draft of category schema',
      goals,
      path: `${draft}/update`,
      parameters: {
        name: changedName('Name.', nameRules),
        categorySchema: schema,
        ...content,
        comment: { ...comment, read: (given) => (given?.trim() === '' ? '' : comment.read(given)) },
        ifRevision,
      },
      summary: 'Changes the given parts of a draft; the others are unchanged.',
      chosen: [
        'A proposal, or a time of publication, ends: it was for what the draft was before. An empty comment is removed.',
        'Of a deletion or restore, name, comment and baseVersion change.',
      ],
      answers: { json: savedDraftShape },
      example: {
        ids: ofDraft,
        parameters: { name: 'Regions of 2027', ifRevision: '2' },
        answer: { success: true, draftId, revision: 3 },
      },
      async answer({ ids, input, run }) {
        const change = mapParsed(input, ({ categorySchema, ifRevision: expected, ...given }) => ({
          ...onlyGiven(given),
          ...(categorySchema && { document: categorySchema.document, categories: categorySchema.size.categories }),
          ifRevision: expected,
        }))
        const made = await run({ owner: ownerOf(words, ids), draftId: ids.draftId, change })
        return toSavedDraft(made.draft)
      },
    }),
    endpoint({
      ...shared,
      id: `propose${name}SchemaDraft`,
      title: `Propose draft (${owner})`,
      task: 'propose draft of category schema',
      goals,
      path: `${draft}/propose`,
      parameters: {
        to: optionalText('Username of the person who is asked to publish it: a wish, as any second person may.', {
          maxLength: 128,
        }),
        note: optionalText('Words to this person.', note),
        ifRevision,
      },
      summary: 'Proposes a draft to a second person, who publishes it or sends it back.',
      chosen: [
        'A draft that violates a limit is refused, as it could not be published.',
        'The person who is asked has a notification, and a mail where the server sends mail.',
      ],
      example: { ids: ofDraft, parameters: { note: 'Please look at Asia.' }, answer: { success: true } },
      async answer({ ids, input, run, dependencies, publicUrl }) {
        const proposal = mapParsed(input, ({ to, note: words, ifRevision: expected }) => ({
          to: to?.trim() || undefined,
          note: words?.trim() || undefined,
          ifRevision: expected,
        }))
        const { proposed } = await run({ owner: ownerOf(words, ids), draftId: ids.draftId, proposal })
        if (proposed?.recipient.email) {
          dependencies.mailer?.send(proposalMail(proposed.recipient, proposed.name, proposed.by, publicUrl))
        }
        return success
      },
    }),
    endpoint({
      ...shared,
      id: `return${name}SchemaDraft`,
      title: `Send draft back (${owner})`,
      task: 'send draft of category schema back',
      goals,
      path: `${draft}/return`,
      parameters: { note: requiredText('Why it is sent back.', note), ifRevision },
      summary: 'Sends a draft back that is proposed, or is to be published at a time.',
      example: { ids: ofDraft, parameters: { note: 'Asia has two names.' }, answer: { success: true } },
      async answer({ ids, input, run }) {
        await run({ owner: ownerOf(words, ids), draftId: ids.draftId, answer: input })
        return success
      },
    }),
    endpoint({
      ...shared,
      id: `publish${name}SchemaDraft`,
      title: `Publish draft (${owner})`,
      task: 'publish draft of category schema',
      goals,
      path: `${draft}/publish`,
      parameters: { ifRevision, publishAt, dryRun },
      summary: `Makes a draft the ${owner}'s category schema, now or at a time, or says what that would do.`,
      chosen: [
        'It is the assign, deletion or restore that the draft has: 409 if another version was published since. The draft is removed then, and the version has draft.',
        'At its time, it is published with the rights that this caller has then. A draft that is refused then is failed, with the reason in note.',
        'Where the organization asks for two people (`categoryApproval`), the draft has to be proposed, and another person publishes it than who proposed it and all who saved it since it has its base; `ifRevision` is required. An app is no person, and neither is its owner for it: what it saved has to be saved or proposed by a person. An assign, an import, a restore and a deletion are refused there; plans and dry runs are not.',
      ],
      answers: { json: changedSchemaShape },
      example: { ids: ofDraft, parameters: { ifRevision: '2' }, answer: { success: true, version: 2 } },
      async answer({ ids, input, now, run, search }) {
        const publication = mapParsed(requirePublishTime(input, now), ({ dryRun: _, ...given }) => given)
        const asked = { owner: ownerOf(words, ids), draftId: ids.draftId, publication }
        if (isDryRun(input)) return planAnswer(await search(`plan${name}SchemaDraft`, asked))
        const { version } = await run(asked)
        return version === undefined ? success : toVersionResult({ version })
      },
    }),
    endpoint({
      ...shared,
      id: `delete${name}SchemaDraft`,
      title: `Delete draft (${owner})`,
      task: 'delete draft of category schema',
      path: `${draft}/delete`,
      parameters: { ifRevision },
      summary: `Deletes a draft of the ${owner}'s category schema.`,
      example: { ids: ofDraft, answer: { success: true } },
      async answer({ ids, input, run }) {
        await run({ owner: ownerOf(words, ids), draftId: ids.draftId, condition: input })
        return success
      },
    }),
  ]
}

const { portalId, groupId, draftId: portalDraftId, groupDraftId } = exampleIds

/** Drafts of all schemas of an organization that wait for a person. */
export const pendingDraftRows: readonly Endpoint[] = [
  endpoint({
    id: 'listPendingSchemaDrafts',
    title: 'Pending drafts of category schemas',
    task: 'list drafts of category schemas',
    goals: ['Have a second person publish changes'],
    path: '/portals/:portalId/pendingSchemaDrafts',
    who: 'Members of the organization',
    summary:
      'Drafts that are proposed, sent back, scheduled or failed, of the schemas that the caller may assign; the latest change first, 50 at most.',
    source: 'chosen',
    extension: 'schemaDrafts',
    answers: { json: pendingDraftsShape },
    example: {
      ids: { portalId },
      answer: {
        drafts: [
          { id: portalDraftId, ...exampleDraft },
          { id: groupDraftId, ...exampleDraft, groupId, groupTitle: 'Land cover' },
        ],
      },
    },
    answer: async ({ ids, run }) => ({ json: pendingDraftsToWire(await run(ids)) }),
  }),
]
