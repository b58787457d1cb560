import type { Case, Expectations } from './case.ts'
import { forbidden, governors, insiders, notFound, signedOut } from './outcomes.ts'

/** "Administrator of the host": what belongs to another organization is not there for the outsider. */
const hosts = { ...signedOut, outsider: notFound, ...insiders(forbidden), ...governors } as const

const privileges = ['portal:admin:manageCollaborations'] as const

/** On the host, and through another organization's path: there the collaboration is not, whoever asks. */
export function onHost(on: string, parameters: Pick<Case, 'parameters'> = {}): readonly Case[] {
  return [
    { on, ...parameters, privileges, expected: hosts },
    {
      on: `${on}, through another organization`,
      ...parameters,
      ids: ({ otherPortalId }) => ({ portalId: otherPortalId }),
      privileges,
      expected: { ...signedOut, outsider: notFound, ...insiders(notFound) },
    },
  ]
}

/** What belongs to a collaboration is not there through any other, be it of the same host or the caller's own. */
export function onHostWithin(on: string): readonly Case[] {
  return [
    ...onHost(on),
    {
      on: `${on}, through another collaboration`,
      ids: ({ otherCollaborationId }) => ({ collaborationId: otherCollaborationId }),
      privileges,
      expected: { ...hosts, holder: notFound, everything: notFound, administrator: notFound },
    },
    {
      on: `${on}, through a collaboration of another organization`,
      ids: ({ otherPortalId, outsidersCollaborationId }) => ({
        portalId: otherPortalId,
        collaborationId: outsidersCollaborationId,
      }),
      privileges,
      expected: { ...signedOut, outsider: notFound, ...insiders(notFound) },
    },
  ]
}

const inOrganization = {
  on: 'the organization',
  privileges,
  expected: hosts,
} as const

/** Collaborations and their workspaces. */
export const collaborationExpectations: Expectations = {
  createCollaboration: [{ ...inOrganization, parameters: () => ({ name: 'Coastal maps', workspaceName: 'Depths' }) }],
  collaborations: [inOrganization],
  collaboration: onHost('a collaboration'),
  workspaces: onHost('a collaboration'),
  workspace: onHostWithin('a workspace'),
}
