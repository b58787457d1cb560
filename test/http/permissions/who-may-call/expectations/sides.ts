import type { Fixture } from '../../../../support/portal/actors.ts'
import type { Hosted } from '../../../../support/portal/hosted.ts'
import type { Parameters } from '../../../../support/portal/portal.ts'
import { type Case, idsOf, inEitherOrganization } from './case.ts'
import { type Expected, forbidden, governors, insiders, notFound, ok, signedOut } from './outcomes.ts'

/** Host and guest: who of both may call, by the portal in the path and by who hosts the collaboration. */

/** "Administrators of the host", or of the guest: of the portal in the path. */
const managed: Expected = { ...signedOut, outsider: notFound, ...insiders(forbidden), ...governors }

/** Outcomes where the resource does not exist: a caller who may not manage learns no more than otherwise. */
const missing: Expected = {
  ...managed,
  holder: notFound,
  everything: notFound,
  administrator: notFound,
}

/** Below a portal that the insiders do not see, and where the outsider has the thing. */
const outsiders: Expected = { ...signedOut, outsider: ok, ...insiders(notFound) }
/** Outcomes where the outsider does not have it either. */
const nobodys: Expected = { ...outsiders, outsider: notFound }

const manages = { privileges: ['portal:admin:manageCollaborations'] } as const

/** Call of a row of one or of both sides. */
export interface SidedRow {
  /** The resource, in words. */
  readonly on: string
  /** Ids of it, where they are not those of the shared collaboration. */
  readonly ids?: (hosted: Hosted) => Readonly<Record<string, string>>
  /** Parameters with which the call succeeds. */
  readonly parameters?: (hosted: Hosted, as: 'host' | 'guest') => Parameters
}

interface Ownership {
  readonly whose: 'ours' | 'theirs'
  readonly portal: 'portalId' | 'otherPortalId'
}

/** Calls the row on a resource of one of two hosts, through the path of one of both. */
function through(row: SidedRow, { whose, portal }: Ownership): Omit<Case, 'on' | 'expected'> {
  const { ids = idsOf, parameters } = row
  const isHost = (whose === 'ours') === (portal === 'portalId')
  return {
    ids: (fixture) => ({ portalId: fixture[portal], ...ids(fixture[whose]) }),
    ...(parameters ? { parameters: (fixture: Fixture) => parameters(fixture[whose], isHost ? 'host' : 'guest') } : {}),
    ...manages,
  }
}

/** A row of the portal in the path, whichever portal hosts; in a public organization the outsider learns that it exists. */
export function inOrganization(row: Omit<Case, 'expected' | 'privileges'>): readonly Case[] {
  return inEitherOrganization({ ...row, ...manages, expected: managed })
}

const whereWeHost = { whose: 'ours', portal: 'portalId' } as const
const whereWeAreGuests = { whose: 'theirs', portal: 'portalId' } as const
const whereTheyHost = { whose: 'theirs', portal: 'otherPortalId' } as const
const whereTheyAreGuests = { whose: 'ours', portal: 'otherPortalId' } as const

/** Resources of the host alone: its guest does not have them, be it through its own path or the host's. */
export function onHost(row: SidedRow): readonly Case[] {
  const { on } = row
  return [
    ...inOrganization({ on, ...through(row, whereWeHost) }),
    { on: `${on}, through the guest's organization`, ...through(row, whereTheyAreGuests), expected: nobodys },
    { on: `${on}, where the organization is guest`, ...through(row, whereWeAreGuests), expected: missing },
    { on: `${on}, by the guest through the host's organization`, ...through(row, whereTheyHost), expected: outsiders },
  ]
}

/** Resources of the guest alone: the host does not have them. */
export function onGuest(row: SidedRow): readonly Case[] {
  const { on } = row
  return [
    ...inOrganization({ on, ...through(row, whereWeAreGuests) }),
    { on: `${on}, through the host's organization`, ...through(row, whereTheyHost), expected: nobodys },
    { on: `${on}, where the organization is host`, ...through(row, whereWeHost), expected: missing },
    {
      on: `${on}, by the host through the guest's organization`,
      ...through(row, whereTheyAreGuests),
      expected: outsiders,
    },
    unaccepted(row),
  ]
}

/** Resources of host and guest, each through its own path. */
export function onBoth(row: SidedRow): readonly Case[] {
  const { on } = row
  return [
    ...inOrganization({ on, ...through(row, whereWeHost) }),
    ...inOrganization({ on: `${on}, where the organization is guest`, ...through(row, whereWeAreGuests) }),
    {
      on: `${on}, by the host through the guest's organization`,
      ...through(row, whereTheyAreGuests),
      expected: outsiders,
    },
    { on: `${on}, by the guest through the host's organization`, ...through(row, whereTheyHost), expected: outsiders },
    unaccepted(row),
  ]
}

/** An invitation alone makes no portal a guest. */
function unaccepted({ ids = idsOf, ...row }: SidedRow): Case {
  const collaboration = (hosted: Hosted) => ({ ...ids(hosted), collaborationId: hosted.pendingCollaborationId })
  return {
    on: `${row.on}, where the organization is invited only`,
    ...through({ ...row, ids: collaboration }, whereWeAreGuests),
    expected: missing,
  }
}

/** A resource of a collaboration is not found through another one of the same host. */
export function besides(row: SidedRow): Case {
  const ids = (hosted: Hosted) => ({ ...idsOf(hosted), collaborationId: hosted.answeredCollaborationId })
  return {
    on: `${row.on}, through another collaboration of the same host`,
    ...through({ ...row, ids }, whereWeHost),
    expected: missing,
  }
}

/** Nor through one of another host, be it the caller's own. */
export function within(row: SidedRow): readonly Case[] {
  const { on } = row
  const elsewhere = (fixture: Fixture, portal: Ownership['portal'], one: Hosted, other: Hosted) => ({
    ...idsOf(other),
    portalId: fixture[portal],
    collaborationId: one.collaborationId,
  })
  return [
    besides(row),
    {
      on: `${on} of another host, through the organization's own collaboration`,
      ...through(row, whereWeHost),
      ids: (fixture) => elsewhere(fixture, 'portalId', fixture.ours, fixture.theirs),
      expected: missing,
    },
    {
      on: `${on}, through the outsider's own collaboration`,
      ...through(row, whereTheyHost),
      ids: (fixture) => elsewhere(fixture, 'otherPortalId', fixture.theirs, fixture.ours),
      expected: nobodys,
    },
  ]
}
