/** Option of a command. */
export interface Option {
  /** Placeholder of its value; absent for a switch. */
  readonly value?: string
  readonly choices?: readonly string[]
  /** Whether it may be given several times. */
  readonly isList?: boolean
  readonly short?: string
  readonly text: string
}

export type Options = Readonly<Record<string, Option>>

/** A command for any portal. */
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

/** Options of every command. */
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

const output: Option = { value: 'file', short: 'o', text: 'Writes into this file, whole or not at all.' }
const yes: Option = { text: 'Does not ask.' }
const detailedExitcode: Option = { text: 'Exit code 3 where there are differences.' }
const to: Option = { value: 'place', text: 'Schema that is changed: org, group:<id> or group:<title>.' }
const format: Option = {
  value: 'format',
  choices: ['json', 'csv', 'text', 'xlsx', 'skos-ttl', 'skos-jsonld'],
  text: 'json (default), csv, text, xlsx, skos-ttl or skos-jsonld.',
}
/** Choices about a file that is read, as docs/importing.md describes them. */
const reading: Options = {
  columns: { value: 'names', text: 'What the columns of the file are, in their order.' },
  header: { value: 'row', text: 'Row of the headings; none for no headings.' },
  sheet: { value: 'name', text: 'Sheet of a workbook, by name or number.' },
  delimiter: { value: 'character', text: 'comma, semicolon, tab or pipe.' },
  encoding: { value: 'name', choices: ['windows-1252'], text: 'Encoding of a file that is not UTF-8.' },
  language: { value: 'tags', text: 'Languages of labels, the preferred one first.' },
  root: { value: 'path', text: 'Branch of the file that is read alone.' },
  below: { value: 'title', text: 'Title of a root that everything is put below.' },
  depth: { value: 'choice', choices: ['refuse', 'cut'], text: 'Deeper levels: refuse (default) or cut.' },
  titles: { value: 'choice', choices: ['refuse', 'cut'], text: 'Longer titles: refuse (default) or cut.' },
}
const changing: Options = {
  to,
  moves: { value: 'file', text: 'JSON list of {"from","to"}: items follow these paths.' },
  'accept-suggestions': { value: 'sure', choices: ['sure'], text: 'Takes the sure suggestions as moves.' },
  vanishing: {
    value: 'choice',
    choices: ['keep', 'refuse', 'clear'],
    text: 'Items whose category vanishes: keep it (default), refuse the change, or clear it.',
  },
  only: { value: 'path', isList: true, text: 'Changes this branch alone; may be repeated.' },
  all: { text: 'Every place of cartulary.json.' },
  ...reading,
}

