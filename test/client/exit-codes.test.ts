import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findCommand } from '../../src/client/command-line/arguments.ts'
import type { CommandName } from '../../src/client/command-line/table.ts'
import { openArcgis, openCartulary } from './signed-in.ts'

/** Exit codes that each command can have, but for signals; no code is missing in the story below. */
const codes: Readonly<Record<CommandName, readonly number[]>> = {
  login: [0, 2],
  logout: [0, 1],
  whoami: [0, 2],
  'schema get': [0, 1, 2],
  'schema inspect': [0, 1, 2],
  'schema validate': [0, 1, 2],
  'schema lint': [0, 1, 2],
  'schema test': [0, 1, 2],
  'schema diff': [0, 1, 2, 3],
  'schema plan': [0, 1, 2, 3],
  'schema apply': [0, 1, 2, 4],
  'schema propose': [0, 1, 2],
  'schema drift': [0, 1, 2, 3],
  'schema history': [0, 1, 2],
  'schema restore': [0, 1, 2],
  'schema delete': [0, 1, 2],
  'item categorize': [0, 1, 2],
  'item export': [0, 1, 2],
  'item uncategorized': [0, 1, 2],
  'item revert': [0, 1, 2],
  // Between two portals, the others: takeovers.test.ts.
  'takeover plan': [2],
  'takeover apply': [2],
  'takeover status': [2],
  'takeover verify': [2],
  'takeover undo': [2],
  'invitation list': [0, 1, 2],
  'invitation show': [0, 1, 2],
  'invitation create': [0, 1, 2],
  'invitation refresh': [0, 1, 2],
  'invitation invalidate': [0, 1, 2],
  'collaboration list': [0, 2],
  'collaboration show': [0, 1, 2],
  audit: [0, 2],
  'template list': [0, 2],
  'template show': [0, 1, 2],
  completion: [0, 2],
}

/** Enterprise has no log of the organization. */
const ofEnterprise: ReadonlyMap<string, Outcome> = new Map([
  ['audit', [2, /audit works with Cartulary and ArcGIS Online; .* is ArcGIS Enterprise|cartulary login/]],
])

type Outcome = readonly [code: number, says: RegExp]

