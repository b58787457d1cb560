/** The process: arguments, environment, signals and exit code. Nobody else touches those. */
import { runCommand } from './cli/cli.ts'

// Databases and secrets are for this user alone.
process.umask(0o077)

const ended = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => ended.abort(signal))

const printError = (text: string) => process.stderr.write(`${text}\n`)

process.exitCode = readEnvFile()
  ? await runCommand(process.argv.slice(2), {
      environment: process.env,
      signal: ended.signal,
      print: (text) => process.stdout.write(`${text}\n`),
      printError: printError,
      ...(process.stderr.isTTY && { redraw: (line: string) => process.stderr.write(`\r${line}\x1b[K`) }),
      exit: (code) => process.exit(code),
    })
  : 1

/** Without a file, the environment is all there is. */
function readEnvFile(): boolean {
  try {
    process.loadEnvFile('.env')
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return true
    printError(`The file .env cannot be read: ${error instanceof Error ? error.message : String(error)}.`)
    return false
  }
}
