import type { Parameters } from '../support/portal/portal.ts'
import { aSchema } from '../support/portal/schema-builder.ts'
import type { Answer, Ledger, Owner, Wish } from './ledger.ts'

/** Sends one POST as the administrator; undefined where the server ended before it answered. */
export type Door = (path: string, parameters: Parameters) => Promise<Answer | undefined>

/** What the clients change: category schemas, and the invitations of one collaboration. */
export interface Scene {
  readonly owners: readonly Owner[]
  /** Path of the collaboration. */
  readonly collaboration: string
  readonly workspaceId: string
}

/** Makes two groups and a collaboration in a new organization. */
export async function setScene(door: Door): Promise<Scene> {
  const ask = async (path: string, parameters: Parameters = {}) => {
    const answer = await door(path, parameters)
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

/** Clients that change one scene, each without a pause, and write down what they know. */
export interface Clients {
  readonly scene: Scene
  readonly door: Door
  readonly ledger: Ledger
  random(): number
  /** Told of every answer. */
  answered(): void
  isOver(): boolean
}

const writersOfOwner = 2
const inviters = 2

/** Resolves when all of them have stopped, because it is over or because the server does not answer any more. */
export async function changeScene(clients: Clients): Promise<void> {
  const writers = clients.scene.owners.flatMap((owner) =>
    Array.from({ length: writersOfOwner }, () => replaceSchemas(clients, owner)),
  )
  await Promise.all([...writers, ...Array.from({ length: inviters }, () => inviteAndTakeBack(clients))])
}

/** Assigns schemas, each another one, and deletes some of them. */
async function replaceSchemas(clients: Clients, owner: Owner): Promise<void> {
  while (!clients.isOver()) {
    const assigns = clients.random() < 0.7
    const wish: Wish = assigns ? { kind: 'assign', owner, document: nextDocument(clients) } : { kind: 'delete', owner }
    if (!(await carryOut(clients, wish))) return
  }
}

/** Invites, and takes most invitations back, by two requests at once. */
async function inviteAndTakeBack(clients: Clients): Promise<void> {
  while (!clients.isOver()) {
    const invited = await carryOut(clients, { kind: 'invite' })
    if (!invited) return
    const { id: invitationId } = JSON.parse(invited.text).invitationRequest
    if (clients.random() < 0.2) continue
    const wish: Wish = { kind: 'invalidate', invitationId }
    await Promise.all([carryOut(clients, wish), carryOut(clients, wish)])
  }
}

/** One more assign; false where no answer came. */
export async function assignOnce(clients: Clients): Promise<boolean> {
  const [owner] = clients.scene.owners
  const wish: Wish = { kind: 'assign', owner: owner!, document: nextDocument(clients) }
  return (await carryOut(clients, wish)) !== undefined
}

async function carryOut({ scene, door, ledger, answered }: Clients, wish: Wish): Promise<Answer | undefined> {
  const number = ledger.send(wish)
  const answer = await door(...requestOf(scene, wish))
  if (!answer) return undefined
  if (!answer.isDone && !mayBeRefused(wish, answer)) throw new Error(`${wish.kind} was refused: ${answer.text}`)
  ledger.answer(number, answer)
  answered()
  return answer
}

/** Only a schema that is not there cannot be deleted. */
function mayBeRefused({ kind }: Wish, { text }: Answer): boolean {
  return kind === 'delete' && JSON.parse(text).error.code === 404
}

function requestOf({ collaboration, workspaceId }: Scene, wish: Wish): [path: string, parameters: Parameters] {
  switch (wish.kind) {
    case 'assign':
      return [`${pathOf(wish.owner)}/assignCategorySchema`, { categorySchema: wish.document }]
    case 'delete':
      return [`${pathOf(wish.owner)}/deleteCategorySchema`, {}]
    case 'invite':
      return [
        `${collaboration}/inviteParticipant`,
        {
          guestPortalUrl: 'https://guest.example.org/portal',
          collaborationWorkspacesParticipantConfigJSON: [{ [workspaceId]: 'send' }],
        },
      ]
    case 'invalidate':
      return [`${collaboration}/invitations/${wish.invitationId}/invalidate`, {}]
  }
}

/** Another one each time; some fill more than a page of the database. */
function nextDocument({ ledger, random }: Clients): string {
  const title = `Schema ${ledger.deeds('assign').length + 1}`
  const length = random() < 0.2 ? 150 : 5
  const categories = Array.from({ length }, (_, index) => ({ title: `${title} category ${index}` }))
  return JSON.stringify(aSchema({ title, categories }))
}
