import { findNearest } from '../../spelling.ts'

export interface Option {
  /** Placeholder of its value; absent for a switch. */
  readonly value?: string
  readonly choices?: readonly string[]
  readonly short?: string
  readonly text: string
}

export type Options = Readonly<Record<string, Option>>

export interface Command {
  /** A noun, and the verb behind it where the noun has several. */
  readonly name: string
  /** Arguments as help shows them, such as `<source> --to <place>`. */
  readonly usage: string
  /** Fewest and most positional arguments. */
  readonly arguments: readonly [min: number, max: number]
  readonly text: string
  readonly options: Options
}

export const commonOptions: Options = {
  profile: { value: 'name', text: 'Sign-in and address of this name.' },
  url: { value: 'address', text: 'Address of the portal.' },
  json: { text: 'One JSON object in place of text, and for errors.' },
  'no-input': { text: 'Asks nothing: a question is an error.' },
  ca: { value: 'file', text: 'Certificates (PEM) to trust besides.' },
  timeout: { value: 'seconds', text: 'For one request: 1 to 600, default 30.' },
  retries: { value: 'number', text: 'Of a request that may succeed later: 0 to 3, default 3.' },
  verbose: { text: 'Shows each request on standard error.' },
  'no-color': { text: 'No colours.' },
  help: { short: 'h', text: 'Explains the command.' },
}

const formats = ['json', 'csv', 'text', 'xlsx', 'skos-ttl', 'skos-jsonld']
const [cut, follow, taken, owners, vanishing, modes, access] = [
  ['refuse', 'cut'],
  ['follow', 'stay'],
  ['org', 'groups', 'none'],
  ['org', 'group'],
  ['keep', 'refuse', 'clear'],
  ['set', 'add', 'remove'],
  ['send', 'receive', 'sendAndReceive'],
]

/** Options of some commands; one name means the same in all of them, but for those that are a noun's own. */
const options = {
  username: { value: 'name', text: 'User; the password is asked for.' },
  'password-stdin': { text: 'Reads the password from standard input.' },
  'token-stdin': { text: 'Reads a token from standard input.' },
  'client-id': { value: 'id', text: 'App, by which you sign in with a browser.' },
  format: { value: 'format', choices: formats, text: `json (default), ${formats.slice(1).join(', ')}.` },
  bom: { text: 'Begins a CSV file with a byte order mark, for Excel.' },
  output: { value: 'file', short: 'o', text: 'Writes into this file, whole or not at all.' },
  to: { value: 'place', text: 'Schema that is changed, or whose items are counted: org, group:<id> or group:<title>.' },
  for: { value: 'owner', choices: owners, text: 'Whose limits: org, or group (stricter, default).' },
  strict: { text: 'Exit code 1 if there is a finding.' },
  'detailed-exitcode': { text: 'Exit code 3 where there are differences.' },
  moves: { value: 'file', text: 'JSON list of {"from","to"}: items follow these paths.' },
  'accept-suggestions': { value: 'sure', choices: ['sure'], text: 'Takes the sure suggestions as moves.' },
  vanishing: {
    value: 'choice',
    choices: vanishing,
    text: 'Items whose category vanishes keep it (default), or clear it.',
  },
  only: { value: 'path', text: 'Changes this branch alone; may be repeated.' },
  all: { text: 'Every place of cartulary.json.' },
  yes: { text: 'Does not ask.' },
  comment: { value: 'text', text: 'Why; kept with the version.' },
  'move-items': { text: 'At ArcGIS: items of moved paths get their new paths.' },
  'leave-items': { text: 'At ArcGIS: items of moved paths stay as they are.' },
  merge: { text: 'Puts the change and what others changed since together.' },
  name: { value: 'text', text: 'Name of the draft.' },
  reviewer: { value: 'user', text: 'Who is asked to publish it.' },
  note: { value: 'text', text: 'Words for the reviewer.' },
  items: { value: 'choice', choices: follow, text: 'Items follow back (default), or stay.' },
  'to takeover': { value: 'profile', text: 'Portal that gets everything, a Cartulary.' },
  from: { value: 'profile', text: 'Portal that is taken over; it is only read.' },
  rate: { value: 'number', text: 'Requests a second to that portal at most: 1 to 5, default 5.' },
  groups: { value: 'ids', text: 'Groups that are taken: all (default), none, or ids with commas.' },
  'items takeover': {
    value: 'choice',
    choices: taken,
    text: 'Items that are taken: org (all, default), groups (those in groups), none.',
  },
  owners: { value: 'file', text: 'CSV with source and target: users of both portals.' },
  owner: { value: 'user', text: 'Gets what belongs to users that the target does not know; by default you.' },
  'keep-ids': { text: 'Items keep their ids.' },
  data: { text: 'Texts of items come along, such as those of web maps, up to 1 MiB.' },
  share: { text: 'Items that the organization or everyone sees are shared so.' },
  members: { text: 'Members of groups come along, as far as the target knows them.' },
  'replace-schema': { text: 'The schema of the organization replaces another one.' },
  'merge-schema': { text: 'The schema of the organization is put together with another one.' },
  org: { text: 'Those of the organization.' },
  in: { value: 'place', text: 'Whose categories: org, group:<id> or group:<title>.' },
  mode: { value: 'choice', choices: modes, text: 'Categories of the table are set (default), added or removed.' },
  'clear-empty': { text: 'Items without categories in the table lose those that they have.' },
  restart: { text: 'Begins again, whatever was interrupted.' },
  report: { value: 'file', text: 'Writes the rows that were refused into this file, as CSV.' },
  csv: { text: 'Prints CSV.' },
  guest: { value: 'address', text: 'Address of the portal that is invited.' },
  workspace: { value: 'id', text: 'Workspace of the guest, by id or name; may be repeated. Without, all of them.' },
  access: { value: 'mode', choices: access, text: 'Of the guest: send, receive or sendAndReceive (default).' },
  hours: { value: 'number', text: 'Until the invitation expires: 1 to 72, default 72.' },
  since: { value: 'time', text: 'Earliest date or time (ISO 8601), of UTC without an offset.' },
  until: { value: 'time', text: 'Latest date or time, in the same form.' },
  actor: { value: 'user', text: 'What this user did; may be repeated.' },
  action: { value: 'name', text: 'Entries of this action; may be repeated.' },
  // Choices about a file that is read, as docs/importing.md describes them.
  sheet: { value: 'name', text: 'Sheet of a workbook, by name or number.' },
  encoding: { value: 'name', choices: ['windows-1252'], text: 'Encoding of a file that is not UTF-8.' },
  language: { value: 'tags', text: 'Languages of labels, the preferred one first.' },
  root: { value: 'path', text: 'Branch of the file that is read alone.' },
  below: { value: 'title', text: 'Title of a root that everything is put below.' },
  depth: { value: 'choice', choices: cut, text: 'Deeper levels: refuse (default) or cut.' },
  titles: { value: 'choice', choices: cut, text: 'Longer titles: refuse (default) or cut.' },
} as const satisfies Options

