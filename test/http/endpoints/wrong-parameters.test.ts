import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { type Endpoint, type Example, kindOf } from '../../../src/http/endpoints/endpoint.ts'
import type { Parameter } from '../../../src/http/endpoints/parameter-types.ts'
import { endpointTable } from '../../../src/http/endpoints/table.ts'
import { clientOf, pathOf } from '../../support/portal/example-call.ts'
import { type ExampleWorld, openExampleWorld } from '../../support/portal/example-world.ts'

/**
 * Every parameter of every operation with values that it does not take, beside the other parameters of the documented example.
 * Limits are stated here once more, as the description has them; how each type reads is in parameter-types.test.ts.
 */

/** By the name of a parameter, or by its operation and its name where those of other operations differ. */
type ByName<Rule> = Readonly<Record<string, Rule | undefined>>

/** A value, or a form that has it, and the sentence against it. */
type Wrong = readonly [given: string, sentence: string]

function ofEach<Rule>(rule: Rule, names: string): ByName<Rule> {
  return Object.fromEntries(names.split(' ').map((name) => [name, rule]))
}

const maxLengths: ByName<number> = {
  ...ofEach(31, 'sheet'),
  ...ofEach(32, 'updatePortal.culture updateUser.culture portalGroupId region'),
  ...ofEach(50, 'createPortalSchemaTemplate.name'),
  ...ofEach(64, 'plan revertHistoryEntry.itemId createGroup.sortField updateGroup.sortField'),
  ...ofEach(64, 'changeItems.group exportItemCategories.group importItemCategories.group'),
  ...ofEach(100, 'name below workspaceName collaborationWorkspaceName createPortalSchemaTemplate.title'),
  ...ofEach(128, 'user username fullName firstName lastName firstname lastname fullname email to searchUserName'),
  ...ofEach(128, 'createRole.name updateRole.name searchGroupUsers.name listUsers.role listUsers.provider'),
  ...ofEach(128, 'hostContactFirstname hostContactLastname hostContactEmailAddress reassignUser.targetUsername'),
  ...ofEach(128, 'guestContactFirstname guestContactLastname guestContactEmailAddress registerApp.itemId'),
  ...ofEach(128, 'createUser.role'),
  ...ofEach(128, 'addItem.type readCompleteness.type readCompleteness.owner readCompleteness.group readCoverage.group'),
  ...ofEach(250, 'createGroup.title updateGroup.title createGroup.snippet updateGroup.snippet phone organizationName'),
  ...ofEach(250, 'updatePortal.name createRole.description updateRole.description updateWorkspace.description'),
  ...ofEach(250, 'workspaceDescription collaborationWorkspaceDescription'),
  ...ofEach(250, 'createCollaboration.description updateCollaboration.description'),
  ...ofEach(254, 'listUsers.username listUsers.fullname listUsers.firstname listUsers.lastname listUsers.email'),
  ...ofEach(255, 'idpUsername'),
  ...ofEach(256, 'addItem.title updateItem.title listPortalHistory.id'),
  ...ofEach(500, 'comment'),
  ...ofEach(1_000, 'note scheme listPortalHistory.start'),
  ...ofEach(2_048, 'addItem.snippet updateItem.snippet addItem.culture updateItem.culture'),
  ...ofEach(2_048, 'documentation accessInformation spatialReference addItem.url updateItem.url'),
  ...ofEach(2_048, 'createWebhook.url updateWebhook.url'),
  'createWebhook.config': undefined,
  'updateWebhook.config': undefined,
  ...ofEach(10_000, 'root config updatePortal.description updateUser.description createUser.description'),
  ...ofEach(10_000, 'createGroup.description updateGroup.description'),
}

/** Whether it is a name or a title, which is one line. */
const isLine: ByName<boolean> = {
  ...ofEach(true, 'title name fullName firstName lastName fullname firstname lastname organizationName'),
  ...ofEach(true, 'workspaceName collaborationWorkspaceName hostContactFirstname hostContactLastname'),
  ...ofEach(true, 'guestContactFirstname guestContactLastname'),
  ...ofEach(false, 'listUsers.fullname listUsers.firstname listUsers.lastname'),
  ...ofEach(false, 'searchGroupUsers.name createFolder.title'),
}

