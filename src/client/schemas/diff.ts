import { diffSchemas } from '../../categories/diff/diff.ts'
import { formatDiff } from '../../categories/diff/format-diff.ts'
import type { Answered, Call } from '../command-line/run.ts'
import { colourDiff } from '../output/text.ts'
import { Sources } from './source.ts'

export async function diff(call: Call): Promise<Answered> {
  const [one, other] = call.positionals
  const sources = new Sources(call)
  const { schema: before } = await sources.read(one!)
  const { schema: after } = await sources.read(other!)
  const found = diffSchemas(before, after, [])
  const { changes, summary, suggestions } = found
  const exit = call.has('detailed-exitcode') && changes.length > 0 ? 3 : 0
  const text = changes.length === 0 ? 'No change.' : colourDiff(formatDiff(found), call.shell, call.has('no-color'))
  return { json: { changes, summary, suggestions }, text, exit }
}
