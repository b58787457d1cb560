import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { command } from './run-command.ts'

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8'))
/** Where it were read, a command would be refused. */
const wrongSettings = { PORT: 'x' }

const { printed: usage } = await command(['help'])
/** The commands of this server, as the usage has them. */
const [, ofServer = ''] = usage.split(/^(?:This server|Any portal)\n/m)
const names = [...new Set([...ofServer.matchAll(/^ {2}([a-z][a-z-]*)/gm)].map(([, name]) => name!))]

describe('the usage', () => {
  test('has the commands', () => {
    expect(names).toEqual(expect.arrayContaining(['serve', 'secret', 'backup', 'migrate-data', 'doctor']))
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
    for (const words of [['--help'], ['-h'], ['create', '--help'], ['--nothing', '--help']]) {
      expect(await command([name, ...words], wrongSettings)).toEqual(help)
    }
  })
})

test.each(['--version', '-v'])('%s prints the versions of Cartulary and of Node', async (word) => {
  const printed = `Cartulary ${version}, Node ${process.versions.node}`
  expect(await command([word], wrongSettings)).toEqual({ code: 0, printed, complaint: '' })
})

const create = ['organization', 'create', '--name', 'Seas', '--admin', 'sea']

describe('words that are not those of the usage are refused, with those that were probably meant:', () => {
  test.each<[words: readonly string[], sentence: string | RegExp]>([
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
    [['migrate-data', '--to', 'file:x.db'], /^migrate-data needs --from\./],
    [['config', 'PORT'], 'Unexpected argument PORT.'],
    [['serve', '--port', '80'], 'Unexpected argument --port.'],
    [['doctor', 'SQLite'], 'Unexpected argument SQLite.'],
    [['prune', 'all'], 'Unexpected argument all.'],
    [['backup'], /^backup needs the name of a new file\./],
    [['backup', 'a', 'b'], 'Unexpected argument b.'],
    [['secret'], 'Missing subcommand (rotate, renew).'],
    [['secret', 'show'], 'Unknown subcommand show (rotate, renew).'],
    [['secret', 'rotate', 'all'], 'Unexpected argument all.'],
    [['user', 'reset'], 'user reset needs a username.'],
    [['user', 'reset', 'admin', 'secret password'], 'Unexpected argument secret password.'],
    [['user', 'role', 'admin'], 'user role needs a username and a role, such as org_admin.'],
    [
      ['user', 'remove'],
      /^Unknown subcommand remove \(list, create, reset, sessions, disable, enable, role, export, erase\)/,
    ],
    [['organization'], 'Missing subcommand (list, create).'],
    [['organization', 'list', 'all'], 'Unexpected argument all.'],
    [['organization', 'remove'], 'Unknown subcommand remove (list, create).'],
    [['organization', 'toString'], 'Unknown subcommand toString (list, create).'],
    [['organization', 'create', '--admin', 'sea'], 'organization create needs --name.'],
    [['organization', 'create', '--name', ' ', '--admin', 'sea'], 'organization create needs --name.'],
    [['organization', 'create', '--name', 'Seas'], 'organization create needs --admin.'],
    [['organization', 'create', '--name', 'x'.repeat(300), '--admin', 'sea'], /^--name has 300 characters;/],
    [['organization', 'create', '--name', '\u200b', '--admin', 'sea'], '--name is blank.'],
    [['organization', 'create', '--name', 'Seas\nLakes', '--admin', 'sea'], '--name has a control character.'],
    [[...create, '--colour', 'blue'], /--colour/],
    [['organization', 'create', '--name'], 'The option --name needs a value.'],
    [[...create, 'blue'], 'Unexpected argument blue.'],
  ])('%j', async (words, sentence) => {
    const { code, printed, complaint } = await command(words, { DATABASE_URL: 'file:/nowhere/maps.db' })
    expect([code, printed]).toEqual([2, ''])
    const [first, usage, ...others] = complaint.split('\n')
    expect(first).toMatch(sentence instanceof RegExp ? sentence : new RegExp(`^${RegExp.escape(sentence)}$`))
    expect([usage, ...others]).toEqual(['Run "cartulary help" for the commands and their arguments.'])
  })

  test('a move needs its target where no database is set', async () => {
    const { code, complaint } = await command(['migrate-data', '--from', 'file:x.db'])
    expect([code, complaint]).toEqual([2, expect.stringMatching(/^migrate-data needs --to\./)])
  })

  test('an option may have a value that begins with a hyphen, after an equals sign', async () => {
    const { complaint } = await command(['migrate-data', '--from=-x', '--to=-y'])
    expect(complaint).toBe('--from is -x; a path has to begin with file:, so file:-x.')
  })
})