/** Names in a change, which may be absent and not blank. */
const changedNames: ByName<boolean> = {
  ...ofEach(true, 'updateCollaboration.name updateWorkspace.name updateWebhook.name updateWebhook.url'),
  ...ofEach(true, 'updateGroupSchemaDraft.name updatePortalSchemaDraft.name'),
}

/** How many entries there may be, and how long each. */
const entryLimits: ByName<readonly [number, number]> = {
  language: [10, 35],
  exclude: [20, 128],
  ...ofEach([25, 128], 'users admins'),
  ...ofEach([100, 128], 'disableUsers.users enableUsers.users removeUsers.users'),
  ...ofEach([100, 128], 'actors owners ips actions without'),
  ...ofEach([100, 64], 'items groups'),
  'changeItems.items': [10_000, 64],
  tags: [128, 128],
  typeKeywords: [128, 256],
  ...ofEach([200, 1_000], 'addItem.categories updateItem.categories'),
}

/** The least number; 0 for all others. */
const minimums: ByName<number> = {
  ...ofEach(1, 'expiration ifRevision version headerRow restoredFrom listPortalHistory.num exportItemCategories.num'),
}

/** How to do without conditions, which may not be empty. */
const conditions: ByName<string> = {
  ...ofEach('to change the schema whatever it is', 'ifVersion ifHash'),
  ifRevision: 'to take the draft whatever it is',
  ifModified: 'to confirm the app whatever it is',
  plan: 'to begin the run whatever would change',
  baseVersion: 'for the default',
  ...ofEach('for the organization', 'readCompleteness.group readCoverage.group changeItems.group'),
  ...ofEach('for the organization', 'exportItemCategories.group importItemCategories.group'),
  dryRun: 'to make the change',
  // True by default.
  'importItemCategories.dryRun': undefined,
}

const notWhole = 'is not a whole number.'
const notJson = 'is not JSON.'
const noObject = 'is not a JSON object.'
const noEmail = 'is not an e-mail address.'
const noUrl = 'is not an http or https URL without query, hash or user.'
const noTime = 'is not a time in ISO 8601 or in epoch milliseconds.'
const noInvitations = 'has no list "invitations".'
const noWorkspaces = 'give a list such as [{"<workspaceId>":"send"}].'
const noItemControl = 'has to be updateitemcontrol or empty.'
const noBox = 'has to be four numbers: west,south,east,north.'
const noLists = 'has to be a list of texts, or a list of such lists.'
const noSortField = `has to be one of relevance, title, name, created, uploaded, modified, type, owner, numviews, avgrating, numratings, numcomments, scorecompleteness, or several.`
const noCountField = 'has to be some of categories, tags, type, access, contentstatus.'
const noTags = 'tags has to be lists add and remove of at most 128 texts each.'
const noOrigin = 'has to be org or group:<id>, and may end with a version, such as org@3.'
const noTemplateName = 'has to be a small letter, then at most 49 small letters, digits and hyphens.'

const tooLong = (has: number, most: number, what = 'characters') => `has ${has} ${what}; at most ${most} are allowed.`
const levels = (count: number): Wrong => [
  `{"a":"[\\"[","b":${'['.repeat(count - 1)}${']'.repeat(count - 1)}}`,
  `has ${count} levels; at most 20 are allowed.`,
]
const all = (sentence: string, ...given: readonly string[]) => given.map((one): Wrong => [one, sentence])
const noLanguages = all('has to be a language tag, such as de or en-GB.', '-', 'e"n', 'x'.repeat(36))
const noMember = 'not JSON at line 1, column 2: a member name in double quotes is expected, not the end.'
const noSchemas = all(noMember, '{')
const noServer = 'no server signs in to another one here; leave it out.'
const configs = ['[]', '"text"', '1', 'null', 'true', '{', '{"a":1,}', 'a=b'].map((config): Wrong => [config, noObject])
const numbered = (count: number) => Array.from({ length: count }, (_, at) => `/${at}`)

