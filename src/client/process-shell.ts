import type { Shell } from './shell.ts'

/** Standard input, output and error of this process. */
export function processShell(): Omit<Shell, 'environment' | 'signal'> {
  const { stdin, stdout, stderr } = process
  return {
    isTerminal: stdout.isTTY === true,
    columns: stdout.columns,
    print: (text) => stdout.write(`${text}\n`),
    printBytes: (bytes) => stdout.write(bytes),
    printError: (text) => stderr.write(`${text}\n`),
    input: { isTerminal: stdin.isTTY === true, readLine, readSecret, readAll },
  }
}

async function readLine(): Promise<string | undefined> {
  const { createInterface } = await import('node:readline')
  for await (const line of createInterface({ input: process.stdin })) return line
  return undefined
}

async function readAll(): Promise<Uint8Array> {
  const chunks: Buffer[] = []
  for await (const chunk of process.stdin as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

/** A line of a terminal that does not show what is typed. */
async function readSecret(prompt: string): Promise<string | undefined> {
  const { stdin, stderr } = process
  stderr.write(prompt)
  stdin.setRawMode(true)
  try {
    let typed = ''
    for await (const chunk of stdin as AsyncIterable<Buffer>) {
      for (const character of chunk.toString()) {
        if (character === '\r' || character === '\n') return typed
        // Without its mode, the terminal gives the key for an interrupt as a character.
        if (character === '\u0003') process.kill(process.pid, 'SIGINT')
        else if (character === '\u0004') return undefined
        else if (character === '\u007f' || character === '\b') typed = typed.slice(0, -1)
        else typed += character
      }
    }
    return undefined
  } finally {
    stdin.setRawMode(false)
    stderr.write('\n')
  }
}
