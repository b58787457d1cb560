import { runCommand } from '../../src/cli/cli.ts'
import { readConfig } from '../../src/config.ts'
import { openServer } from '../../src/server.ts'
import { cheapPasswords, TestPortal } from '../support/portal/portal.ts'

/** Output, errors and exit code of a command. */
export interface CommandEnd {
  readonly code: number
  readonly printed: string
  /** Without lines of progress, which only slow machines see. */
  readonly complaint: string
}

const progress = /^[A-Z][a-z ]+: [\d,]+ of [\d,]+ \(\d+ %\)$/

/** Runs a command in this process, as an operator whose standard error is no terminal; `typed` comes by standard input. */
export async function command(
  words: readonly string[],
  environment: Readonly<Record<string, string>> = {},
  signal: AbortSignal = new AbortController().signal,
  typed?: string,
): Promise<CommandEnd> {
  const printed: string[] = []
  const complaints: string[] = []
  const code = await runCommand(words, {
    environment: { LOG_LEVEL: 'silent', ...environment },
    signal,
    ...(typed !== undefined && { input: { isTerminal: false, readLine: async () => typed } }),
    print: (text) => printed.push(text),
    printError: (text) => {
      if (!progress.test(text)) complaints.push(text)
    },
    exit: () => complaints.push('exit'),
  })
  return { code, printed: printed.join('\n'), complaint: complaints.join('\n') }
}

/** A server in this process, without its housekeeping. */
export async function openHere(environment: Readonly<Record<string, string>>): Promise<TestPortal> {
  const clock = { now: Date.now() }
  const server = await openServer(readConfig(environment), { now: () => clock.now, passwords: cheapPasswords })
  return new TestPortal(server, clock)
}

/** A server that a command started in this process, with its housekeeping. */
export interface Served extends AsyncDisposable {
  readonly url: string
  /** Output on a terminal so far, including its log. */
  said(): string
  /** Asks it to end; resolves with its exit code when it has. */
  stop(): Promise<number>
}

/** Starts a server on a free port in this process, as an operator on a terminal does. */
export async function served(environment: Readonly<Record<string, string>>): Promise<Served> {
  const asked = new AbortController()
  const ready = Promise.withResolvers<string>()
  const said: string[] = []
  const say = (text: string) => {
    said.push(text)
    const url = /is ready at (\S+),/.exec(text)?.[1]
    if (url) ready.resolve(url)
  }
  const ended = runCommand([], {
    environment: { LOG_LEVEL: 'silent', PORT: '0', ...environment },
    signal: asked.signal,
    isTerminal: true,
    print: say,
    printError: say,
    exit: (code) => say(`exit ${code}`),
  })
  const all = () => said.join('\n')
  void ended.then(() => ready.reject(new Error(`It did not start: ${all()}`)), ready.reject)
  const stop = () => {
    asked.abort()
    return ended
  }
  return { url: await ready.promise, said: all, stop, [Symbol.asyncDispose]: async () => void (await stop()) }
}
