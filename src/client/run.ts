import { setFlagsFromString } from 'node:v8'
import { processShell } from './process-shell.ts'
import { runClient } from './program.ts'

/** Runs a command for any portal in this process; answers its exit code. */
export async function run(words: readonly string[]): Promise<number> {
  // A command waits for its portal most of the time: room for new objects, and code that is faster, would only cost memory, 30 MB of it.
  for (const flag of ['--semi-space-growth-factor=1', '--no-maglev']) setFlagsFromString(flag)
  process.stderr.on('error', () => undefined)
  // Room for new objects stays small: jobs of hours do without the megabytes that it would grow to.
  setFlagsFromString('--semi-space-growth-factor=1')
  const ended = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => ended.abort(signal))
  const code = await runClient(words, { ...processShell(), environment: process.env, signal: ended.signal })
  // Standard input may still be open.
  if (ended.signal.aborted) process.exit(code)
  return code
}
