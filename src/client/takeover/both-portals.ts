import type { Call } from '../command-line/run.ts'
import { refused, untried } from '../failure.ts'
import { describeKind, type PortalFacts } from '../network/facts.ts'
import { type OpenPortal, openPortal } from '../portals/open.ts'
import type { Portal } from '../portals/portal.ts'
import type { PlannedPortal, TakeoverPlan } from './takeover-plan.ts'

/** The source, which is only read, and the target. */
export interface BothPortals {
  readonly source: OpenPortal
  readonly target: OpenPortal & { readonly facts: PortalFacts & { readonly user: NonNullable<PortalFacts['user']> } }
}

/** Opens both portals by their profiles; requests to the source are at most five a second. */
export async function openBoth(call: Call, from: string, to: string): Promise<BothPortals> {
  if (call.has('url') || call.has('profile')) throw untried('takeover has two portals: give --from and --to, profiles.')
  const source = await openPortal(ofProfile(call, from, call.text('rate') ?? '5'))
  const target = await openPortal(ofProfile(call, to, undefined))
  const { facts, portal } = target
  if (portal.kind !== 'cartulary') {
    throw untried(`A takeover goes into a Cartulary; ${portal.url} is ${describeKind(facts)}.`)
  }
  if (source.portal.portalId === portal.portalId && source.portal.url === portal.url) {
    throw untried(`--from and --to are one portal, ${portal.url}.`)
  }
  const { user } = facts
  // The default administrator alone chooses ids of items, by which none is made twice.
  if (user?.role !== 'org_admin') throw refused(`Into ${portal.url}, an administrator (org_admin) takes a portal over.`)
  return { source, target: { ...target, facts: { ...facts, user } } }
}

/** Opens the portals of a plan; others, under the same names, are refused. */
export async function openPlanned(call: Call, { from, to }: TakeoverPlan): Promise<BothPortals> {
  const both = await openBoth(call, call.text('from') ?? from.profile, call.text('to') ?? to.profile)
  for (const [planned, { portal }] of [[from, both.source] as const, [to, both.target] as const]) {
    if (planned.portalId === portal.portalId && (planned.kind !== 'enterprise' || planned.url === portal.url)) continue
    throw untried(
      `The plan is for ${planned.url}, organization ${planned.portalId}, and ${portal.url} is ${portal.portalId}.`,
    )
  }
  return both
}

export function describePortal({ url, portalId, kind }: Portal, profile: string): PlannedPortal {
  return { profile, url, portalId, kind }
}

/** The call as if it were for this profile alone: a token of the environment would go to both portals. */
function ofProfile(call: Call, profile: string, rate: string | undefined): Call {
  const named = Object.entries(call.shell.environment).filter(([name]) => !name.startsWith('CARTULARY_'))
  const texts: Readonly<Record<string, string | undefined>> = { profile, url: undefined, rate }
  return {
    ...call,
    shell: { ...call.shell, environment: Object.fromEntries(named) },
    text: (option) => (option in texts ? texts[option] : call.text(option)),
  }
}
