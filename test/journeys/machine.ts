import { execFile } from 'node:child_process'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { onTestFinished } from 'vitest'
import { type CartularyProcess, Folder, serve } from '../support/portal/process.ts'

const program = fileURLToPath(new URL('../../bin/cartulary.mjs', import.meta.url))
export const firstPassword = 'the password of the first start'

/** Every block that was run. */
export const pasted = new Set<string>()

/** A machine: a folder with `data`, `backups`, and a service that `systemctl` starts and stops. */
export class Machine implements AsyncDisposable {
  readonly folder = new Folder()
  readonly #settings: Readonly<Record<string, string>>
  #server: CartularyProcess | undefined
  readonly #service = createServer(async ({ url }, answer) => {
    try {
      if (url === '/start') await this.start()
      else await this.stop()
      answer.end()
    } catch (error) {
      answer.writeHead(500).end(String(error))
    }
  })

  constructor(settings: Readonly<Record<string, string>> = {}) {
    this.#settings = { ADMIN_PASSWORD: firstPassword, LOG_LEVEL: 'info', ...settings }
    const programs = join(this.folder.path, 'bin')
    mkdirSync(programs)
    this.#service.listen(0, '127.0.0.1')
    const scripts = {
      cartulary: `exec '${process.execPath}' '${program}' "$@"`,
      systemctl: 'exec curl -fsS "$SERVICE/$1"',
    }
    for (const [name, script] of Object.entries(scripts)) {
      writeFileSync(join(programs, name), `#!/bin/sh\n${script}\n`)
      chmodSync(join(programs, name), 0o755)
    }
  }

  get server(): CartularyProcess {
    return this.#server!
  }

  get database(): string {
    return `file:${join(this.folder.path, 'data/cartulary.db')}`
  }

  async start(): Promise<void> {
    this.#server = await serve({ folder: this.folder.path, environment: this.#settings })
  }

  async stop(): Promise<void> {
    await this.server.stop()
  }

  /** Pastes a block as a person would; `typed` is typed then. Paths of the documents are those below this folder. */
  async paste(block: string, { typed = '', ...more }: { typed?: string; NEW_PASSWORD?: string } = {}): Promise<string> {
    pasted.add(block)
    const { port } = this.#service.address() as AddressInfo
    const env = {
      ...this.#settings,
      ...more,
      PATH: `${join(this.folder.path, 'bin')}:${process.env['PATH']}`,
      SERVICE: `http://127.0.0.1:${port}`,
    }
    const words = ['-euo', 'pipefail', '-c', block.replaceAll('/backups', join(this.folder.path, 'backups'))]
    return new Promise((resolve, reject) => {
      const child = execFile('bash', words, { env, cwd: this.folder.path }, (error, printed, complaint) => {
        if (error) reject(new Error(`${block}\n${printed}${complaint}`))
        else resolve(printed)
      })
      // A command that reads nothing may have ended before this is written (EPIPE).
      child.stdin!.on('error', () => undefined)
      child.stdin!.end(typed)
    })
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#server?.[Symbol.asyncDispose]()
    this.#service.close()
    this.folder[Symbol.dispose]()
  }
}

/** A machine whose server runs, until the end of the test. */
export async function aMachine(settings?: Readonly<Record<string, string>>): Promise<Machine> {
  const machine = new Machine(settings)
  onTestFinished(() => machine[Symbol.asyncDispose]())
  await machine.start()
  return machine
}
