import type { Answered, Call } from '../command-line/run.ts'
import { untried } from '../failure.ts'
import { parsePlace } from '../portals/place.ts'
import { readFileTests } from './change.ts'
import { countsItems, formatOutcome, judge } from './expectations.ts'
import { Sources } from './source.ts'

export async function test(call: Call): Promise<Answered> {
  const path = call.positionals[0]!
  const to = call.text('to')
  const sources = new Sources(call)
  const { schema, members } = await sources.read(path)
  const expectations = await readFileTests(path, members)
  if (to === undefined && expectations.some(countsItems)) throw untried('Tests that count items need --to <place>.')
  const counted = to === undefined ? undefined : await openPlace(sources, to)
  // Items are counted as they are now, by the paths of the file.
  const outcomes = await judge(expectations, { before: schema, after: schema, moves: [] }, counted)
  const failed = outcomes.filter(({ ok }) => !ok).length
  const sums = `${outcomes.length - failed} passed, ${failed} failed`
  const text = [...outcomes.map(formatOutcome), sums].join('\n')
  return { json: { tests: outcomes }, text, exit: failed > 0 ? 1 : 0 }
}

async function openPlace(sources: Sources, to: string) {
  const named = parsePlace(to)
  if (named.kind !== 'portal' || named.version !== undefined) throw untried(`--to ${to} is no place of a portal.`)
  const { portal, find } = await sources.portal()
  return { portal, place: await find(named.owner) }
}
