import { isObject } from '../../json-text.ts'
import { type Columns, printList } from '../command-line/list.ts'
import type { Answered, Call } from '../command-line/run.ts'
import { untried } from '../failure.ts'
import type { Answer, Connection, Parameters } from '../network/connection.ts'
import { describeKind, objectsOf, textOf } from '../network/facts.ts'
import { formatTime } from '../output/text.ts'
import { openPortal } from '../portals/open.ts'

/** Maximum number of entries of a page, and of a file (documented). */
const [pageSize, fileSize] = [100, 10_000]

const lastOfDay = 86_400_000 - 1

/** The log of the organization, by documented parameters alone: at a Cartulary, and at ArcGIS Online. */
export async function audit(call: Call): Promise<Answered> {
  const [fromDate, toDate] = [parseTime(call, 'since', 0), parseTime(call, 'until', lastOfDay)]
  const { portal, facts } = await openPortal(call)
  if (facts.kind === 'enterprise') {
    throw untried(`audit works with Cartulary and ArcGIS Online; ${portal.url} is ${describeKind(facts)}.`)
  }
  const path = `/portals/${portal.portalId}/history`
  const [actors, actions] = [listOf(call, 'actor'), listOf(call, 'action')]
  const filter = { all: true, fromDate, toDate, actors, actions }
  if (call.has('csv') && !call.has('json')) {
    const file = await portal.connection.download(path, { ...filter, f: 'csv', num: fileSize })
    if (countLines(file) > fileSize) call.say(`A file has ${fileSize} entries at most; --until leads to earlier ones.`)
    return { json: {}, text: file }
  }
  return printList(call, 'items', listEntries(portal.connection, path, filter), { columns, isCsv: false })
}

const columns: Columns<Answer> = {
  heading: ['time', 'actor', 'action', 'type', 'id', 'title', 'outcome', 'address'],
  cells: ({ created, actor, action, idType, id, itemTitle, data, ip }) => {
    const outcome = isObject(data) ? data['outcome'] : ''
    return [formatTime(Number(created)), ...[actor, action, idType, id, itemTitle, outcome, ip].map(textOf)]
  },
}

/** Epoch milliseconds of an option; a date alone is the beginning of its day in UTC, `ofDay` milliseconds later. */
function parseTime(call: Call, option: string, ofDay: number): number | undefined {
  const text = call.text(option)
  if (text === undefined) return undefined
  const [, date, clock, offset = 'Z'] =
    /^(\d{4}-\d\d-\d\d)(?:[T ](\d\d:\d\d(?::\d\d(?:\.\d+)?)?)(Z|[+-]\d\d:\d\d)?)?$/.exec(text) ?? []
  const midnight = Date.parse(`${date}T00:00Z`)
  const time = clock === undefined ? midnight + ofDay : Date.parse(`${date}T${clock}${offset}`)
  // A 30th of February would be a day of March.
  const isDay = !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(date!)
  if (isDay && !Number.isNaN(time)) return time
  throw untried(`--${option} has to be a date or a time of ISO 8601, such as 2026-11-30 or 2026-11-30T12:00Z.`)
}

function listOf(call: Call, option: string): string | undefined {
  const list = call.list(option)
  return list.length === 0 ? undefined : list.join(',')
}

/** Entries by pages, of which each has the key of the next one. */
async function* listEntries(connection: Connection, path: string, filter: Parameters) {
  for (let start: string | undefined; ; ) {
    const page = await connection.call(path, { ...filter, num: pageSize, start })
    yield objectsOf(page, 'items')
    const next = textOf(page['nextKey'])
    if (next === '' || next === start) return
    start = next
  }
}

function countLines(file: Uint8Array): number {
  return file.reduce((lines, byte) => lines + (byte === 10 ? 1 : 0), 0)
}
