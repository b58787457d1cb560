import { spawnSync } from 'node:child_process'
import { describe, expect, test } from 'vitest'
import { commands } from '../../src/client/command-line/table.ts'
import { Desk } from './run-client.ts'

const names = commands.map(({ name }) => name)

describe('usage errors have exit code 2, and say what was probably meant:', () => {
  test.each<[words: readonly string[], sentence: string]>([
    [
      ['schema'],
      'cartulary schema needs one of get, inspect, validate, lint, test, diff, plan, apply, propose, drift, history, restore, delete.',
    ],
    [['schema', '--json=yes'], 'cartulary schema needs one of'],
    [['schema', 'plam'], 'did you mean plan?'],
    [['shema', 'plan'], 'Unknown command shema; did you mean schema?'],
    [['inspect', 'org'], 'Unknown command inspect; did you mean schema inspect?'],
    [['templat'], 'did you mean template?'],
    [['get', 'org', '--jsn'], 'Unknown option --jsn; did you mean --json?'],
    [['get', 'org', '--json=yes'], 'The option --json takes no value.'],
    [['get', 'org', '--format'], 'The option --format needs a value.'],
    [['get', 'org', '--format', 'jsn'], 'did you mean json?'],
    [['get', 'org', '--format', '--json'], 'The option --format needs a value.'],
    [['get', 'org', 'org'], 'Unexpected argument org.'],
    [['get'], 'cartulary schema get needs <place>.'],
    [
      ['get', 'org', '--timeout', '0', '--url', 'http://127.0.0.1:1'],
      '--timeout has to be a whole number from 1 to 600.',
    ],
    [['plan'], 'cartulary schema plan needs a source, or --all.'],
    [['plan', 'a.json'], 'cartulary schema plan needs --to <place>.'],
    [['plan', 'a.json', '--to', 'b.json'], '--to b.json is no place of a portal.'],
    [['plan', '--all'], '--all needs cartulary.json in the working folder.'],
    [['apply', 'a.json', '--move-items', '--leave-items'], 'Give --move-items or --leave-items.'],
    [['schema', 'restore', 'org'], 'restore needs a version, such as org@7.'],
    [['schema', 'history', 'org@0'], 'There is no version 0'],
    [['get', 'a.json@2'], 'a.json is a file, which has no versions.'],
    [['get', 'members'], 'The place members is not known'],
    [['get', 'grup:x'], 'grup:x is no place'],
    [['export', 'org'], 'cartulary schema get'],
    [['import', 'a.json'], 'cartulary schema plan'],
    [['login'], 'login needs --url <address>.'],
    [['login', '--url', 'ftp://a', '--username', 'x'], 'is not the address of a portal'],
    [['login', '--url', 'https://x', '--token-stdin', '--password-stdin'], 'Standard input has one thing'],
    [['login', '--url', 'https://x'], 'login needs --username, --client-id or --token-stdin.'],
    [['login', '--url', 'https://x', '--client-id', 'a', '--no-input'], 'needs a person at a terminal'],
    [['whoami'], 'No portal is given'],
    [['whoami', '--profile', 'x'], 'There is no profile x.'],
    [['completion', 'cmd'], 'completion knows bash, zsh.'],
  ])('%j', async (words, sentence) => {
    const { code, printed, complaint } = await new Desk().run(words, { environment: { CARTULARY_TOKEN: 'x' } })
    expect([code, printed]).toEqual([2, ''])
    expect(complaint).toContain(sentence)
  })

  test('and never the value of an unknown option, or a password of an address', async () => {
    const desk = new Desk()
    expect((await desk.run(['login', '--url', 'https://a', '--password=hunter2'])).code).toBe(2)
    expect((await desk.run(['login', '--url', 'https://a', '--token', 'hunter2'])).complaint).toContain('--token')
    expect((await desk.run(['whoami', '--url', 'https://anna:hunter2@maps.example.com'])).code).toBe(2)
    expect((await desk.run(['whoami', '--url', 'ftp://anna:hunter2@maps.example.com'])).code).toBe(2)
    expect(desk.said).not.toContain('hunter2')
  })

  test('as JSON where that was asked for, alone on standard error', async () => {
    const { code, printed, complaint } = await new Desk().run(['get', '--json'])
    expect([code, printed]).toEqual([2, ''])
    const message = 'cartulary schema get needs <place>.'
    expect(JSON.parse(complaint)).toEqual({ format: 1, error: { code: null, message, details: [], exit: 2 } })
  })
})

describe('help', () => {
  test.each(names)('on %s is the same text by both ways, at most 80 columns wide', async (name) => {
    const words = name.split(' ')
    const help = await new Desk().run(['help', ...words])
    expect(help).toMatchObject({ code: 0, complaint: '' })
    expect(await new Desk().run([...words, '--help'])).toEqual(help)
    expect(help.printed).toContain(`Usage: cartulary ${name}`)
    for (const line of help.printed.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
    const { options } = commands.find((one) => one.name === name)!
    for (const option of Object.keys(options)) expect(help.printed).toContain(`--${option}`)
  })

  test('has two kinds of commands, the options of all, and the exit codes', async () => {
    const { printed } = await new Desk().run(['help'])
    for (const part of ['This server\n', 'Any portal\n', '--no-input', 'Exit codes\n', '130, 143']) {
      expect(printed).toContain(part)
    }
    for (const name of names) expect(printed).toContain(`  ${name}`)
    for (const line of printed.split('\n')) expect(line.length, line).toBeLessThanOrEqual(80)
  })

  test('of a noun lists its verbs, and as a man page everything', async () => {
    expect((await new Desk().run(['help', 'template'])).printed).toContain('template show <name>')
    const { printed } = await new Desk().run(['help', '--man'])
    expect(printed).toMatch(/^\.TH CARTULARY 1\n/)
    for (const name of names) expect(printed).toContain(`.B ${name}`)
  })
})

describe('completion', () => {
  async function complete(words: readonly string[]): Promise<readonly string[]> {
    const { printed } = await new Desk().run(['completion', 'bash'])
    const array = words.map((word) => `'${word}'`).join(' ')
    const script = `${printed}\nCOMP_WORDS=(${array}); COMP_CWORD=${words.length - 1}; _cartulary; printf '%s\\n' "\${COMPREPLY[@]}"`
    const { stdout, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' })
    expect(stderr).toBe('')
    return stdout.trim().split('\n')
  }

  test('completes nouns, verbs and options in bash', async () => {
    expect(await complete(['cartulary', 'sch'])).toEqual(['schema'])
    expect(await complete(['cartulary', 'schema', 'pl'])).toEqual(['plan'])
    expect(await complete(['cartulary', 'schema', 'plan', '--mov'])).toEqual(['--moves'])
    expect(await complete(['cartulary', 'login', '--tok'])).toEqual(['--token-stdin'])
  })

  test('runs the same script in zsh, by its module for scripts of bash', async () => {
    const [bash, zsh] = [await new Desk().run(['completion', 'bash']), await new Desk().run(['completion', 'zsh'])]
    expect(zsh.printed).toBe(`#compdef cartulary\nautoload -U +X bashcompinit && bashcompinit\n${bash.printed}`)
  })
})
