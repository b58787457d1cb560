import { mapParsed } from '../../../call/parsed.ts'
import { accessModes, collaborationLimits } from '../../../collaborations/collaboration.ts'
import { countLevels } from '../../../json-text.ts'
import { collaborationAnswer, collaborationOf, exampleIds, generatedIds, singlePage } from '../../examples/examples.ts'
import { collaborationShape, collaborationToWire } from '../../shapes/collaborations/collaboration.ts'
import { pageOf, pageToWire } from '../../shapes/page.ts'
import { success, successShapeWith, successWith } from '../../shapes/success.ts'
import { type Endpoint, endpointsOf, runByIds } from '../endpoint.ts'
import { pageParameters } from '../page-parameters.ts'
import {
  changedName,
  optionalChoice,
  optionalName,
  optionalText,
  type Parameter,
  requiredName,
  Wrong,
} from '../parameter-types.ts'
import { changeOf } from '../partial-update.ts'
import { optionalEmail } from '../people/email-parameter.ts'

/** Who may call what of a collaboration, in the words of the table. */

const withPrivilege = 'and custom roles with portal:admin:manageCollaborations'

export const hostAdministrators = `Administrators of the host, ${withPrivilege}`
export const guestAdministrators = `Administrators of the guest, ${withPrivilege}`
export const eitherAdministrators = `Administrators of the host or of the guest, ${withPrivilege}`

const endpoint = endpointsOf('collaborations')

const { portalId, collaborationId } = exampleIds

const nameRules = { maxLength: collaborationLimits.name }
const descriptionRules = { maxLength: collaborationLimits.description }
const contactRules = { maxLength: collaborationLimits.contact }

const config = optionalText('JSON object with settings of the client, stored unchanged.', {
  maxLength: collaborationLimits.config,
})

const jsonConfig: Parameter<string | undefined> = { ...config, type: 'json', read: readConfig }

/** Collaborations. Their workspaces, participants and invitations have rows of their own. */
export const collaborationRows: readonly Endpoint[] = [
  endpoint({
    id: 'createCollaboration',
    title: 'Create collaboration',
    goals: ['Invite a partner'],
    path: '/portals/:portalId/createCollaboration',
    parameters: {
      name: requiredName('Name.', nameRules),
      description: optionalText('Description.', descriptionRules),
      workspaceName: requiredName('Name of the first workspace.', nameRules),
      workspaceDescription: optionalText('Description of the first workspace.', descriptionRules),
      portalGroupId: optionalText('Group of the host to link to the first workspace.', { maxLength: 32 }),
      hostContactFirstname: optionalName('First name of the contact for guests.', contactRules),
      hostContactLastname: optionalName('Last name of the contact for guests.', contactRules),
      hostContactEmailAddress: optionalEmail('E-mail address of the contact for guests.'),
      accessMode: optionalChoice(
        'Access mode of the host in the first workspace; default sendAndReceive.',
        accessModes,
      ),
      config: jsonConfig,
    },
    who: hostAdministrators,
    summary: 'Creates a collaboration with one workspace; the organization is its host.',
    answers: { json: successShapeWith({ collaboration: collaborationShape }) },
    example: {
      ids: { portalId },
      parameters: { name: 'Lakes', workspaceName: 'Shorelines', accessMode: 'send' },
      answer: {
        success: true,
        collaboration: collaborationOf({
          id: generatedIds.id,
          name: 'Lakes',
          description: '',
          config: { hostContactFirstname: '', hostContactLastname: '', hostContactEmailAddress: '' },
        }),
      },
    },
    async answer({ ids, input, dependencies, publicUrl, run }) {
      const properties = mapParsed(input, (values) => ({
        name: values.name,
        description: values.description ?? '',
        workspaceName: values.workspaceName,
        workspaceDescription: values.workspaceDescription ?? '',
        accessMode: values.accessMode ?? 'sendAndReceive',
        portalGroupId: values.portalGroupId || undefined,
        hostContact: {
          firstName: values.hostContactFirstname ?? '',
          lastName: values.hostContactLastname ?? '',
          email: values.hostContactEmailAddress ?? '',
        },
        config: values.config ?? '{}',
      }))
      const collaboration = await run({
        portalId: ids.portalId,
        collaborationId: dependencies.random.id(),
        workspaceId: dependencies.random.id(),
        portalUrl: publicUrl,
        properties,
      })
      return successWith({ collaboration: collaborationToWire(collaboration) })
    },
  }),
  endpoint({
    id: 'listCollaborations',
    title: 'Collaborations',
    path: '/portals/:portalId/collaborations',
    parameters: pageParameters,
    who: eitherAdministrators,
    summary: 'Collaborations that the organization hosts or participates in, newest first.',
    answers: { json: pageOf('collaborations', collaborationShape) },
    example: { ids: { portalId }, answer: singlePage('collaborations', [collaborationAnswer]) },
    async answer({ ids, input, run }) {
      const found = await run({ portalId: ids.portalId, page: input })
      return { json: pageToWire('collaborations', found, collaborationToWire) }
    },
  }),
  endpoint({
    id: 'readCollaboration',
    title: 'Collaboration',
    path: '/portals/:portalId/collaborations/:collaborationId',
    can: { id: 'collaborationId' },
    who: eitherAdministrators,
    summary: 'A collaboration that the organization hosts or participates in.',
    answers: { json: collaborationShape },
    example: { ids: { portalId, collaborationId }, answer: collaborationAnswer },
    answer: async ({ ids, run }) => ({ json: collaborationToWire(await run(ids)) }),
  }),
  endpoint({
    id: 'updateCollaboration',
    title: 'Update collaboration',
    path: '/portals/:portalId/collaborations/:collaborationId/updateInfo',
    parameters: {
      name: changedName('Name.', nameRules),
      description: optionalText('Description.', descriptionRules),
      config: jsonConfig,
    },
    who: hostAdministrators,
    summary: 'Changes the given properties; the others are unchanged.',
    example: {
      ids: { portalId, collaborationId },
      parameters: { description: 'Maps of the Alps, shared' },
      answer: { success: true },
    },
    async answer({ ids, input, run }) {
      await run({ ...ids, change: changeOf(input) })
      return success
    },
  }),
  endpoint({
    id: 'deleteCollaboration',
    title: 'Delete collaboration',
    goals: ['End the work with a partner'],
    path: '/portals/:portalId/collaborations/:collaborationId/delete',
    who: hostAdministrators,
    summary:
      'Deletes the collaboration with its workspaces, participants and invitations; responses can no longer be imported.',
    example: { ids: { portalId, collaborationId }, answer: { success: true } },
    answer: runByIds,
  }),
]

/** Refuses JSON that nests too deeply: it could be stored, but not written into an answer. */
function checkLevels(text: string): string | Wrong {
  const levels = countLevels(text)
  const { configLevels } = collaborationLimits
  return levels <= configLevels ? text : new Wrong(`has ${levels} levels; at most ${configLevels} are allowed.`)
}

function readConfig(given: string | undefined): string | undefined | Wrong {
  if (given === undefined || given.trim() === '') return undefined
  const checked = config.read(given)
  if (checked instanceof Wrong) return checked
  try {
    const value: unknown = JSON.parse(given)
    if (typeof value === 'object' && value !== null && !Array.isArray(value)) return checkLevels(given)
  } catch {
    // Refused below, like JSON that is not an object.
  }
  return new Wrong('is not a JSON object.')
}