/** Rules in place of those of the type. */
const ownRules: ByName<readonly Wrong[]> = {
  // Parameters of another kind than those of the same name.
  'listPortalHistory.start': [],
  ...ofEach(all(notWhole, 'ten'), 'searchItems.start searchGroupItems.start'),
  start: [...all(notWhole, 'ten', '1.5'), ['-1', 'has to be 1 or more.']],
  'inviteToGroup.expiration': [...all('has to be from 1 to 20160.', '0', '20161'), [' week', notWhole]],
  'inviteParticipant.expiration': [
    ...all('has to be 1 or more.', '0', '-1', '-9999999999999999999'),
    ...all(notWhole, '1.5', '1e2', '0x10', '72h', 'Infinity'),
  ],
  text: [],
  header: all('has to be auto, true or false.', 'maybe'),
  delimiter: all('has to be one of comma, semicolon, tab, bar.', 'x'),
  ifHash: all('has to be sha256: and 64 hexadecimal digits.', 'x', 'sha256:0'),
  operation: all('is not an operation that is known here.', 'neither'),
  joined: all('has to be a time in milliseconds, or two with a comma between them.', 'today'),
  ...ofEach(all(noTime, 'yesterday', '2026-02-30'), 'fromDate toDate'),
  'listPortalHistory.q': [['a b c d e f g h i j k', 'has 11 words; at most 10 are allowed.']],
  meanings: all('has to be pairs such as take:joinGroup.', 'word'),
  types: all('has to name a, app, c, cp, cpg, cw, cwp, g, i, idp, inv, r, u, w.', 'g,x'),
  ...ofEach(noLanguages, 'exportGroupCategorySchema.language exportPortalCategorySchema.language'),
  ...ofEach(
    noLanguages,
    'listCategorySchemaTemplates.language readCategorySchemaTemplate.language completeFirstRun.language',
  ),
  from: all(noOrigin, 'groups', 'org@0'),
  ...ofEach(all(notWhole, 'x'), 'diffGroupSchemaVersions.from diffPortalSchemaVersions.from'),
  'createPortalSchemaTemplate.name': all(noTemplateName, 'Lakes', '1a'),
  email: all(noEmail, 'anna', 'anna@', '@example.com', 'anna@example@com', 'an na@example.com', '@'),
  hostContactEmailAddress: all(noEmail, 'anna', 'anna@example.com, bo@example.com'),
  guestContactEmailAddress: all(noEmail, 'anna'),
  'listUsers.email': [],
  guestPortalUrl: all(
    noUrl,
    ...['guest.example.org', 'ftp://guest.example.org', 'https://anna:secret@guest.example.org'],
    ...['https://guest.example.org/?f=json', 'https://guest.example.org/#x', 'https://a"; filename="b.example.org'],
    ...['https://a"b.example.org', `https://guest.example.org/${'x'.repeat(2048)}`],
  ),

  // Parameters that are refused rather than forgotten.
  ...ofEach(all('no pictures are kept here.', 'face.png'), 'updatePortal.thumbnail updateUser.thumbnail'),
  urlKey: all('the short name of an organization stays.', 'stolen'),
  allSSL: all('PUBLIC_URL says whether this server is reached over HTTPS.', 'false'),
  ...ofEach(all('the operator sets ALLOWED_ORIGINS.', 'https://x'), 'allowedOrigins authorizedCrossOriginDomains'),
  canSearchPublic: all('what is public can always be found.', 'false'),
  canSharePublic: all('the privileges of roles say who may share with everyone.', 'false'),
  mfaEnabled: all('there is no second factor for signing in.', 'true'),
  helperServices: all('there are none.', '{}'),
  'updateUser.categories': all('there are no categories of members here.', '/A'),
  ...ofEach(all('there are no security questions here.', '1'), 'securityQuestionIdx newSecurityQuestionIdx'),
  ...ofEach(all('there are no security questions here.', 'blue'), 'securityAnswer newSecurityAnswer'),
  ...ofEach(all('is not supported; leave it out.', 'true'), 'dataUrl multipart async filename'),
  ...ofEach(all(noServer, 'secret'), 'hostWebauthUsername hostWebauthPassword hostWebauthCertPassword'),
  ...ofEach(all(noServer, 'secret'), 'guestWebauthUsername guestWebauthPassword guestWebauthCertPassword'),

  capabilities: all(noItemControl, 'distributed', 'updateitemcontrol,distributed'),
  displaySettings: [
    ...all(noObject, 'maps', '["Web Map"]', 'null'),
    ['{"itemTypes":["Web Map"]}', 'itemTypes is not a text.'],
    ['{"itemTypes":"","color":"red"}', 'has members other than itemTypes.'],
    [`{"itemTypes":"${'a'.repeat(251)}"}`, `itemTypes ${tooLong(251, 250)}`],
  ],
  'createCollaboration.config': [...configs, levels(21), levels(3000)],
  'updateCollaboration.config': configs,
  categoryPolicy: [
    ['{', notJson],
    [
      '{"require":"never","when":"now"}',
      'require has to be one of off, report, enforce. when has to be one of public, org, any.',
    ],
  ],
  'setRolePrivileges.privileges': [
    ['{"privileges":', notJson],
    ...all('has no list "privileges".', '{"privileges":"portal:user:createGroup"}', '["a"]', 'null'),
    ['{"privileges":["portal:user:createGroup","portal:user:fly"]}', '/privileges/1 is not a privilege.'],
    ...['"PORTAL:USER:CREATEGROUP"', '"portal:user:createGroup "', '"constructor"', '"__proto__"', '[]', 'null'].map(
      (privilege): Wrong => [`{"privileges":[${privilege}]}`, '/privileges/0 is not a privilege.'],
    ),
  ],
  invitationList: [
    ['{', notJson],
    ...all(noInvitations, 'null', '[]', '"invitations"', '{}', '{"__proto__":{"invitations":[]}}'),
    ...all('/invitations/0 is not an object.', '{"invitations":[1]}', '{"invitations":[[]]}'),
    ['{"invitations":[]}', 'has no entry in "invitations".'],
    ['{"invitations":[{},{"username":7}]}', '/invitations/1/username is not a string.'],
    ['{"invitations":[{"role":{}}]}', '/invitations/0/role is not a string.'],
    ['{"invitations":[{"password":12345678}]}', '/invitations/0/password is not a string.'],
    ['{"invitations":[{"email":"a\\u0000b"}]}', '/invitations/0/email has a control character.'],
    ['{"invitations":[{"email":"an na@example.com"}]}', '/invitations/0/email is not an e-mail address.'],
    ['{"invitations":[{"fullname":"\\ud800"}]}', '/invitations/0/fullname has a lone surrogate.'],
    ['{"invitations":[{"fullname":"Maps\\tand\\u0085seas"}]}', '/invitations/0/fullname has a control character.'],
    ...['fullname', 'firstname', 'lastname', 'email'].map(
      (name): Wrong => [
        `{"invitations":[{"${name}":"${'x'.repeat(129)}"}]}`,
        `/invitations/0/${name} ${tooLong(129, 128)}`,
      ],
    ),
    [
      '{"invitations":[{"username":[],"email":1}]}',
      '/invitations/0/username is not a string. /invitations/0/email is not a string.',
    ],
  ],
  collaborationWorkspacesParticipantConfigJSON: [
    ...all(notJson, '{', '[{"a":"send"},]', 'send'),
    ['{"a":"send"}', noWorkspaces],
    ...all(`names no workspace; ${noWorkspaces}`, '[]', '[{}]'),
    ['[{"a":"send"},7]', '/1 is not an object.'],
    ['[{"a":"send"},{"b":"write"}]', '/1/b is not one of send, receive, sendAndReceive.'],
    ['[{"a":"send"},{"a":"receive"}]', '/1/a names a workspace twice.'],
  ],
  collaborationWorkspacesAccessJSON: [
    ['[', notJson],
    ['[{"a":"write"}]', '/0/a is not one of send, receive, sendAndReceive.'],
  ],
  ...ofEach([], 'invitationJSON invitationResponseJSON'),
  ...ofEach(
    [
      ['{', notJson],
      ...all(noObject, '[]', '1', '"text"'),
      ['{"properties":{}}', 'properties are for notebooks, which are not here.'],
      ['{"deactivationPolicy":5}', 'deactivationPolicy is not a JSON object.'],
      ...['0', '101', '1.5', '"5"', 'null'].map(
        (number): Wrong => [
          `{"deactivationPolicy":{"numberOfFailures":${number}}}`,
          'numberOfFailures has to be a whole number from 1 to 100.',
        ],
      ),
      ['{"deactivationPolicy":{"daysInPast":31}}', 'daysInPast has to be a whole number from 1 to 30.'],
    ],
    'createWebhook.config updateWebhook.config',
  ),
  notificationAttempts: [...all(notWhole, '1.5', 'many'), ...all('has to be from 0 to 5.', '-1', '6')],
  notificationTimeOutInSeconds: all('has to be from 0 to 60.', '-1', '61'),
  notificationElapsedTimeInSeconds: all('has to be from 1 to 100.', '0', '101'),
  overlapHours: all('has to be from 0 to 168.', '-1', '169'),
  max: all('has to be from 1 to 100.', '0', '101'),
  leaseSeconds: all('has to be from 10 to 300.', '9', '301'),
  waitSeconds: [...all('has to be from 0 to 25.', '-1', '26'), ['0.5', notWhole]],
  'ackWebhookDeliveries.ids': [
    ...all('begins like a JSON array of texts, and is none.', '["msg_1"', '[1]', '[["msg_1"]]'),
    [numbered(1_001).join(), tooLong(1_001, 1_000, 'entries')],
    [`msg_${'x'.repeat(61)}`, `an entry ${tooLong(65, 64)}`],
    ['msg_\u0007', 'an entry has a control character.'],
  ],
  ...ofEach(noSchemas, 'createGroupSchemaDraft.categorySchema updateGroupSchemaDraft.categorySchema'),
  ...ofEach(noSchemas, 'createPortalSchemaDraft.categorySchema updatePortalSchemaDraft.categorySchema'),
  moves: [
    ['[', notJson],
    ['{}', 'is not a list.'],
    [JSON.stringify(Array(201).fill({})), tooLong(201, 200, 'entries')],
  ],
  redirect_uris: [
    ['https://a.example', notJson],
    ['"https://a.example"', 'is not a list of texts, such as ["…"].'],
    ['[1]', '/0 is not a text.'],
    ['["https://a.example/","javascript:alert(1)"]', '/1 has the scheme javascript, which is not allowed.'],
    [JSON.stringify(Array(51).fill('https://a.example/')), tooLong(51, 50, 'entries')],
  ],
  httpReferrers: [['["https://a.example\\n"]', '/0 has a character that no URL has; encode it.']],
  'registerApp.privileges': [['["premium:user:geocode"]', '/0 is not a privilege.']],
  'updateApp.privileges': [['["premium:user:geocode"]', '/0 is not a privilege.']],

  ...ofEach(
    [
      ['{', notJson],
      ['{}', 'has to be an array of objects.'],
      ...['itemId', 'id'].map(
        (name): Wrong => [
          `[{"${name}":"a","categories":["/A"]}]`,
          'has to name each item by its id: [{"<id>": {"categories": ["/A"]}}].',
        ],
      ),
      [JSON.stringify(Array(101).fill({ x: [] })), '101 items; at most 100 are allowed.'],
    ],
    'updateItems.items updateGroupItems.items',
  ),
  change: [
    ['{', notJson],
    ['{}', 'has to have one of categories, tags, owner and delete; or access, groups or both.'],
    ['{"title":"x"}', 'has title, which is none of categories, tags, access, groups, owner, delete.'],
    ['{"access":"all"}', 'access has to be one of private, org, public.'],
    ['{"delete":false}', 'delete has to be true.'],
    ...all(noTags, '{"tags":{"add":[]}}', '{"tags":{"add":[" "]}}'),
    ['{"tags":{"add":["a\\u0001b"]}}', 'tags: add an entry has a control character.'],
    ['{"tags":{"add":["\\ud800"]}}', 'tags: add an entry has a lone surrogate.'],
    [`{"tags":{"add":["${'x'.repeat(900_000)}"]}}`, `tags: add an entry ${tooLong(900_000, 128)}`],
    [JSON.stringify({ tags: { add: numbered(129) } }), `tags: add ${tooLong(129, 128, 'entries')}`],
  ],
  ...ofEach([['é'.repeat(32_769), tooLong(65_538, 65_536, 'bytes')]], 'addItem.description updateItem.description'),
  licenseInfo: [['é'.repeat(32_769), tooLong(65_538, 65_536, 'bytes')]],
  extent: [
    ['1,2,3', 'has to be four numbers: west, south, east, north.'],
    ['3,2,1,4', 'has to begin with west and south, the smaller ones.'],
    ['-361,0,1,4', 'has to be in degrees: longitudes up to 360, latitudes up to 90.'],
  ],
  properties: [
    ['{', notJson],
    ['[]', noObject],
  ],
  itemIdToCreate: all('has to be 32 hexadecimal digits.', 'x'),
  bbox: [
    ...all(noBox, '1,2,3', '1,2,3,4,5', '1,,3,4', '1,2,3,Infinity'),
    ['3,2,1,4', 'has to have west before east and south before north.'],
  ],
  ...ofEach(
    all(noSortField, 'title,size', 'constructor'),
    'searchItems.sortField searchGroupItems.sortField listGroupItems.sortField',
  ),
  countFields: [
    ['tags,owner', noCountField],
    ['tags,type,access,categories', 'has 4 fields; at most 3 are allowed.'],
  ],
  ...ofEach(
    [
      [JSON.stringify(numbered(9).map((path) => [path])), 'has 9 lists; at most 8 are allowed.'],
      [numbered(9).join(), 'has a list of 9; at most 8 are allowed.'],
      ...all(noLists, '[1]', '[[["/A"]]]'),
      ...all('begins like JSON, and is none.', '["/A"', '"/A'),
      [`/${'a'.repeat(1_000)}`, `an entry ${tooLong(1_001, 1_000)}`],
      ['['.repeat(10_241), tooLong(10_241, 10_240)],
      ['/A\u0007', 'an entry has a control character.'],
    ],
    'searchItems.categories searchGroupItems.categories changeItems.categories exportItemCategories.categories',
  ),
  categoryFilters: [['a,b,c,d', 'has a list of 4; at most 3 are allowed.']],
}