/** Commands one after the other at one portal, with exit code and a part of what is said; what Cartulary has otherwise is third. */
const story: readonly (readonly [line: string, outcome: Outcome, atCartulary?: Outcome])[] = [
  ['login --url %url --username nobody --password-stdin', [2, /[Ii]nvalid|[Uu]nable/]],
  ['whoami', [0, /anna/], [0, /admin/]],
  ['completion bash', [0, /_cartulary/]],
  ['completion cmd', [2, /bash, zsh/]],
  ['template list', [0, /inspire/]],
  ['template list --org', [2, /Cartulary only/], [0, /name/]],
  ['template show inspire', [0, /INSPIRE/]],
  ['template show inspre', [1, /did you mean inspire/]],
  ['template show waters --org', [2, /Cartulary only/], [1, /./]],
  ['schema get org', [0, /Rivers/]],
  ['schema get group:Maps', [0, /categorySchema/]],
  ['schema get group:Map', [1, /no group Map/]],
  ['schema get group:Twins', [2, /group:[0-9a-f]{32}, group:[0-9a-f]{32}/]],
  ['schema get org@9', [1, /no snapshot/], [1, /Version 9 of org does not exist/]],
  ['schema inspect org', [0, /\/Water\s+1\n\/Water\/Rivers\s+1/]],
  ['schema inspect group:Map', [1, /no group Map/]],
  ['schema validate %plain', [0, /keeps the rules/]],
  ['schema validate %six', [1, /6 trees/]],
  ['schema validate %broken', [2, /broken\.json/]],
  ['schema lint %plain', [0, /single-child/]],
  ['schema lint org --strict', [1, /single-child/]],
  ['schema diff org %seas --detailed-exitcode', [3, /\/Seas/]],
  ['schema diff org %water --detailed-exitcode', [0, /No change/]],
  ['schema diff org org@9', [1, /no snapshot/], [1, /Version 9 of org does not exist/]],
  ['schema test %water --to org', [0, /1 passed/]],
  ['schema test %failing --to org', [1, /1 failed/]],
  ['schema test %water', [2, /--to/]],
  ['item export -o %exported', [0, /1 items are in/]],
  ['item export --in group:Map', [1, /no group Map/]],
  ['item uncategorized', [0, /id\ttitle\ttype\towner\tmodified\nItems/]],
  ['item uncategorized --in group:Map', [1, /no group Map/]],
  ['item categorize %exported --in org', [0, /0 changed, 1 unchanged, 0 refused/]],
  ['item categorize %items', [2, /--in/]],
  ['item categorize %misspelt --in org', [1, /Row 2: .*did you mean \/Water\/Rivers/]],
  ['item categorize %items --in org', [0, /1 changed/]],
  ['item revert %run', [2, /--yes/]],
  ['item revert %run --yes', [0, /1 changed/]],
  ['item revert none --yes', [1, /no run none/]],
  ['collaboration list', [0, /Alps/]],
  ['collaboration show Alps', [0, /workspace\t[0-9a-f]{32} Base maps\n(?:.*\n)*participant\tHost /]],
  ['collaboration show Alp', [1, /no collaboration Alp .*did you mean Alps\?/]],
  ['invitation create Alps', [2, /--guest/]],
  ['invitation create Alps --guest https://guest.example --hours 73', [2, /from 1 to 72/]],
  ['invitation create Alps --guest https://guest.example --workspace Base', [1, /no workspace Base/]],
  ['invitation create Alps --guest https://guest.example -o %invite', [0, /The invitation is in/]],
  ['invitation list Alps', [0, /https:\/\/guest\.example\thost_created\t\d{4}-/]],
  ['invitation list Alp', [1, /no collaboration Alp/]],
  ['invitation show Alps %open', [0, /guest\thttps:\/\/guest\.example\nstatus\thost_created/]],
  ['invitation show Alps %gone', [1, /does not exist/]],
  ['invitation refresh Alps %gone', [1, /does not exist/]],
  ['invitation refresh Alps %open -o %invite', [0, /The invitation is in/]],
  ['invitation invalidate Alps %gone --yes', [1, /does not exist/]],
  ['invitation invalidate Alps %open', [2, /--yes/]],
  ['invitation invalidate Alps %open --yes', [0, /is invalidated/]],
  ['invitation invalidate Alps %open', [0, /is invalidated/]],
  ['invitation refresh Alps %open', [1, /invalidated/]],
  ['audit', [0, /time\tactor\taction/]],
  ['audit --since yesterday', [2, /--since .* ISO 8601/]],
  ['schema drift', [0, /no change/]],
  ['schema plan %water --to org --detailed-exitcode', [0, /No change/]],
  ['schema plan %broken --to org', [2, /broken\.json/]],
  ['schema plan %empty --to org', [2, /empty/]],
  ['schema plan %six --to org', [1, /6 trees/]],
  ['schema plan %failing --to org --moves %moves', [1, /test fails/]],
  ['schema plan %seas --to org --vanishing clear', [2, /Cartulary only/], [0, /./]],
  ['schema plan %seas --to org --vanishing refuse', [1, /\/Water\/Rivers/]],
  ['schema plan %seas --to org --moves %moves --detailed-exitcode -o %plan', [3, /follow a move: 1/]],
  ['schema propose %six --to org', [1, /6 trees/]],
  ['schema propose %plan', [2, /Cartulary only/], [0, /is proposed/]],
  ['schema propose %water --to org', [0, /Nothing to do/]],
  ['schema apply %seas --to org', [2, /--yes/]],
  ['schema apply %wide --to org --yes', [0, /version 2/]],
  ['schema drift', [3, /- remove \/Soil/]],
  ['schema apply %plan --move-items', [4, /Since the plan/]],
  ['schema apply %plain --to org --yes', [0, /version 3/]],
  ['schema plan %seas --to org --moves %moves -o %plan', [0, /follow a move: 1/]],
  ['schema apply %plan', [1, /--move-items.*--leave-items/], [0, /version 4/]],
  ['schema apply %plan --move-items', [0, /version 4/], [0, /Nothing to do/]],
  ['schema plan %seas --to org --detailed-exitcode', [0, /No change/]],
  ['schema drift', [1, /found 0/]],
  ['schema apply %water --to org --yes', [1, /test fails/]],
  ['schema history org', [0, /assign/]],
  ['schema history group:Map', [1, /no group Map/]],
  ['schema restore org@9 --yes', [1, /no snapshot/], [1, /Version 9 of org does not exist/]],
  ['schema restore org@1 --yes --move-items', [0, /version 1 again/]],
  ['schema drift', [0, /1 tests passed/]],
  ['schema delete group:Map --yes', [1, /no group Map/]],
  ['schema delete org', [2, /--yes/]],
  ['schema delete org --yes', [0, /is deleted/]],
  ['schema delete org --yes', [0, /no schema/]],
  ['takeover plan --from default --to default', [2, /goes into a Cartulary/], [2, /are one portal/]],
  ['takeover plan --from default', [2, /--to/]],
  ['takeover apply %plan', [2, /no plan of a takeover/]],
  ['takeover status %broken', [2, /no plan of a takeover/]],
  ['takeover verify %water', [2, /no plan of a takeover/]],
  ['takeover undo none.json', [2, /no file none.json/]],
  ['webhook list', [2, /Unknown command webhook/]],
  ['logout', [0, /forgotten/]],
  ['logout', [0, /No one is signed in/]],
  ...[
    ...['whoami', 'schema get org', 'schema inspect org', 'schema lint org', 'schema diff org %water'],
    ...['schema plan %water --to org', 'schema apply %plan', 'schema propose %plan', 'schema history org'],
    ...['invitation list Alps', 'invitation show Alps %gone', 'invitation refresh Alps none'],
    ...['invitation invalidate Alps %gone', 'collaboration list', 'collaboration show Alps', 'audit'],
    ...['item categorize %items --in org', 'item export', 'item uncategorized', 'item revert none'],
    ...['schema restore org@1', 'schema delete org', 'template list --org', 'template show waters --org'],
  ].map((line) => [line, [2, /cartulary login/]] as const),
  ['schema drift', [2, /cartulary login/]],
]

