import type { Call } from '../command-line/run.ts'
import { refused, untried } from '../failure.ts'
import { clean } from '../output/text.ts'

/** Asks a person before a change, or for a name that has to be typed before something is deleted; `--yes` answers. */
export async function confirm(call: Call, question: string, name?: string): Promise<void> {
  if (call.has('yes')) return
  const { input } = call.shell
  if (!input?.isTerminal || call.has('no-input')) {
    throw untried('There is no one to ask before the change: give --yes.')
  }
  call.say(name === undefined ? `${question} [y/N]` : `${question} Type ${clean(name)} to go on:`)
  const answer = ((await input.readLine()) ?? '').trim()
  if (name === undefined ? !/^y(es)?$/i.test(answer) : answer !== name) throw refused('Nothing was changed.')
}
