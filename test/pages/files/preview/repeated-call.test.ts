import { execFileSync } from 'node:child_process'
import { expect, test } from 'vitest'
import { formatCall } from '../../../../pages/src/files/preview/repeated-call.ts'

/** Words that a shell makes of a command, in place of running curl. */
function wordsOf(command: string): readonly string[] {
  const script = `curl() { for word; do printf '%s\\0' "$word"; done; }\n${command}`
  return execFileSync('sh', ['-c', script], { encoding: 'utf8', env: { TOKEN: 'secret' } })
    .split('\0')
    .slice(0, -1)
}

test('the call of an import has its choices, each as one word of a shell, whatever is in it', () => {
  const columns = '{"level1":[1]}'
  const below = `@it's "$HOME" \`id\` ; \\ <x>`
  const parameters = {
    file: 'left out',
    text: 'left out',
    format: undefined,
    language: '',
    columns,
    below,
    dryRun: false,
  }
  const address = 'https://maps.example/sharing/rest/portals/self/categorySchema/import?f=json'
  const command = formatCall({ address, file: `a "b" 'c' \\ d.csv`, parameters })
  expect(wordsOf(command)).toEqual([
    '-H',
    'Authorization: Bearer secret',
    '-F',
    `file=@"a \\"b\\" 'c' \\\\ d.csv"`,
    '--form-string',
    `columns=${columns}`,
    '--form-string',
    `below=${below}`,
    '--form-string',
    'dryRun=false',
    address,
  ])
})