test.each(['cartulary', 'online', 'enterprise'] as const)(
  'every command has each of its exit codes, and nothing of ours is sent to ArcGIS (%s)',
  async (kind) => {
    const opened = await (kind === 'cartulary' ? openCartulary() : openArcgis(kind))
    const { portal, desk, run, login } = opened
    await using _ = portal
    const wanted = story.map(([line, outcome, atCartulary = outcome]): [string, number, RegExp] => [
      line,
      ...((kind === 'enterprise' && ofEnterprise.get(line)) || (kind === 'cartulary' ? atCartulary : outcome)),
    ])
    const seen: [line: string, code: number, says: unknown][] = []
    for (const [line, , says] of wanted) {
      const { code, printed, complaint } = await run(line)
      const said = `${printed}\n${complaint}`
      seen.push([line, code, says.test(said) ? says : said])
    }
    expect(seen).toEqual(wanted)

    expect(await login()).toMatchObject({ code: 0 })
    // The portal is gone.
    for (const file of ['config.json', 'tokens.json'].map((name) => join(desk.home, 'cartulary', name))) {
      writeFileSync(file, readFileSync(file, 'utf8').replaceAll(/\/\/[\w.]+:\d+/g, '//127.0.0.1:1'))
    }
    seen.push(['login', 0, ''], ['logout', (await run('logout')).code, ''])
    const isKnown = ([line]: (typeof seen)[number]) => !line.startsWith('webhook')
    const byCommand = Map.groupBy(seen.filter(isKnown), ([line]) => findCommand(line.split(' ')).command.name)
    const found = [...byCommand].map(([name, runs]) => [name, [...new Set(runs.map(([, code]) => code))].sort()])
    expect(Object.fromEntries(found)).toEqual(kind === 'enterprise' ? { ...codes, audit: [2] } : codes)
    if ('extensions' in portal) expect(portal.extensions).toEqual([])
  },
)
