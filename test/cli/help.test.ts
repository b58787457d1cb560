import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { command } from './run-command.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
/** Where it were read, a command would be refused. */
const wrongSettings = { PORT: 'x' }

const { printed: usage } = await command(['help'])
/** The commands, as the usage has them. */
const names = [...new Set([...usage.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name]) => name!))]

describe('the usage', () => {
  test('has the commands', () => {
    expect(names).toEqual(expect.arrayContaining(['serve', 'secret', 'backup', 'migrate-data', 'doctor', 'help']))
  })

  test.each(['help', '--help', '-h'])('is printed by %s, whatever the settings', async (word) => {
    expect(await command([word], wrongSettings)).toEqual({ code: 0, printed: usage, complaint: '' })
  })

  test.each(names)('has lines about %s, which its help prints and those of no other', async (name) => {
    const help = await command(['help', name], wrongSettings)
    expect(help).toMatchObject({ code: 0, complaint: '' })
    const [title, blank, ...lines] = help.printed.split('\n')
    expect([title, blank]).toEqual(['Usage: cartulary …', ''])
    expect(usage).toContain(lines.join('\n'))
    const beginnings = lines.filter((line) => /^ {2}\S/.test(line))
    expect(beginnings.length).toBeGreaterThan(0)
    for (const line of beginnings) expect(line).toMatch(new RegExp(`^ {2}${name}( |$)`))
    for (const words of name === 'help' ? [] : [['--help'], ['-h'], ['create', '--help'], ['--nothing', '--help']]) {
      expect(await command([name, ...words], wrongSettings)).toEqual(help)
    }
  })
})

test.each(['--version', '-v'])('%s prints the versions of Cartulary and of Node', async (word) => {
  const printed = `Cartulary ${version}, Node ${process.versions.node}`
  expect(await command([word], wrongSettings)).toEqual({ code: 0, printed, complaint: '' })
})

describe('a mistyped word is refused with the one that was probably meant:', () => {
  test.each([
    [['surve'], 'Unknown command surve; did you mean serve?'],
    [['bakcup', 'x'], 'Unknown command bakcup; did you mean backup?'],
    [['Doctor'], 'Unknown command Doctor; did you mean doctor?'],
    [['helo'], 'Unknown command helo; did you mean help?'],
    [['help', 'surve'], 'Unknown command surve; did you mean serve?'],
    [['nothing-like-it'], 'Unknown command nothing-like-it.'],
    [['constructor'], 'Unknown command constructor.'],
    [['help', 'serve', 'doctor'], 'Unexpected argument doctor.'],
    [['secret', 'rotat'], 'Unknown subcommand rotat; did you mean rotate?'],
    [['restore', 'x', '--replac'], 'Unknown option --replac; did you mean --replace?'],
    [['restore', 'x', '--nothing'], 'Unknown option --nothing (--replace).'],
    [['restore', 'x', '-r'], 'Unknown option -r (--replace).'],
    [['restore', 'x', '--replace=no'], 'The option --replace takes no value.'],
    [['migrate-data', '--form', 'x'], 'Unknown option --form; did you mean --from?'],
    [['migrate-data', '--from', '--to', 'x'], 'The option --from needs a value.'],
    [['migrate-data', '--from'], 'The option --from needs a value.'],
    [['migrate-data', '--toString', 'x'], 'Unknown option --toString (--from, --to).'],
  ])('%j', async (words, sentence) => {
    const { code, printed, complaint } = await command(words)
    expect([code, printed]).toEqual([2, ''])
    expect(complaint).toBe(`${sentence}\nRun "cartulary help" for the commands and their arguments.`)
  })

  test('an option may have a value that begins with a hyphen, after an equals sign', async () => {
    const { complaint } = await command(['migrate-data', '--from=-x', '--to=-y'])
    expect(complaint).toBe('--from is -x; a path has to begin with file:, so file:-x.')
  })
})
