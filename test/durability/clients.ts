import type { Parameters } from '../support/portal/portal.ts'
import { aSchema } from '../support/portal/schema-builder.ts'
import type { Answer, ClientRequest, Ledger, Owner } from './ledger.ts'

/** Sends one POST as the administrator; undefined where the server ended before it answered. */
export type Post = (path: string, parameters: Parameters) => Promise<Answer | undefined>

/** Objects that clients change: category schemas, and the invitations of one collaboration. */
export interface Fixture {
  readonly owners: readonly Owner[]
  /** Path of the collaboration. */
  readonly collaboration: string
  readonly workspaceId: string
}

/** Makes two groups and a collaboration in a new organization. */
export async function createFixture(post: Post): Promise<Fixture> {
  const ask = async (path: string, parameters: Parameters = {}) => {
    const answer = await post(path, parameters)
    if (!answer?.isDone) throw new Error(`${path} was refused: ${answer?.text}`)
    return JSON.parse(answer.text)
  }
  const { id: portalId } = await ask('/portals/self')
  const groups = [
    await ask('/community/createGroup', { title: 'Land cover' }),
    await ask('/community/createGroup', { title: 'Water' }),
  ]
  const alpine = { name: 'Alpine maps', workspaceName: 'Base maps' }
  const { collaboration } = await ask('/portals/self/createCollaboration', alpine)
  const path = `/portals/self/collaborations/${collaboration.id}`
  const { workspaces } = await ask(`${path}/workspaces`)
  return {
    owners: [...groups.map(({ group }): Owner => ({ kind: 'group', id: group.id })), { kind: 'portal', id: portalId }],
    collaboration: path,
    workspaceId: workspaces[0].id,
  }
}

export function pathOf({ kind, id }: Owner): string {
  return kind === 'group' ? `/community/groups/${id}` : `/portals/${id}`
}

/** Clients that change what is in one fixture, each without a pause, and record what they know. */
export interface Clients {
  readonly fixture: Fixture
  readonly post: Post
  readonly ledger: Ledger
  random(): number
  /** Called at every answer. */
  answered(): void
  isOver(): boolean
}

const writersOfOwner = 2
const inviters = 2

/** Resolves when all of them have stopped, because it is over or because the server does not answer any more. */
export async function changeFixture(clients: Clients): Promise<void> {
  const writers = clients.fixture.owners.flatMap((owner) =>
    Array.from({ length: writersOfOwner }, () => replaceSchemas(clients, owner)),
  )
  await Promise.all([...writers, ...Array.from({ length: inviters }, () => inviteAndTakeBack(clients))])
}

/** Assigns schemas, each another one, and deletes some of them. */
async function replaceSchemas(clients: Clients, owner: Owner): Promise<void> {
  while (!clients.isOver()) {
    const assigns = clients.random() < 0.7
    const request: ClientRequest = assigns
      ? { kind: 'assign', owner, document: nextDocument(clients) }
      : { kind: 'delete', owner }
    if (!(await carryOut(clients, request))) return
  }
}

/** Invites, and takes most invitations back, by two concurrent requests. */
async function inviteAndTakeBack(clients: Clients): Promise<void> {
  while (!clients.isOver()) {
    const invited = await carryOut(clients, { kind: 'invite' })
    if (!invited) return
    const { id: invitationId } = JSON.parse(invited.text).invitationRequest
    if (clients.random() < 0.2) continue
    const request: ClientRequest = { kind: 'invalidate', invitationId }
    await Promise.all([carryOut(clients, request), carryOut(clients, request)])
  }
}

/** One more assign; false where no answer came. */
export async function assignOnce(clients: Clients): Promise<boolean> {
  const [owner] = clients.fixture.owners
  const request: ClientRequest = { kind: 'assign', owner: owner!, document: nextDocument(clients) }
  return (await carryOut(clients, request)) !== undefined
}

async function carryOut(
  { fixture, post, ledger, answered }: Clients,
  request: ClientRequest,
): Promise<Answer | undefined> {
  const number = ledger.send(request)
  const answer = await post(...partsOf(fixture, request))
  if (!answer) return undefined
  if (!answer.isDone && !mayBeRefused(request, answer)) throw new Error(`${request.kind} was refused: ${answer.text}`)
  ledger.answer(number, answer)
  answered()
  return answer
}

/** Only a schema that is not there cannot be deleted. */
function mayBeRefused({ kind }: ClientRequest, { text }: Answer): boolean {
  return kind === 'delete' && JSON.parse(text).error.code === 404
}

function partsOf(
  { collaboration, workspaceId }: Fixture,
  request: ClientRequest,
): [path: string, parameters: Parameters] {
  switch (request.kind) {
    case 'assign':
      return [`${pathOf(request.owner)}/assignCategorySchema`, { categorySchema: request.document }]
    case 'delete':
      return [`${pathOf(request.owner)}/deleteCategorySchema`, {}]
    case 'invite':
      return [
        `${collaboration}/inviteParticipant`,
        {
          guestPortalUrl: 'https://guest.example.org/portal',
          collaborationWorkspacesParticipantConfigJSON: [{ [workspaceId]: 'send' }],
        },
      ]
    case 'invalidate':
      return [`${collaboration}/invitations/${request.invitationId}/invalidate`, {}]
  }
}

/** Another one each time; some fill more than a page of the database. */
function nextDocument({ ledger, random }: Clients): string {
  const title = `Schema ${ledger.exchanges('assign').length + 1}`
  const length = random() < 0.2 ? 150 : 5
  const categories = Array.from({ length }, (_, index) => ({ title: `${title} category ${index}` }))
  return JSON.stringify(aSchema({ title, categories }))
}
