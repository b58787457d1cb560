import type { Call } from '../command-line/run.ts'
import { refused, untried } from '../failure.ts'

/** Asks a person before a change; `--yes` answers. */
export async function confirm(call: Call, question: string): Promise<void> {
  if (call.has('yes')) return
  const answer = await ask(call, `${question} [y/N]`)
  if (!/^y(es)?$/i.test(answer)) throw refused('Nothing was changed.')
}

/** Asks a person to type a name before something is deleted. */
export async function confirmByName(call: Call, question: string, name: string): Promise<void> {
  if (call.has('yes')) return
  const answer = await ask(call, `${question} Type ${name} to go on:`)
  if (answer !== name) throw refused('Nothing was changed.')
}

async function ask(call: Call, question: string): Promise<string> {
  const { input } = call.shell
  if (!input?.isTerminal || call.has('no-input')) {
    throw untried('There is no one to ask before the change: give --yes.')
  }
  call.say(question)
  return ((await input.readLine()) ?? '').trim()
}