/** Refused in other ways: with errors of their own, always, or with no word about what else is wrong. */
const others = ['issueTokens', 'readFirstRun', 'revokeToken', 'validateAppAccess', 'createFolder']

function ruleOf<Rule>(rules: ByName<Rule>, operation: string, name: string): Rule | undefined {
  const own = `${operation}.${name}`
  return rules[own in rules ? own : name]
}

/** Wrong values of a parameter by its type. */
function wrongOfType(operation: string, name: string, parameter: Parameter<unknown>): readonly Wrong[] {
  const { type, choices, isSecret } = parameter
  if (type === 'boolean') return all('has to be true or false.', 'maybe', '1')
  if (type === 'integer') {
    const least = ruleOf(minimums, operation, name) ?? 0
    const isBounded = parameter.cap !== undefined || parameter.maximum !== undefined
    return [
      ...all(notWhole, 'many', '1.5'),
      [String(least - 1), `has to be ${least} or more.`],
      ...(isBounded ? [] : all('has to be at most 9007199254740991.', '9007199254740993')),
    ]
  }
  if (choices) return all(`has to be one of ${choices.join(', ')}.`, 'neither', '__proto__')
  if (type === 'json') return all(notJson, '{', 'neither')
  if (type === 'list') {
    const [most, maxLength] = ruleOf(entryLimits, operation, name) ?? []
    return [
      ...all('an entry has a control character.', 'a,b\u0007'),
      ...(most === undefined ? [] : [[numbered(most + 1).join(), tooLong(most + 1, most, 'entries')] as const]),
      ...(maxLength === undefined
        ? []
        : all(`an entry ${tooLong(maxLength + 1, maxLength)}`, 'x'.repeat(maxLength + 1))),
    ]
  }
  if (type === 'file' || isSecret) return []
  const ofLines = ruleOf(isLine, operation, name) ? ['Maps\tand\u0085seas'] : []
  return all('has a control character.', 'a\0b', 'a\u007f', ...ofLines)
}