type OptionName = keyof typeof options
type Row = readonly [usage: string, text: string, options?: readonly OptionName[]]

const reading = ['sheet', 'encoding', 'language', 'root', 'below', 'depth', 'titles'] as const
const changing = ['to', 'moves', 'accept-suggestions', 'vanishing', 'only', 'all', ...reading] as const
const making = ['yes', 'comment', 'move-items', 'leave-items'] as const
const taking = ['keep-ids', 'data', 'share', 'members', 'replace-schema', 'merge-schema'] as const
const signing = ['username', 'password-stdin', 'token-stdin', 'client-id'] as const

const rows = {
  login: ['--url <address>', 'Signs in, and keeps the token under a profile.', signing],
  logout: ['', 'Revokes the token of the profile, and forgets it.'],
  whoami: ['', 'Says who is signed in where, and until when.'],
  'schema get': ['<place>', 'Prints a schema, or writes it into a file.', ['format', 'bom', 'output', ...reading]],
  'schema inspect': ['<place>', 'Counts the categories of a schema and their items, and gives advice.'],
  'schema validate': [
    '<file>',
    'Says whether a file keeps the rules of schemas. Needs no portal.',
    ['for', ...reading],
  ],
  'schema lint': ['<place>', 'Gives advice besides the rules.', ['strict', ...reading]],
  'schema test': ['<file>', 'Runs the tests of a file.', ['to', ...reading]],
  'schema diff': [
    '<place> <place>',
    'Shows how the second schema differs from the first.',
    ['detailed-exitcode', ...reading],
  ],
  'schema plan': [
    '<source> --to <place> | --all',
    'Shows what an apply would do; changes nothing.',
    [...changing, 'output', 'detailed-exitcode'],
  ],
  'schema apply': [
    '<plan.json> | <source> --to <place> | --all',
    'Makes the change of a plan file, or plans, asks and makes it.',
    [...changing, ...making, 'merge'],
  ],
  'schema propose': [
    '<plan.json> | <source> --to <place>',
    'Keeps the change as a draft, and proposes it to a second person.',
    [...changing, 'name', 'reviewer', 'note'],
  ],
  'schema drift': ['', 'Exit code 3 where a place differs from its file in cartulary.json.'],
  'schema history': ['<place>', 'Lists the versions of a schema.'],
  'schema restore': ['<place>@<version>', 'Makes a version the present schema again.', ['items', ...making]],
  'schema delete': ['<place>', 'Deletes a schema, after a question.', ['yes']],
  'item categorize': [
    '<table> --in <place>',
    'Gives items the categories of a table; interrupted, the same command resumes.',
    ['in', 'mode', 'clear-empty', 'restart', 'report', 'sheet', 'encoding'],
  ],
  'item export': ['', 'Prints items with their categories as a table, which categorize reads.', ['in', 'output']],
  'item uncategorized': ['', 'Lists items that have no category of the schema.', ['in', 'csv']],
  'item revert': ['<run>', 'Takes the changes of a run back, where no one has changed them since.', ['yes']],
  'takeover plan': [
    '--from <profile> --to <profile>',
    'Says what a takeover of a portal would make; changes nothing.',
    ['from', 'to takeover', 'rate', 'groups', 'items takeover', 'owners', 'owner', ...taking, 'output'],
  ],
  'takeover apply': [
    '<takeover.json>',
    'Takes over what the plan says; interrupted, the same command resumes.',
    ['from', 'to takeover', 'rate', 'report', 'yes'],
  ],
  'takeover status': ['<takeover.json>', 'Says how far it is.', ['report']],
  'takeover verify': ['<takeover.json>', 'Compares both portals, item by item.', ['from', 'to takeover', 'rate']],
  'takeover undo': [
    '<takeover.json>',
    'Deletes what was made and no one has changed since, and names the rest.',
    ['from', 'to takeover', 'yes'],
  ],
  'invitation list': ['<collaboration>', 'Lists the invitations of a collaboration, named by id or exact name.'],
  'invitation show': ['<collaboration> <invitation>', 'Shows an invitation.'],
  'invitation create': [
    '<collaboration> --guest <address>',
    'Invites a portal, and prints the invitation, which is a file for its administrator.',
    ['guest', 'workspace', 'access', 'hours', 'output'],
  ],
  'invitation refresh': [
    '<collaboration> <invitation>',
    'Prolongs an invitation, and prints its new file; the former one is no longer valid.',
    ['output'],
  ],
  'invitation invalidate': [
    '<collaboration> <invitation>',
    'Invalidates an invitation, after a question: no response to it can be imported.',
    ['yes'],
  ],
  'collaboration list': ['', 'Lists the collaborations of the organization.'],
  'collaboration show': ['<collaboration>', 'Shows a collaboration, its workspaces and its participants.'],
  audit: [
    '',
    'Lists who did what in the organization, the newest first.',
    ['since', 'until', 'actor', 'action', 'csv'],
  ],
  'template list': ['', 'Lists published schemas to begin with.', ['org']],
  'template show': ['<name>', 'Prints a template as a schema.', ['org']],
  completion: ['<shell>', 'Prints a script that completes commands in bash or zsh.'],
} as const satisfies Record<string, Row>

