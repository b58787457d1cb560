import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { onTestFinished } from 'vitest'
import { runCommand } from '../../src/cli/cli.ts'
import { adminPassword } from '../support/portal/portal.ts'
import { Secrets } from './secrets.ts'

/** Output and exit code of a command. */
export interface Ended {
  readonly code: number
  readonly printed: string
  readonly bytes: Uint8Array
  readonly complaint: string
}

interface Options {
  readonly environment?: Readonly<Record<string, string>>
  /** Line of standard input. */
  readonly typed?: string
  /** File of standard input. */
  readonly piped?: string | Uint8Array
  /** Whether a person types. */
  readonly isPerson?: boolean
  /** Columns of a terminal; absent for a pipe. */
  readonly columns?: number
  readonly signal?: AbortSignal
}

/** A person's machine: a home of its own, a working folder, and the commands, none of which may show a secret. */
export class Desk {
  /** Working folder; the home is beside it. */
  readonly folder: string
  readonly home: string
  /** Milliseconds that commands waited before they repeated a request. */
  readonly waits: number[] = []
  /** Work of the portal while a command waits. */
  meanwhile = async (): Promise<void> => undefined
  readonly secrets = new Secrets()
  /** Everything that commands printed, on either output. */
  said = ''

  constructor() {
    const place = mkdtempSync(join(tmpdir(), 'desk-'))
    onTestFinished(() => rmSync(place, { recursive: true, force: true }))
    this.folder = place
    this.home = join(place, 'home')
  }

  /** Writes a file of the working folder; answers its path. */
  file(name: string, content: unknown): string {
    const path = join(this.folder, name)
    const isText = typeof content === 'string' || content instanceof Uint8Array
    writeFileSync(path, isText ? content : JSON.stringify(content))
    return path
  }

  path(name: string): string {
    return join(this.folder, name)
  }

  async run(words: readonly string[], options: Options = {}): Promise<Ended> {
    const { environment, typed, piped, isPerson = false, columns, signal = new AbortController().signal } = options
    const [printed, complaints, parts]: [string[], string[], Uint8Array[]] = [[], [], []]
    if (words[0] === 'login') this.secrets.add(typed)
    this.secrets.add(environment?.['CARTULARY_TOKEN'], environment?.['CARTULARY_CLIENT_SECRET'])
    const readLine = async () => typed
    const code = await runCommand(words, {
      environment: { XDG_CONFIG_HOME: this.home, XDG_STATE_HOME: this.home, ...environment },
      folder: this.folder,
      signal,
      ...(columns !== undefined && { isTerminal: true, columns }),
      input: {
        isTerminal: isPerson,
        readLine,
        readSecret: readLine,
        ...(piped !== undefined && { readAll: async () => Buffer.from(piped) }),
      },
      print: (text) => printed.push(text),
      printBytes: (bytes) => parts.push(bytes),
      printError: (text) => complaints.push(text),
      wait: async (milliseconds) => {
        this.waits.push(milliseconds)
        await this.meanwhile()
      },
      exit: () => complaints.push('exit'),
    })
    const ended = { printed: printed.join('\n'), complaint: complaints.join('\n') }
    this.said += `${ended.printed}\n${ended.complaint}\n`
    const bytes = Buffer.concat(parts)
    const output = `${ended.printed}\n${ended.complaint}\n${bytes.toString('latin1')}`
    this.secrets.requireHidden(`cartulary ${words.join(' ')}`, output, this.folder)
    return { code, ...ended, bytes }
  }

  /** Signs in to a portal as its administrator. */
  async login(url: string, username = 'admin', words: readonly string[] = []): Promise<Ended> {
    return this.run(['login', '--url', url, '--username', username, '--password-stdin', ...words], {
      typed: adminPassword,
    })
  }
}
