#!/usr/bin/env node
/** The process: arguments, environment, signals and exit code. Nobody else touches `process`. */
const oldest = 24
const major = Number(process.versions.node.split('.', 1)[0])
if (major < oldest) {
  process.stderr.write(
    `Cartulary needs Node ${oldest} or later; this is ${process.versions.node}. npm start brings its own.\n`,
  )
  process.exit(1)
}

const { runCommand } = await import('./cli/cli.ts')

const ended = new AbortController()
for (const signal of ['SIGTERM', 'SIGINT'] as const) process.once(signal, () => ended.abort(signal))

try {
  process.loadEnvFile('.env')
} catch {
  // Without a file, the environment is all there is.
}

process.exitCode = await runCommand(process.argv.slice(2), {
  environment: process.env,
  signal: ended.signal,
  print: (text) => process.stdout.write(`${text}\n`),
  complain: (text) => process.stderr.write(`${text}\n`),
  exit: (code) => process.exit(code),
})
