import { schema } from './inspected.ts'

const invitation = "(select invitation_id from invitations where state = 'host_invalidated' limit 1)"

/** Rows that contradict each other: what is said of them, and how they come about. */
export const disagreements = [
  [
    'category schemas whose group or organization is gone',
    "insert into category_schemas values ('group', 'gone', 1, 1, 1, 1, 1, 1, null, null, null); insert into category_schema_versions (owner_kind, owner_id, version, author, assigned_at, document) values ('group', 'gone', 1, 'anna', 1, '{}')",
  ],
  [
    'category schemas whose present version is missing',
    `update category_schemas set version = version + 1 where owner_id = ${schema(0)}`,
  ],
  [
    'category schemas that are set without a document, or unset with one',
    `update category_schema_versions set document = null where owner_id = ${schema(1)}`,
  ],
  [
    'versions of category schemas without a category schema',
    `delete from category_schemas where owner_id = ${schema(2)}`,
  ],
  [
    'category schemas with other versions than are counted',
    'delete from category_schema_versions where version = 1 and owner_id in (select owner_id from category_schema_versions where version = 2)',
  ],
  [
    'versions of category schemas whose document is missing',
    `update category_schema_versions set document = null, same_as = 77 where owner_id = ${schema(1)}`,
  ],
  [
    'category schemas that count for another organization than that of their owner',
    `update category_schemas set portal_id = 'gone' where owner_id = ${schema(0)}`,
  ],
  [
    'category schemas of which it is not known since when a version can be removed',
    `update category_schemas set removable_since = 77 where owner_id = ${schema(0)}`,
  ],
  [
    'invitations whose history contradicts their state',
    `update invitations set state = 'host_created' where invitation_id = ${invitation}`,
  ],
  [
    'invitations whose history contradicts their state',
    `update invitations set revision = revision + 1 where invitation_id = ${invitation}`,
  ],
  [
    'steps of invitations whose states do not follow each other',
    `update invitation_steps set from_state = 'host_accepted' where step = 2 and invitation_id = ${invitation}`,
  ],
  [
    'accepted invitations without a guest',
    "update invitations set guest_portal_id = null where state = 'host_accepted'",
  ],
  ['collaborations without their host among the participants', "update participants set role = 'Guest'"],
  ['participations whose host is not known by a key', 'delete from known_keys'],
  ['participations whose host is known at no address', 'delete from known_addresses'],
] as const

/** States that are allowed but may be unintended: doctor warns of them. */
export const leftovers: readonly (readonly [what: string, statement: string, words: RegExp])[] = [
  [
    'users whose role is gone',
    "update users set role = 'gone' where username = 'person20'",
    /a role that is gone .* \(1\)/,
  ],
  ['no administrator', "update users set disabled = 1 where username = 'outsider'", /no administrator .* \(1\)/],
  [
    'expired tokens that pile up',
    `insert into tokens (token_hash, user_id, created_at, expires_at) with recursive numbers(n) as (select 1 union all select n + 1 from numbers where n < 10001)
       select 'token' || n, (select user_id from users limit 1), 1, 2 from numbers`,
    /There are 10001 tokens that expired/,
  ],
  [
    'a row in the future',
    'update audit set happened_at = 99999999999999, checksum = null where id = 1',
    /in the future/,
  ],
]
