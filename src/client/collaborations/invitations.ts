import { type Answered, type Call, numberOf } from '../command-line/run.ts'
import { CommandError, refused, untried } from '../failure.ts'
import { requireWritable, writeWhole } from '../files/file.ts'
import { type Answer, type Connection, PortalRefused } from '../network/connection.ts'
import { isId, listAll, textOf } from '../network/facts.ts'
import { AnswerLost } from '../network/transport.ts'
import { formatTable } from '../output/text.ts'
import { confirm } from '../schemas/apply.ts'
import { parseAddress } from '../sign-in/target.ts'
import { findNamed, listNamed, openCollaboration, timeOf } from './collaborations.ts'

/** Hours until an invitation expires: fewest, most and usual ones (documented). */
const hours = [1, 72, 72] as const

/** The state of an invitation that has neither been answered nor invalidated (documented); names of others are not. */
const openState = 'host_created'

export async function listInvitations(call: Call): Promise<Answered> {
  const { connection, path } = await openCollaboration(call)
  const collaborationInvitations = await listAll(connection, `${path}/invitations`, 'collaborationInvitations', {}, {})
  const rows = collaborationInvitations.map(({ id, guestPortalUrl, status, expiration }) => [
    ...[id, guestPortalUrl, status].map(textOf),
    timeOf(expiration),
  ])
  return {
    json: { collaborationInvitations },
    text: formatTable(['id', 'guest', 'status', 'expires'], rows, call.shell),
  }
}

/** The invitation that the second argument names. */
async function openInvitation(call: Call) {
  const [, id] = call.positionals
  if (!isId(id)) throw untried(`${id} is no id of an invitation.`)
  const { connection, path: ofCollaboration, collaboration } = await openCollaboration(call)
  const path = `${ofCollaboration}/invitations/${id}`
  return { connection, path, collaboration, read: () => connection.call(path) }
}

export async function showInvitation(call: Call): Promise<Answered> {
  const { read, collaboration } = await openInvitation(call)
  const invitation = await read()
  const { id, guestPortalUrl, status, created, expiration, history } = invitation
  const events: readonly Answer[] = Array.isArray(history) ? history : []
  const rows = [
    ['id', textOf(id)],
    ['collaboration', `${collaboration.id} ${collaboration.name}`],
    ['guest', textOf(guestPortalUrl)],
    ['status', textOf(status)],
    ['created', timeOf(created)],
    ['expires', timeOf(expiration)],
    ...events.map(({ event, username, at }) => [textOf(event), `${timeOf(at)} ${textOf(username)}`]),
  ]
  return { json: invitation, text: formatTable(['property', 'value'], rows, call.shell) }
}

/** Invites a portal. It is asked for once: two requests would be two invitations. */
export async function create(call: Call): Promise<Answered> {
  const guest = call.text('guest')
  if (guest === undefined) throw untried('cartulary invitation create needs --guest <address>.')
  const guestPortalUrl = parseAddress(guest)
  const expiration = numberOf(call, 'hours', hours)
  requireWritable(call.text('output'))
  const { connection, path } = await openCollaboration(call)
  const all = await listNamed(connection, path, 'workspaces')
  const named = new Set(call.list('workspace').map((wanted) => findNamed(all, wanted).id))
  const ids = named.size > 0 ? [...named] : all.list.map(({ id }) => id)
  const access = call.text('access') ?? 'sendAndReceive'
  const collaborationWorkspacesParticipantConfigJSON = JSON.stringify(ids.map((id) => ({ [id]: access })))
  const parameters = { guestPortalUrl, expiration, collaborationWorkspacesParticipantConfigJSON }
  const unknown = 'It is not known whether the invitation was made; cartulary invitation list.'
  return keep(call, 'made', await takeFile(connection, `${path}/inviteParticipant`, unknown, parameters))
}

export async function refresh(call: Call): Promise<Answered> {
  requireWritable(call.text('output'))
  const { connection, path } = await openInvitation(call)
  const unknown = 'It is not known whether the invitation was refreshed; run the command again for its new file.'
  return keep(call, 'refreshed', await takeFile(connection, `${path}/refresh`, unknown))
}

/** Codes after which nothing was written; a proxy may answer with another one after the portal has written. */
const unwritten: ReadonlySet<number | null> = new Set([429, 498, 499, 503])

/** The file of an operation that is asked for once; `unknown` is said where no answer has whether it was done. */
async function takeFile(connection: Connection, path: string, unknown: string, parameters = {}): Promise<Buffer> {
  try {
    return await connection.download(path, parameters, { isWrite: true })
  } catch (error) {
    const isUntold = error instanceof CommandError && error.exit === 2 && !unwritten.has(error.portalCode)
    if (isUntold || error instanceof AnswerLost) throw refused(unknown, [error.message])
    throw error
  }
}

/** The file goes where it was asked for, byte for byte and for its owner alone, whatever name a portal gives it. */
function keep(call: Call, done: 'made' | 'refreshed', file: Buffer): Answered {
  const output = call.text('output')
  if (output === undefined) return { json: { file: file.toString() }, text: file }
  try {
    writeWhole(output, file, 0o600)
  } catch {
    const again = 'cartulary invitation refresh gives its file again.'
    throw refused(`The invitation was ${done}, and ${output} cannot be written; ${again}`)
  }
  return { json: { output }, text: `The invitation is in ${output}.` }
}

export async function invalidate(call: Call): Promise<Answered> {
  const { connection, path, read } = await openInvitation(call)
  const { status, guestPortalUrl } = await read()
  const url = textOf(guestPortalUrl)
  const text = `The invitation of ${url} is invalidated.`
  if (/invalid/i.test(textOf(status))) return { json: { success: true, status }, text }
  await confirm(call, `Invalidate the invitation of ${url}?`, URL.parse(url)?.hostname ?? url)
  let lost: Error | undefined
  try {
    await connection.call(`${path}/invalidate`, {}, { isWrite: true, isRepeatable: true })
  } catch (error) {
    if (!(error instanceof AnswerLost)) throw error
    lost = error
  }
  const { status: present } = await lookAfter(read, lost)
  // Accepted in the meantime, for instance.
  const isElse = present !== undefined && !/invalid/i.test(textOf(present))
  if (lost && isElse) throw untried(`${lost.message} The status of the invitation is ${textOf(present)}.`)
  if (present !== openState) return { json: { success: true, status: present }, text }
  throw refused(`The portal says success, and the invitation still is ${openState}.`)
}

/** The invitation after the write; without a state where it is gone. */
async function lookAfter(read: () => Promise<Answer>, lost: Error | undefined): Promise<Answer> {
  try {
    return await read()
  } catch (error) {
    if (error instanceof PortalRefused && error.exit === 1) return {}
    const reasons = [lost, error].flatMap((one) => (one instanceof Error ? one.message : []))
    throw refused('It is not known whether the invitation was invalidated; cartulary invitation show.', reasons)
  }
}
