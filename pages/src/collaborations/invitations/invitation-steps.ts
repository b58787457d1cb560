import type { AccessMode } from '../../../../src/collaborations/collaboration.ts'
import { maxHours } from '../../../../src/collaborations/invitation.ts'
import { completeAddress, type Scheme } from './guest-address.ts'

/** Steps of an invitation, in order. Without DOM. */

export const steps = ['guest', 'access', 'end', 'summary'] as const
export type StepName = (typeof steps)[number]

/** Answers of the person. */
export interface InvitationAnswers {
  /** Address of the guest, as typed. */
  readonly address: string
  /** Scheme of the address, unless one was typed. */
  readonly scheme: Scheme
  /** Access mode of the guest by workspace. */
  readonly access: ReadonlyMap<string, AccessMode>
  readonly hours: number
}

/** Missing answer of a step. */
export type StepProblem = 'noAddress' | 'noWorkspace' | 'noHours'

export function findProblem(
  step: StepName,
  { address, scheme, access, hours }: InvitationAnswers,
): StepProblem | undefined {
  if (step === 'guest' && !completeAddress(address, scheme)) return 'noAddress'
  if (step === 'access' && access.size === 0) return 'noWorkspace'
  if (step === 'end' && !(Number.isInteger(hours) && hours >= 1 && hours <= maxHours)) return 'noHours'
  return undefined
}

/** Step that is requested; an earlier one if that has not been answered. */
export function stepFor(wanted: string | null, answers: InvitationAnswers): StepName {
  const position = Math.max(0, steps.indexOf(wanted as StepName))
  const open = steps.findIndex((step) => findProblem(step, answers) !== undefined)
  return steps[open < 0 ? position : Math.min(open, position)]!
}
