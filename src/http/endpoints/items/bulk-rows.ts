import { mapParsed, type Parsed } from '../../../call/parsed.ts'
import { parseBulkChange } from '../../../items/changes/bulk-change.ts'
import { maxBulkItems } from '../../../items/changes/change-operations.ts'
import type { PlannedUndo } from '../../../items/changes/run-operations.ts'
import type { Slice } from '../../../paging.ts'
import { exampleIds, exampleTime, generatedIds, singlePage } from '../../examples/examples.ts'
import { itemId } from '../../examples/items.ts'
import { plannedUndoToWire, runShape, runToWire, undoAnswerShape } from '../../shapes/items/item-runs.ts'
import { begunRunShape } from '../../shapes/jobs.ts'
import { pageOf, pageToWire } from '../../shapes/page.ts'
import { type Endpoint, endpointsOf } from '../endpoint.ts'
import { pageParameters } from '../page-parameters.ts'
import { guard, optionalBoolean, optionalText, requiredJson, type Values } from '../parameter-types.ts'
import { optionalEntries } from './entries.ts'
import { conditionOf, conditionParameters } from './search-parameters.ts'
import { confirmItemControl } from './sharing.ts'

const endpoint = endpointsOf('items')

const { runId } = exampleIds
const begun = { jobId: generatedIds.id, total: 1 }

export const groupOfCategories = guard(
  optionalText('Id of a group: its items, and its categories; by default those of the organization.', {
    maxLength: 64,
  }),
  'for the organization',
)

const bulkParameters = {
  items: optionalEntries(`Ids of items, at most ${maxBulkItems}; by default all that the search finds.`, {
    max: maxBulkItems,
    maxLength: 64,
  }),
  ...conditionParameters,
  group: groupOfCategories,
  confirmItemControl,
  change: requiredJson(
    'One of {"categories": {"add": [], "remove": []}}, {"categories": {"set": []}}, {"tags": {"add": [], "remove": []}}, {"access": "private", "groups": {"add": [], "remove": []}}, {"owner": "<username>"} and {"delete": true}. access is private, org or public.',
    parseBulkChange,
  ),
}

type BulkInput = Values<typeof bulkParameters>

/** Rows of a change of many items, and of runs. */
export const bulkRows: readonly Endpoint[] = [
  endpoint({
    id: 'changeItems',
    title: 'Change many items',
    goals: ['Sort content into categories', 'Share content, or end that', 'Delete content, or protect it'],
    path: '/content/changeItems',
    parameters: bulkParameters,
    refusesMisspelt: true,
    judgesEach: true,
    who: 'Any signed-in user; each item: who may make the change. A group’s categories: its owner and managers',
    summary:
      'Begins a job that makes one change of many items: their categories, tags, sharing or owner; or deletes them.',
    source: 'chosen',
    extension: 'itemRuns',
    chosen: [
      'Items are given, or found by a search: one of both.',
      'Each item is changed by the rules of the operation for one item. What cannot be done is in the failures of the job; an item is changed whole or not at all.',
      'The job is a run, which can be undone together; deletions cannot.',
    ],
    answers: { json: begunRunShape },
    example: {
      parameters: { items: itemId, change: '{"tags":{"add":["water"]}}' },
      answer: begun,
    },
    async answer({ input, dependencies, search, run }) {
      const groupId = 'value' in input ? input.value.group || undefined : undefined
      return {
        json: await run({
          jobId: dependencies.random.id(),
          itemIds: await findIds(input, groupId, search),
          change: mapParsed(input, ({ change, confirmItemControl }) =>
            change.kind === 'sharing' ? { ...change, confirmItemControl } : change,
          ),
          groupId,
        }),
      }
    },
  }),
  endpoint({
    id: 'listItemRuns',
    title: 'Runs',
    task: 'list runs',
    goals: ['Undo a change of content'],
    path: '/content/categories/runs',
    parameters: pageParameters,
    who: 'Any signed-in user',
    summary:
      'Changes of many items together: those of the caller, and for administrators all of the organization; the last one first.',
    source: 'chosen',
    answers: { json: pageOf('runs', runShape) },
    example: {
      answer: singlePage('runs', [
        {
          id: runId,
          kind: 'changeItems' as const,
          actor: 'admin',
          created: exampleTime,
          ended: exampleTime,
          state: 'cancelled' as const,
          done: 0,
          total: 1,
          failed: 0,
          changes: 0,
          isRevertible: false,
          reverts: null,
        },
      ]),
      varies: true,
    },
    async answer({ input, run }) {
      return { json: pageToWire('runs', await run({ page: input }), runToWire) }
    },
  }),
  endpoint({
    id: 'revertItemRun',
    title: 'Undo a run',
    task: 'undo run',
    goals: ['Undo a change of content'],
    path: '/content/categories/runs/:runId/revert',
    parameters: {
      dryRun: guard(optionalBoolean('true: nothing is undone; the answer is what would be.'), 'to make the change'),
    },
    who: 'The user who began it; administrators of the organization. Each item: who may make the change that undoes it',
    summary: 'Begins a job that undoes the changes of a run, or says what that would do.',
    source: 'chosen',
    chosen: [
      'What has changed again since is left, and named in the failures of the job. A run can be undone for 90 days, and as long as the log has its entries.',
      'Undoing is a run too, and can be undone.',
      'A dry run has in failures what would be left, each by the rules of today.',
    ],
    answers: { json: undoAnswerShape },
    example: { ids: { runId }, answer: { ...begun, total: 0 } },
    async answer({ ids: { runId }, input, dependencies, search, run }) {
      if ('value' in input && input.value.dryRun) {
        const parts: PlannedUndo[] = []
        do parts.push(await search('planItemRunRevert', { runId, place: parts.at(-1)?.place }))
        while (parts.at(-1)?.place)
        const total = parts.reduce((sum, part) => sum + part.total, 0)
        const failures = parts.flatMap((part) => part.failures)
        return { json: plannedUndoToWire(total, failures) }
      }
      return { json: await run({ runId, jobId: dependencies.random.id() }) }
    },
  }),
]

type FindIds = (
  operation: 'findItemIds',
  input: {
    readonly query: ReturnType<typeof conditionOf>
    readonly groupId: string | undefined
    readonly max: number
    readonly start: number
  },
) => Promise<Slice<string>>

/** The ids that are given, or those of what the search finds. */
async function findIds(
  input: Parsed<BulkInput>,
  groupId: string | undefined,
  search: FindIds,
): Promise<Parsed<readonly string[]>> {
  if ('problems' in input) return input
  const { items = [], q, filter, bbox, categories, categoryFilters, uncategorized } = input.value
  // Blank texts would find everything, as no one means who changes what is found.
  const isSearch =
    [q, filter].some((given) => given !== undefined && given.trim() !== '') ||
    uncategorized === true ||
    bbox !== undefined
  const hasCondition = isSearch || categories.length + categoryFilters.length > 0
  if (items.length > 0 && hasCondition) return { problems: ['items: give items or a search, not both.'] }
  if (items.length > 0) return { value: items }
  if (!hasCondition && groupId === undefined) {
    return { problems: ['items: give ids, or a search; q=* would be everything that you see.'] }
  }
  const query = conditionOf(input, groupId === undefined ? 'portal' : { groupId })
  const ids: string[] = []
  for (;;) {
    const found = await search('findItemIds', { query, groupId, max: maxBulkItems, start: ids.length + 1 })
    ids.push(...found.entries)
    if (found.entries.length === 0 || ids.length >= found.total) return { value: ids }
  }
}
