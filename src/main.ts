/** Entry point: the only file that uses the arguments, environment, signals and exit code of the process. */
import { createInterface } from 'node:readline'
import { runCommand } from './cli/cli.ts'
import { reasonOf } from './errors.ts'

// Files that are created, such as databases and secrets, are readable by this user only.
process.umask(0o077)

const ended = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => ended.abort(signal))

const printError = (text: string) => process.stderr.write(`${text}\n`)

process.exitCode = readEnvFile()
  ? await runCommand(process.argv.slice(2), {
      environment: process.env,
      signal: ended.signal,
      isTerminal: process.stdout.isTTY === true,
      print: (text) => process.stdout.write(`${text}\n`),
      printError,
      input: { isTerminal: process.stdin.isTTY === true, readLine: readFirstLine },
      ...(process.stderr.isTTY && { redraw: (line: string) => process.stderr.write(`\r${line}\x1b[K`) }),
      exit: (code) => process.exit(code),
    })
  : 1

async function readFirstLine(): Promise<string | undefined> {
  for await (const line of createInterface({ input: process.stdin })) return line
  return undefined
}

/** Adds the settings of `.env` to the environment, if the file exists; false if it cannot be read. */
function readEnvFile(): boolean {
  try {
    process.loadEnvFile('.env')
    return true
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return true
    printError(`The file .env cannot be read: ${reasonOf(error)}.`)
    return false
  }
}
