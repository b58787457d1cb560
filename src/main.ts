/** Entry point: the only file that uses the arguments, environment, signals and exit code of the process. */
import { readFileSync } from 'node:fs'
import { runCommand } from './cli/cli.ts'
import { processShell } from './client/process-shell.ts'

// Files that are created, such as databases and secrets, are readable by this user only.
process.umask(0o077)

const ended = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => ended.abort(signal))

/** Whether a server runs, which goes on where nothing can be written: on a full disk, say. */
let isServing = false
for (const output of [process.stdout, process.stderr]) {
  output.on('error', (error: NodeJS.ErrnoException) => {
    // The terminal was closed, or what reads the pipe has ended.
    if (isServing || error.code === 'EIO' || error.code === 'EPIPE') return
    process.stderr.write(`The output cannot be written: ${error.message}.\n`)
    process.exit(1)
  })
}

let onHangup = () => ended.abort('SIGHUP')
process.on('SIGHUP', () => onHangup())

// npm passes no signal to what it started: a server that outlived it would hold its port and its database.
if (process.env['npm_lifecycle_event']) {
  const started = process.ppid
  const npm = parentIfNpm(started)
  const hasEnded = () => process.ppid !== started || (npm !== undefined && parentIfNpm(started) !== npm)
  setInterval(() => hasEnded() && ended.abort('the end of npm'), 500).unref()
}

/** The parent of a shell by which npm starts its scripts, where the system shows that: the shell stays when npm is killed. */
function parentIfNpm(shell: number): number | undefined {
  try {
    const parent = Number(/^\d+ \(.*\) \S (\d+)/s.exec(readFileSync(`/proc/${shell}/stat`, 'utf8'))?.[1])
    return readFileSync(`/proc/${parent}/comm`, 'utf8').startsWith('npm') ? parent : undefined
  } catch {
    return undefined
  }
}

process.exitCode = await runCommand(process.argv.slice(2), {
  environment: process.env,
  readEnvFile,
  signal: ended.signal,
  onHangup(listener) {
    onHangup = listener
  },
  onServe() {
    isServing = true
  },
  ...processShell(),
  ...(process.stderr.isTTY && { redraw: (line: string) => process.stderr.write(`\r${line}\x1b[K`) }),
  exit: (code) => process.exit(code),
})

// A command that was asked to end may still have standard input open.
if (ended.signal.aborted && !isServing) process.exit()

/** Milliseconds for the last lines of a server (chosen): a pipe that nothing reads would hold the process for good. */
const outputTimeout = 1_000
if (isServing) setTimeout(() => process.exit(), outputTimeout).unref()

function readEnvFile(): Uint8Array | undefined {
  try {
    return readFileSync('.env')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}
