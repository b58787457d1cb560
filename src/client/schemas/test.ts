import type { Answered, Call } from '../command-line/run.ts'
import { untried } from '../failure.ts'
import { readFileTests } from './change.ts'
import { countsItems, formatOutcome, judge } from './expectations.ts'
import { Sources } from './source.ts'

export async function test(call: Call): Promise<Answered> {
  const path = call.positionals[0]!
  const to = call.text('to')
  const sources = new Sources(call)
  const { schema, members } = await sources.read(path)
  const expectations = readFileTests(path, members)
  if (to === undefined && expectations.some(countsItems)) throw untried('Tests that count items need --to <place>.')
  const counted = to === undefined ? undefined : await sources.place(to, `--to ${to} is no place of a portal.`)
  // Items are counted as they are now, by the paths of the file.
  const outcomes = await judge(expectations, { before: schema, after: schema, moves: [] }, counted)
  const failed = outcomes.filter(({ ok }) => !ok).length
  const sums = `${outcomes.length - failed} passed, ${failed} failed`
  const text = [...outcomes.map(formatOutcome), sums].join('\n')
  return { json: { tests: outcomes }, text, exit: failed > 0 ? 1 : 0 }
}
