import { mapParsed, type Parsed } from '../../call/parsed.ts'
import { isPrivilege, type Privilege, privilegeMeanings } from '../../call/privilege.ts'
import { roleLimits } from '../../directory/role.ts'
import { exampleIds, generatedIds, roleAnswer, singlePage } from '../examples/examples.ts'
import { roleShape, roleToWire } from '../shapes/directory/role.ts'
import { pageOf, pageToWire } from '../shapes/page.ts'
import { list, object, shortId, text } from '../shapes/shape.ts'
import { success, successShapeWith, successWith } from '../shapes/success.ts'
import { type Endpoint, endpointsOf, runByIds } from './endpoint.ts'
import { pageParameters } from './page-parameters.ts'
import { optionalName, optionalText, requiredJson, requiredName } from './parameter-types.ts'
import { changeOf, clearEmptyFields } from './partial-update.ts'

const endpoint = endpointsOf('directory')

const { portalId, roleId } = exampleIds
const ids = { portalId, roleId }

/** `{"privileges":["portal:user:createGroup"]}` → privileges, each once. */
function parsePrivileges(value: unknown): Parsed<readonly Privilege[]> {
  const listed = typeof value === 'object' && value !== null && 'privileges' in value ? value.privileges : undefined
  if (!Array.isArray(listed)) return { problems: ['has no list "privileges".'] }
  const privileges = [...new Set(listed.filter((entry) => typeof entry === 'string' && isPrivilege(entry)))]
  const unknown = listed.findIndex((entry) => !privileges.includes(entry))
  return unknown === -1 ? { value: privileges } : { problems: [`/privileges/${unknown} is not a privilege.`] }
}

/** Privileges that are accepted and do nothing here, in one sentence. */
function findIdle(privileges: readonly Privilege[]): readonly string[] {
  const idle = privileges.filter((privilege) => privilegeMeanings[privilege] === undefined)
  return idle.length === 0 ? [] : [`Without effect here: ${idle.join(', ')}.`]
}

const namesDiffer =
  'No two roles have one name, those of the built-in ones included: case, width, what is not seen and outer blanks do not count.'

/** Custom roles of an organization. */
export const roleRows: readonly Endpoint[] = [
  endpoint({
    id: 'listRoles',
    title: 'Roles',
    path: '/portals/:portalId/roles',
    parameters: pageParameters,
    who: 'Members of the organization',
    summary: 'The custom roles of the organization, sorted by name.',
    answers: { json: pageOf('roles', roleShape) },
    example: { ids: { portalId }, answer: singlePage('roles', [roleAnswer]) },
    async answer({ ids, input, run }) {
      return { json: pageToWire('roles', await run({ portalId: ids.portalId, page: input }), roleToWire) }
    },
  }),
  endpoint({
    id: 'createRole',
    title: 'Create role',
    goals: ['Give a person a role or privileges'],
    path: '/portals/:portalId/createRole',
    parameters: {
      name: requiredName('Name.', { maxLength: roleLimits.name }),
      description: optionalText('Description.', { maxLength: roleLimits.description }),
    },
    who: 'Administrators, and custom roles with portal:admin:manageRoles',
    summary: 'Creates a custom role without privileges.',
    chosen: [namesDiffer],
    answers: { json: successShapeWith({ id: shortId() }) },
    example: { ids: { portalId }, parameters: { name: 'Host' }, answer: { success: true, id: generatedIds.shortId } },
    async answer({ ids, input, dependencies, run }) {
      const roleId = dependencies.random.shortId()
      const properties = mapParsed(input, ({ name, description = '' }) => ({ name, description }))
      await run({ portalId: ids.portalId, roleId, properties })
      return successWith({ id: roleId })
    },
  }),
  endpoint({
    id: 'readRole',
    title: 'Role',
    path: '/portals/:portalId/roles/:roleId',
    who: 'Members of the organization',
    summary: 'A custom role.',
    answers: { json: roleShape },
    example: { ids, answer: roleAnswer },
    answer: async ({ ids, run }) => ({ json: roleToWire(await run(ids)) }),
  }),
  endpoint({
    id: 'readRolePrivileges',
    title: 'Privileges',
    task: 'read privileges',
    path: '/portals/:portalId/roles/:roleId/privileges',
    who: 'Members of the organization',
    summary: 'The privileges of the role.',
    answers: { json: object({ id: shortId(), privileges: list(text()) }) },
    example: { ids, answer: { id: roleId, privileges: ['portal:admin:updateItemCategorySchema'] } },
    async answer({ ids, run }) {
      const { roleId, privileges } = await run(ids)
      return { json: { id: roleId, privileges }, warnings: findIdle(privileges) }
    },
  }),
  endpoint({
    id: 'setRolePrivileges',
    title: 'Set privileges',
    task: 'set privileges',
    goals: ['Give a person a role or privileges'],
    path: '/portals/:portalId/roles/:roleId/setPrivileges',
    parameters: {
      privileges: {
        ...requiredJson('{"privileges":["portal:…"]}: all privileges of the role.', parsePrivileges),
      },
    },
    who: 'Default administrators only',
    summary: 'Replaces the privileges of the role, effective immediately.',
    chosen: [
      'All privileges of the public API are accepted; docs/privileges.md lists what each allows, and which are without effect.',
      'Privileges over users (changeUserRoles, disableUsers, deleteUsers, updateUsers, reassignUsers) reach only users all of whose administrative privileges the caller holds, and no default administrator.',
      'Privileges over groups reach further than their names: with updateGroups a member of a group can become its manager, with reassignGroups any user its owner, and then assign its category schema.',
    ],
    example: {
      ids,
      parameters: { privileges: '{"privileges":["portal:user:createGroup","portal:admin:updateItemCategorySchema"]}' },
      answer: { success: true },
    },
    async answer({ ids, input, run }) {
      await run({ ...ids, privileges: mapParsed(input, ({ privileges }) => privileges) })
      return { ...success, warnings: 'value' in input ? findIdle(input.value.privileges) : [] }
    },
  }),
  endpoint({
    id: 'updateRole',
    title: 'Update role',
    path: '/portals/:portalId/roles/:roleId/update',
    parameters: {
      name: optionalName('Name.', { maxLength: roleLimits.name }),
      description: optionalText('Description.', { maxLength: roleLimits.description }),
      clearEmptyFields,
    },
    who: 'Administrators, and custom roles with portal:admin:manageRoles and all privileges of the role',
    summary: 'Changes the given properties; the others are unchanged.',
    chosen: [namesDiffer],
    example: { ids, parameters: { description: 'Keeps the categories' }, answer: { success: true } },
    async answer({ ids, input, run }) {
      await run({ ...ids, change: changeOf(input, 'name') })
      return success
    },
  }),
  endpoint({
    id: 'deleteRole',
    title: 'Delete role',
    path: '/portals/:portalId/roles/:roleId/delete',
    who: 'Administrators, and custom roles with portal:admin:manageRoles and all privileges of the role',
    summary: 'Deletes the role; refused while it is assigned to a user.',
    example: { ids, answer: { success: true } },
    answer: runByIds,
  }),
]