const rows = [
  {
    name: 'login',
    usage: '--url <address>',
    arguments: [0, 0],
    text: 'Signs in, and keeps the token under a profile.',
    options: {
      username: { value: 'name', text: 'User; the password is asked for.' },
      'password-stdin': { text: 'Reads the password from standard input.' },
      'token-stdin': { text: 'Reads a token from standard input.' },
      'client-id': { value: 'id', text: 'App; without a secret you sign in with a browser.' },
      'client-secret-stdin': { text: 'Reads the secret of the app from standard input.' },
    },
  },
  {
    name: 'logout',
    usage: '',
    arguments: [0, 0],
    text: 'Revokes the token of the profile, and forgets it.',
    options: {},
  },
  {
    name: 'whoami',
    usage: '',
    arguments: [0, 0],
    text: 'Says who is signed in where, and until when.',
    options: {},
  },
  {
    name: 'schema get',
    usage: '<place>',
    arguments: [1, 1],
    text: 'Prints a schema, or writes it into a file.',
    options: { format, bom: { text: 'Begins a CSV file with a byte order mark, for Excel.' }, output, ...reading },
  },
  {
    name: 'schema inspect',
    usage: '<place>',
    arguments: [1, 1],
    text: 'Counts the categories of a schema and their items, and gives advice.',
    options: {},
  },
  {
    name: 'schema validate',
    usage: '<file>',
    arguments: [1, 1],
    text: 'Says whether a file keeps the rules of schemas. Needs no portal.',
    options: {
      for: { value: 'owner', choices: ['org', 'group'], text: 'Whose limits: org, or group (stricter, default).' },
      ...reading,
    },
  },
  {
    name: 'schema lint',
    usage: '<place>',
    arguments: [1, 1],
    text: 'Gives advice besides the rules.',
    options: { strict: { text: 'Exit code 1 if there is a finding.' }, ...reading },
  },
  {
    name: 'schema test',
    usage: '<file>',
    arguments: [1, 1],
    text: 'Runs the tests of a file.',
    options: { to: { ...to, text: 'Place whose items are counted.' }, ...reading },
  },
  {
    name: 'schema diff',
    usage: '<place> <place>',
    arguments: [2, 2],
    text: 'Shows how the second schema differs from the first.',
    options: { 'detailed-exitcode': detailedExitcode, ...reading },
  },
  {
    name: 'schema plan',
    usage: '<source> --to <place> | --all',
    arguments: [0, 1],
    text: 'Shows what an apply would do; changes nothing.',
    options: { ...changing, output, 'detailed-exitcode': detailedExitcode },
  },
  {
    name: 'schema apply',
    usage: '<plan.json> | <source> --to <place> | --all',
    arguments: [0, 1],
    text: 'Makes the change of a plan file, or plans, asks and makes it.',
    options: {
      ...changing,
      yes,
      comment: { value: 'text', text: 'Why; kept with the version.' },
      'move-items': { text: 'At ArcGIS: items of moved paths get their new paths.' },
      'leave-items': { text: 'At ArcGIS: items of moved paths stay as they are.' },
      merge: { text: 'Puts the change and what others changed since together.' },
    },
  },
  {
    name: 'schema propose',
    usage: '<plan.json> | <source> --to <place>',
    arguments: [1, 1],
    text: 'Keeps the change as a draft, and proposes it to a second person.',
    options: {
      ...changing,
      name: { value: 'text', text: 'Name of the draft.' },
      reviewer: { value: 'user', text: 'Who is asked to publish it.' },
      note: { value: 'text', text: 'Words for the reviewer.' },
    },
  },
  {
    name: 'schema drift',
    usage: '',
    arguments: [0, 0],
    text: 'Exit code 3 where a place differs from its file in cartulary.json.',
    options: {},
  },
  {
    name: 'schema history',
    usage: '<place>',
    arguments: [1, 1],
    text: 'Lists the versions of a schema.',
    options: {},
  },
  {
    name: 'schema restore',
    usage: '<place>@<version>',
    arguments: [1, 1],
    text: 'Makes a version the present schema again.',
    options: {
      items: { value: 'choice', choices: ['follow', 'stay'], text: 'Items follow back (default), or stay.' },
      yes,
      comment: { value: 'text', text: 'Why; kept with the version.' },
      'move-items': { text: 'At ArcGIS: items of moved paths get their new paths.' },
      'leave-items': { text: 'At ArcGIS: items of moved paths stay as they are.' },
    },
  },
  {
    name: 'schema delete',
    usage: '<place>',
    arguments: [1, 1],
    text: 'Deletes a schema, after a question.',
    options: { yes },
  },
  {
    name: 'template list',
    usage: '',
    arguments: [0, 0],
    text: 'Lists published schemas to begin with.',
    options: { org: { text: 'Those of the organization.' } },
  },
  {
    name: 'template show',
    usage: '<name>',
    arguments: [1, 1],
    text: 'Prints a template as a schema.',
    options: { org: { text: 'One of the organization.' } },
  },
  {
    name: 'completion',
    usage: 'bash|zsh|fish',
    arguments: [1, 1],
    text: 'Prints a script that completes commands in a shell.',
    options: {},
  },
] as const satisfies readonly Command[]

export const commands: readonly Command[] = rows
export type CommandName = (typeof rows)[number]['name']

/** Words that stand for a command without its noun. */
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
