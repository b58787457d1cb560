import type { Answered, Call } from './command-line/run.ts'
import type { CommandName } from './command-line/table.ts'

type Program = (call: Call) => Promise<Answered>

/** Programs of the commands, each loaded when it runs: modules that others need are not. */
export const programs: Readonly<Record<CommandName, Program>> = {
  login: async (call) => (await import('./sign-in/login.ts')).login(call),
  logout: async (call) => (await import('./sign-in/login.ts')).logout(call),
  whoami: async (call) => (await import('./sign-in/login.ts')).whoami(call),
  'schema get': async (call) => (await import('./schemas/get.ts')).get(call),
  'schema validate': async (call) => (await import('./schemas/get.ts')).validate(call),
  'schema inspect': async (call) => (await import('./schemas/inspect.ts')).inspect(call),
  'schema lint': async (call) => (await import('./schemas/inspect.ts')).lint(call),
  'schema test': async (call) => (await import('./schemas/inspect.ts')).test(call),
  'schema plan': async (call) => (await import('./schemas/plan.ts')).plan(call),
  'schema drift': async (call) => (await import('./schemas/plan.ts')).plan(call),
  'schema apply': async (call) => (await import('./schemas/apply.ts')).apply(call),
  'schema propose': async (call) => (await import('./schemas/apply.ts')).propose(call),
  'schema diff': async (call) => (await import('./schemas/get.ts')).diff(call),
  'schema history': async (call) => (await import('./schemas/history.ts')).history(call),
  'schema restore': async (call) => (await import('./schemas/history.ts')).restore(call),
  'schema delete': async (call) => (await import('./schemas/history.ts')).remove(call),
  'item categorize': async (call) => (await import('./items/categorize.ts')).categorize(call),
  'item export': async (call) => (await import('./items/export.ts')).exportItems(call),
  'item uncategorized': async (call) => (await import('./items/export.ts')).listUncategorized(call),
  'item revert': async (call) => (await import('./items/revert.ts')).revert(call),
  'takeover plan': async (call) => (await import('./takeover/plan.ts')).plan(call),
  'takeover apply': async (call) => (await import('./takeover/apply.ts')).apply(call),
  'takeover status': async (call) => (await import('./takeover/apply.ts')).status(call),
  'takeover verify': async (call) => (await import('./takeover/verify.ts')).verify(call),
  'takeover undo': async (call) => (await import('./takeover/undo.ts')).undo(call),
  'invitation list': async (call) => (await import('./collaborations/invitations.ts')).listInvitations(call),
  'invitation show': async (call) => (await import('./collaborations/invitations.ts')).showInvitation(call),
  'invitation create': async (call) => (await import('./collaborations/invitations.ts')).create(call),
  'invitation refresh': async (call) => (await import('./collaborations/invitations.ts')).refresh(call),
  'invitation invalidate': async (call) => (await import('./collaborations/invitations.ts')).invalidate(call),
  'collaboration list': async (call) => (await import('./collaborations/collaborations.ts')).listCollaborations(call),
  'collaboration show': async (call) => (await import('./collaborations/collaborations.ts')).showCollaboration(call),
  audit: async (call) => (await import('./audit/audit.ts')).audit(call),
  'template list': async (call) => (await import('./schemas/templates.ts')).listTemplates(call),
  'template show': async (call) => (await import('./schemas/templates.ts')).showTemplate(call),
  completion: async (call) => (await import('./command-line/completion.ts')).completion(call),
}
