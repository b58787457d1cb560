import { setFlagsFromString } from 'node:v8'
import { processShell } from './process-shell.ts'
import { runClient } from './program.ts'

/** Runs a command for any portal in this process; answers its exit code. */
export async function run(words: readonly string[]): Promise<number> {
  process.stderr.on('error', () => undefined)
  // Jobs of hours do without the room that new objects would get, and without code that is compiled for a speed no portal has.
  for (const flag of ['--semi-space-growth-factor=1', '--no-maglev']) setFlagsFromString(flag)
  const ended = new AbortController()
  for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => ended.abort(signal))
  const code = await runClient(words, { ...processShell(), environment: process.env, signal: ended.signal })
  // Standard input may still be open.
  if (ended.signal.aborted) process.exit(code)
  return code
}
