/** Hostile members in a separate process. */
import { type ChildProcess, spawn } from 'node:child_process'
import { createInterface } from 'node:readline'
import { fileURLToPath } from 'node:url'

export interface Hostile {
  readonly process: ChildProcess
  readonly lines: AsyncIterator<string>
}

/** Starts a process of lowest priority, so that honest users get the processor first; resolves once it has begun. */
export async function startHostile(given: object): Promise<Hostile> {
  const program = fileURLToPath(new URL('soak-hostile.ts', import.meta.url))
  const child = spawn(process.execPath, [program, JSON.stringify(given)], { stdio: ['ignore', 'pipe', 'inherit'] })
  const end = () => child.kill('SIGKILL')
  process.once('exit', end)
  child.once('exit', () => process.off('exit', end))
  const lines = createInterface(child.stdout)[Symbol.asyncIterator]()
  await lines.next()
  return { process: child, lines }
}

/** Adds the answers of the hostile members to the earlier ones. */
export async function stopHostile({ process: child, lines }: Hostile, outcomes: Map<string, number>): Promise<void> {
  child.kill('SIGTERM')
  const { value, done } = await lines.next()
  if (done) throw new Error('The hostile members ended before the honest users.')
  for (const [what, count] of JSON.parse(value) as [string, number][]) {
    outcomes.set(what, (outcomes.get(what) ?? 0) + count)
  }
}
