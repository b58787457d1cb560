import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { formEncode, type Parameters } from './portal.ts'

const ownProgram = fileURLToPath(new URL('../../../bin/cartulary.mjs', import.meta.url))

/** No server of a test calls another machine. */
const guard = ['--import', new URL('../faults/no-outbound.mjs', import.meta.url).href]

/** Preloaded modules observe packages: a bundle of the server has them in it. */
const fromSources = ['--import', new URL('./from-sources.mjs', import.meta.url).href]

/** Options of a process: nothing of the environment of the tests reaches it. */
export interface ProcessOptions {
  readonly words?: readonly string[]
  readonly environment?: Readonly<Record<string, string>>
  /** Working directory: its `.env` and its `data` are there. */
  readonly folder: string
  /** Words for Node itself. */
  readonly nodeWords?: readonly string[]
  /** A program, with its words, that becomes Node: to set limits before. */
  readonly through?: readonly string[]
  /** Another `bin/cartulary.mjs` than that of this checkout. */
  readonly program?: string
}

/** Exit code of a process, with all that it wrote. */
export interface Ended {
  readonly code: number | null
  readonly out: string
  readonly err: string
}

/** An empty folder that is gone after the test. */
export class Folder implements Disposable {
  readonly path = mkdtempSync(join(tmpdir(), 'cartulary-'));

  [Symbol.dispose](): void {
    rmSync(this.path, { recursive: true, force: true })
  }
}

/** Runs a command to its end. */
export async function run(options: ProcessOptions): Promise<Ended> {
  await using started = new CartularyProcess(options)
  return await started.ended
}

/** Starts a server on a free port, and waits until it is ready. */
export async function serve(options: ProcessOptions): Promise<CartularyProcess> {
  const started = new CartularyProcess({
    ...options,
    environment: { PORT: '0', DRAIN_SECONDS: '0', ...options.environment },
  })
  await Promise.race([started.wrote(/is ready at \S+,.*\n/), started.ended])
  if (started.child.exitCode !== null) throw new Error(`It did not start: ${started.out}${started.err}`)
  return started
}

/** The program as an operator runs it. */
export class CartularyProcess implements AsyncDisposable {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  out = ''
  err = ''

  constructor({
    program = ownProgram,
    words = [],
    environment = {},
    folder,
    nodeWords = [],
    through = [],
  }: ProcessOptions) {
    const [first, ...others] = [
      ...through,
      process.execPath,
      ...guard,
      ...(program === ownProgram && nodeWords.includes('--import') ? fromSources : []),
      ...nodeWords,
      program,
      ...words,
    ]
    this.child = spawn(first!, others, {
      cwd: folder,
      env: environment,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    this.child.stdout!.setEncoding('utf8').on('data', (text: string) => {
      this.out += text
    })
    this.child.stderr!.setEncoding('utf8').on('data', (text: string) => {
      this.err += text
    })
    this.ended = once(this.child, 'close').then(([code]) => ({ code, out: this.out, err: this.err }))
  }

  /** URL that the process says that it listens at. */
  get url(): string {
    const url = /is ready at (\S+),/.exec(this.out)?.[1]
    if (!url) throw new Error(`It does not say where it listens: ${this.out}${this.err}`)
    return url
  }

  /** URL of the API. */
  get base(): string {
    const root = /Open (\S+) in a browser/.exec(this.out)?.[1]
    if (!root) throw new Error(`It does not say where to look: ${this.out}`)
    return `${this.url}${new URL(root).pathname}sharing/rest`
  }

  /** Resolves as soon as its standard output has such words. */
  async wrote(words: RegExp): Promise<void> {
    while (!words.test(this.out)) await once(this.child.stdout!, 'data')
  }

  /** Log lines on standard output so far: each has to be JSON. */
  get log(): readonly Readonly<Record<string, unknown>>[] {
    const lines = this.out.slice(0, this.out.lastIndexOf('\n')).split('\n')
    return lines.map((line) => JSON.parse(line) as Record<string, unknown>)
  }

  /** The body of the answer to a form-encoded POST. */
  // biome-ignore lint/suspicious/noExplicitAny: the shape is what a test is about
  async post(path: string, parameters: Parameters = {}, headers: Readonly<Record<string, string>> = {}): Promise<any> {
    const response = await fetch(`${this.base}${path}`, {
      method: 'POST',
      body: formEncode(parameters),
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...headers },
    })
    return response.json()
  }

  /** A token for a user. */
  async signIn(username: string, password: string): Promise<string> {
    const answer = await this.post('/generateToken', { username, password })
    if (!answer.token) throw new Error(`${username} does not sign in: ${JSON.stringify(answer)}`)
    return answer.token
  }

  /** Asks it to end, and waits until it has. */
  stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<Ended> {
    this.child.kill(signal)
    return this.ended
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.child.exitCode === null && this.child.signalCode === null) this.child.kill('SIGKILL')
    await this.ended
  }
}