/** Everything that a parameter does not take, as a form has it. Where a room judges what is given, only repetition is wrong. */
function refusalsOf({ id, parameters }: Endpoint, name: string): readonly Wrong[] {
  const parameter = parameters[name]!
  if (parameter.unused || name === 'secret') return []
  const maxLength = ruleOf(maxLengths, id, name)
  const without = ruleOf(conditions, id, name)
  const isText = parameter.type !== 'list' && !parameter.choices
  const isJudged = parameter.readMalformed !== undefined
  const isRequired = parameter.isRequired && !isJudged
  const blanks = ['', ' ', ...(ruleOf(isLine, id, name) ? ['\u200b \u2060\u00ad'] : [])]
  const wrong: readonly Wrong[] = [
    ...(isJudged ? [] : (ruleOf(ownRules, id, name) ?? wrongOfType(id, name, parameter))),
    ...(maxLength !== undefined && isText ? all(tooLong(maxLength + 1, maxLength), 'x'.repeat(maxLength + 1)) : []),
    ...(without === undefined ? [] : all(`is empty; give a value, or leave it out ${without}.`, '', ' ')),
    ...(isRequired || ruleOf(changedNames, id, name) ? all('give a value.', ...blanks) : []),
    ...(isRequired && parameter.type === 'list' ? all('give a value.', ' , ') : []),
  ]
  return [
    ...wrong.map(([given, sentence]) => [field(name, given), sentence] as const),
    ...(isRequired ? [['', 'give a value.'] as const] : []),
    ...(isJudged ? [] : [[`${name}=%FF`, 'the bytes are not UTF-8.'] as const]),
    ...(parameter.readRepeated ? [] : [[`${name}=1&${name}=1`, 'given 2 times; give it once.'] as const]),
  ]
}

