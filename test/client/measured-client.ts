import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { bundleClient } from '../../scripts/release/client.ts'

/** Notes how much memory a process had at most; `resourceUsage` has that of the process it was forked from too. */
const measured = `process.on('exit', () => {
  const { readFileSync, writeSync } = require('node:fs')
  writeSync(3, String(1024 * Number(/VmHWM:\\s+(\\d+)/.exec(readFileSync('/proc/self/status', 'utf8'))[1])))
})`

/** The commands for any portal as processes of their own, with as much memory as documented. */
export class MeasuredClient implements Disposable {
  /** Working folder of the commands, and their state. */
  readonly folder = mkdtempSync(join(tmpdir(), 'jobs-'))
  readonly #environment: NodeJS.ProcessEnv

  private constructor(environment: Readonly<Record<string, string>>) {
    this.#environment = {
      ...process.env,
      ...{ XDG_STATE_HOME: this.folder, XDG_CONFIG_HOME: this.folder, ...environment },
    }
  }

  static async open(environment: Readonly<Record<string, string>> = {}): Promise<MeasuredClient> {
    const client = new MeasuredClient(environment)
    const file = join(client.folder, 'cartulary-client.mjs')
    writeFileSync(file, await bundleClient(fileURLToPath(new URL('../../', import.meta.url))))
    chmodSync(file, 0o755)
    writeFileSync(join(client.folder, 'measure.cjs'), measured)
    return client
  }

  /** A command; answers its exit code or signal, and the bytes that it had at most. */
  start(words: readonly string[], typed = '') {
    const program = ['measure.cjs', 'cartulary-client.mjs'].map((name) => join(this.folder, name))
    const child = spawn(process.execPath, ['--max-old-space-size=60', '--require', ...program, ...words], {
      cwd: this.folder,
      env: this.#environment,
      stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
    })
    child.stdin!.end(typed)
    const texts = ['', '', '', '']
    for (const at of [1, 2, 3]) {
      child.stdio[at]!.on('data', (chunk: unknown) => {
        texts[at] += String(chunk)
      })
    }
    const ended = once(child, 'close').then(([code, signal]) => {
      return { code, signal, printed: texts[1]!, said: texts[1]! + texts[2]!, bytes: Number(texts[3]) }
    })
    return { child, ended }
  }

  run(words: readonly string[], typed?: string) {
    return this.start(words, typed).ended
  }

  [Symbol.dispose](): void {
    rmSync(this.folder, { recursive: true })
  }
}
