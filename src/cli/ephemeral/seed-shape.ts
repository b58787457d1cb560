/** Format of a seed file, as its type and its JSON Schema. */
import { groupAccesses } from '../../directory/group.ts'
import { portalAccesses } from '../../directory/portal.ts'
import {
  any,
  boolean,
  choice,
  type JsonSchema,
  list,
  object,
  type Shape,
  text,
  type ValueOf,
} from '../../http/shapes/shape.ts'

const categorySchema: Shape<unknown> = {
  type: 'array',
  items: { type: 'object' },
  description: 'Trees of categories, as assignCategorySchema takes them.',
}
const tags = list(text(), 'Tags.')
const description = text('Description.')
const snippet = text('Short summary.')
const owner = text('Username; by default the first administrator.')
const usernames = (meaning: string) => list(text(), `Usernames of ${meaning}.`)

const organization = object(
  {},
  {
    name: text('Name; by default what ORGANIZATION_NAME says.'),
    description,
    access: choice(portalAccesses, 'Whether the organization can be read without a token.'),
    administrator: object({ username: text(), password: text() }),
    categorySchema,
  },
)
const role = object({ name: text(), privileges: list(text(), 'Such as portal:user:createGroup.') }, { description })
const user = object(
  { username: text(), password: text() },
  {
    fullName: text('Full name.'),
    email: text('E-mail address.'),
    description,
    role: text(
      'A built-in role (org_viewer, org_user, org_publisher, org_admin), or the name of one of these roles; by default org_user.',
    ),
  },
)
const group = object(
  { title: text('Other groups of the seed have other titles.') },
  {
    owner,
    access: choice(groupAccesses, 'By default private.'),
    description,
    snippet,
    tags,
    isInvitationOnly: boolean('By default true.'),
    isViewOnly: boolean('Whether members cannot add content.'),
    managers: usernames('managers'),
    members: usernames('other members'),
    categorySchema,
  },
)
const item = object(
  { title: text(), type: text('Such as Web Map.') },
  {
    owner,
    access: choice(groupAccesses, 'By default private.'),
    description,
    snippet,
    tags,
    url: text('Where what the item describes is.'),
    data: any('The data of the item: text, or any JSON.'),
    categories: list(text(), 'Paths of categories of the organization, such as /Region/World.'),
    groups: list(
      object(
        { title: text('Of a group of the seed.') },
        { categories: list(text(), 'Paths of categories of the group.') },
      ),
      'Groups that the item is shared with.',
    ),
  },
)

/** Everything in a seed may be absent. */
export const seedShape = object(
  {},
  {
    $schema: text('Of editors; not looked at.'),
    organization,
    roles: list(role),
    users: list(user),
    groups: list(group),
    items: list(item),
  },
)

export type Seed = ValueOf<typeof seedShape>
export type SeedUser = ValueOf<typeof user>
export type SeedGroup = ValueOf<typeof group>
export type SeedItem = ValueOf<typeof item>

/** Document for editors. */
export function formatSeedSchema(): string {
  const document = { $schema: 'https://json-schema.org/draft/2020-12/schema', title: 'Seed', ...closed(seedShape) }
  return `${JSON.stringify(document, undefined, 2)}\n`
}

/** No object takes members that are not named: a misspelled one would be missing without a word. */
function closed(schema: JsonSchema): JsonSchema {
  const { properties, items, ...rest } = schema
  if (items) return { ...rest, items: closed(items) }
  if (!properties) return schema
  const members = Object.entries(properties).map(([name, part]) => [name, closed(part)] as const)
  return { ...rest, properties: Object.fromEntries(members), additionalProperties: false }
}