const field = (name: string, value: string) => `${name}=${encodeURIComponent(value)}`

/** Calls of the operation, each with the next wrong value of every parameter, and all that is said of it. */
function callsOf(row: Endpoint): readonly (readonly [form: string, sentences: readonly string[]])[] {
  const names = Object.keys(row.parameters)
  const refusals = new Map(names.map((name) => [name, refusalsOf(row, name)]))
  const count = Math.max(0, ...names.map((name) => refusals.get(name)!.length))
  return Array.from({ length: count }, (_, at) => {
    const given = names.map((name) => {
      const example = row.example.parameters?.[name]
      return { name, form: example === undefined ? '' : field(name, example), refusal: refusals.get(name)![at] }
    })
    const form = given.map(({ form, refusal }) => refusal?.[0] ?? form).filter((one) => one !== '')
    return [form.join('&'), given.flatMap(({ name, refusal }) => (refusal ? [`${name}: ${refusal[1]}`] : []))] as const
  })
}

const moments: readonly Example['moment'][] = [undefined, 'accepted', 'imported', 'registered', 'untouched']

describe.each(moments)('where the handshake is: %s', (moment) => {
  let world: ExampleWorld

  beforeAll(async () => {
    world = await openExampleWorld(moment)
  })
  afterAll(() => world[Symbol.asyncDispose]())

  const rows = endpointTable.filter(({ id, example }) => example.moment === moment && !others.includes(id))

  test.each(rows.filter((row) => callsOf(row).length > 0).map((row) => [row.id, row] as const))(
    '%s names every parameter that is wrong, in their order',
    async (_id, row) => {
      const client = clientOf(row, world)
      const isRead = row.sharesPath === true && kindOf(row) === 'resource'
      for (const [form, sentences] of callsOf(row)) {
        const response = await (isRead ? client.send(`${pathOf(row)}?${form}`) : client.send(pathOf(row), { form }))
        expect(response.json(), form.slice(0, 1_000)).toEqual({
          error: {
            code: 400,
            ...(row.refusalCode && { messageCode: row.refusalCode }),
            message: `Unable to ${row.task}.`,
            details: sentences,
          },
        })
      }
    },
  )
})
