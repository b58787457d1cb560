import { targetTypes } from '../../../audit/actions.ts'
import type { HistoryEntry, HistoryPage } from '../../../audit/operations.ts'
import { byteOrderMark, formatCsvRow, guardFormula } from '../../../csv-text.ts'
import { summaryShape } from '../categories/schema-diff.ts'
import {
  choice,
  component,
  integer,
  list,
  nullable,
  object,
  open,
  shortId,
  text,
  time,
  type ValueOf,
} from '../shape.ts'

const types = Object.keys(targetTypes) as (keyof typeof targetTypes)[]
const typesInWords = Object.entries(targetTypes).map(([type, meaning]) => `${type}: ${meaning}`)

/** Beside these, `data` has what the operation adds, such as the version of a category schema. */
export const outcomes = ['success', 'refused'] as const

export const historyEntryShape = component(
  'HistoryEntry',
  'An entry of the log.',
  object({
    id: nullable(text('Id of the target, or username; the first of several.')),
    itemTitle: nullable(
      text(
        'Title of the item or group, if it still exists; what a collaboration, a workspace or a participant was called, and the URL of the guest of an invitation.',
      ),
    ),
    idType: nullable(choice(types, `Type of the target. ${typesInWords.join(', ')}.`)),
    orgId: shortId(),
    orgName: text(),
    owner: nullable(text('Username of the owner of the target, where it is known.')),
    ownerFullName: nullable(text()),
    actor: nullable(text('Username of the caller; null for an anonymous one.')),
    actorFullName: nullable(text('If the user still exists.')),
    ip: text('Network address of the caller.'),
    action: text("The public API's word for it, or the last part of the path of the operation."),
    created: time('When it happened.'),
    request: text('Path of the target.'),
    reqId: text('Id of the request: the header X-Request-Id of its answer.'),
    revertId: nullable(
      text('Id by which changes of items are undone that it made; null if there are none, or they are undone.'),
    ),
    clientId: nullable(text('Always null: there are no registered clients.')),
    data: open(
      object(
        { operation: text('Name of the operation.'), outcome: choice(outcomes) },
        {
          error: integer('Code of a refusal.'),
          version: integer('Of a category schema: the version that was made.'),
          from: integer('Of a category schema: the version before.'),
          summary: {
            ...summaryShape,
            description: 'Of a category schema: how much changed; absent after an assign without any option.',
          },
          comment: text('On the change of a category schema.'),
          moves: integer('How many moves a change of a category schema had; absent without any.'),
          collaboration: text('Name of the collaboration, where the target is a part of it, as it was then.'),
          host: text('Of an invitation that is accepted or validated: the URL in it of the host.'),
          users: list(text(), 'Usernames of the users that it was done to, or that were refused.'),
          groups: list(text(), 'Ids of the groups that items were shared with or taken from, or that were refused.'),
          targets: list(text(), 'Ids of all targets, where there are several.'),
          runId: text('Of a step of a change of many items: the id of the run.'),
          draft: text('Name of the draft of a category schema.'),
        },
      ),
    ),
  }),
)
export type WireHistoryEntry = ValueOf<typeof historyEntryShape>

export const historyShape = object({
  items: list(historyEntryShape),
  nextKey: nullable(text('Value of `start` for the next page; null at the end.')),
  num: integer('Most entries of the page.'),
})

export function historyToWire(page: HistoryPage): readonly WireHistoryEntry[] {
  return page.entries.map((entry) => entryToWire(page, entry))
}

function entryToWire({ portalId, portalName }: HistoryPage, entry: HistoryEntry): WireHistoryEntry {
  const { succeeded, operation, outcome } = entry
  // It is itemTitle.
  const { title: _, ...data } = entry.data ?? {}
  return {
    id: entry.ids[0] ?? null,
    itemTitle: entry.title ?? null,
    idType: entry.type ?? null,
    orgId: portalId,
    orgName: portalName,
    owner: entry.owner ?? null,
    ownerFullName: entry.ownerFullName ?? null,
    actor: entry.username ?? null,
    actorFullName: entry.actorFullName ?? null,
    ip: entry.address,
    action: entry.action,
    created: entry.at,
    request: entry.target,
    reqId: entry.requestId,
    revertId: entry.isRevertible ? String(entry.number) : null,
    clientId: null,
    data: {
      ...data,
      operation,
      outcome: outcomeOf(succeeded),
      ...(succeeded ? {} : { error: outcome }),
    },
  }
}

function outcomeOf(succeeded: boolean): (typeof outcomes)[number] {
  return succeeded ? 'success' : 'refused'
}

/** Columns of the public log (documented), and the outcome (chosen). */
const columns = [
  'id',
  'itemTitle',
  'idType',
  'orgId',
  'orgName',
  'owner',
  'ownerFullName',
  'actor',
  'actorFullName',
  'ip',
  'action',
  'created_utc',
  'request',
  'reqId',
  'clientId',
  'data',
  'outcome',
] as const

/** For spreadsheets: no cell is taken for a formula. */
export function formatHistoryCsv(page: HistoryPage): string {
  const rows = historyToWire(page).map(({ created, data, ...entry }) => {
    const cells: Readonly<Record<(typeof columns)[number], unknown>> = {
      ...entry,
      created_utc: new Date(created).toISOString(),
      data: JSON.stringify(data),
      outcome: data.outcome,
    }
    return columns.map((column) => guardFormula(String(cells[column] ?? '')))
  })
  return byteOrderMark + [columns, ...rows].map((row) => formatCsvRow(row)).join('')
}

/** An entry in each line. */
export function formatHistoryLines(page: HistoryPage): string {
  return historyToWire(page)
    .map((entry) => `${JSON.stringify(entry)}\n`)
    .join('')
}