export type CommandName = keyof typeof rows

export const commands: readonly Command[] = Object.entries<Row>(rows).map(([name, [usage, text, names = []]]) => {
  // An argument of each way to call it, without the values of options; a version belongs to its place.
  const numbers = usage.split(' | ').map((way) => way.replaceAll(/--[a-z]+ <\w+>|@<\w+>/g, '').split('<').length - 1)
  const own = Object.fromEntries(names.map((option) => [option.split(' ', 1)[0], options[option]]))
  return { name, usage, text, options: own, arguments: [Math.min(...numbers), Math.max(...numbers)] }
})

export const aliases: readonly string[] = ['get', 'plan', 'apply', 'diff', 'validate']

/** First words of commands for any portal. */
export const clientWords: ReadonlySet<string> = new Set([
  ...commands.map(({ name }) => name.split(' ', 1)[0]!),
  ...aliases,
])

/** Whether a first word is one of a command for any portal, or one that other programs have for such a command. */
export function isClientWord(word: string): boolean {
  return clientWords.has(word) || word === 'export' || word === 'import'
}

/** The command that a first word was probably meant for: the one of schemas with that verb, or the nearest of these words. */
export function findMeant(word: string, words: Iterable<string>): string | undefined {
  const ofSchemas = `schema ${word}`
  return commands.some(({ name }) => name === ofSchemas) ? ofSchemas : findNearest(word, words)
}
