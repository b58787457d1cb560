import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { groupLimits, portalLimits } from '../../../src/categories/limits.ts'
import type { Move } from '../../../src/categories/moves.ts'
import type { Category } from '../../../src/categories/schema.ts'
import { CommandError } from '../../../src/client/failure.ts'
import { Connection } from '../../../src/client/network/connection.ts'
import { Transport } from '../../../src/client/network/transport.ts'
import { ArcgisPortal } from '../../../src/client/portals/arcgis/arcgis-portal.ts'
import { portalFolder } from '../../../src/client/portals/open.ts'
import type { Place } from '../../../src/client/portals/place.ts'
import type { SchemaChange } from '../../../src/client/portals/portal.ts'
import { ArcgisPortal as Stub } from '../../support/arcgis/arcgis-portal.ts'
import type { PortalKind, Quirks } from '../../support/arcgis/world.ts'
import { Secrets } from '../secrets.ts'

export const kinds = ['online', 'enterprise'] as const

/** A portal of tests, and the client's side of it; the client waits on no clock. */
export class Stage implements AsyncDisposable {
  readonly stub: Stub
  readonly folder: string
  readonly said: string[] = []
  /** Milliseconds that the client waited. */
  readonly waited: number[] = []
  readonly #transport: Transport

  private constructor(stub: Stub, folder: string) {
    this.stub = stub
    this.folder = folder
    const signal = new AbortController().signal
    this.#transport = new Transport({ environment: {}, signal, timeoutSeconds: 600 })
  }

  static async open(kind: PortalKind, quirks: Quirks = {}): Promise<Stage> {
    return new Stage(await Stub.open(kind, quirks), await mkdtemp(join(tmpdir(), 'cartulary-arcgis-')))
  }

  /** The client as a command opens it: what it knows of earlier ones is in files. */
  client(token = this.stub.tokenOf('anna'), home = this.folder): ArcgisPortal {
    const wait = async (milliseconds: number) => void this.waited.push(milliseconds)
    const settings = { url: this.stub.url, transport: this.#transport, retries: 0, wait, token: async () => token }
    const { kind, id, name } = this.stub
    const facts = {
      kind,
      version: '11.5',
      extensions: [],
      portalId: id,
      name,
      user: null,
      app: undefined,
      privileges: [],
    }
    return new ArcgisPortal({
      connection: new Connection(settings),
      facts,
      folder: portalFolder({ environment: { XDG_STATE_HOME: home } }, { kind, portalId: id, url: this.stub.url }),
      say: (sentence) => this.said.push(sentence),
      now: () => this.stub.now(),
    })
  }

  get org(): Place {
    const { id, name } = this.stub
    return { key: 'org', path: `/portals/${id}`, groupId: undefined, title: name, limits: portalLimits }
  }

  group(): Place {
    const { id, title } = this.stub.addGroup('Maps', 'anna')
    return { key: `group:${id}`, path: `/community/groups/${id}`, groupId: id, title, limits: groupLimits }
  }

  /** An item with these categories, in the group where the place is one. */
  item(place: Place, ...categories: string[]) {
    const item = this.stub.addItem(place.groupId === undefined ? { categories } : {})
    if (place.groupId !== undefined) item.inGroups.set(place.groupId, categories)
    this.stub.index.update(item)
    return item
  }

  /** Categories of the place that each item has, in the order in which they were added. */
  categories(place: Place): readonly (readonly string[])[] {
    const { items } = this.stub
    return [...items.values()].map((item) =>
      place.groupId === undefined ? item.categories : (item.inGroups.get(place.groupId) ?? []),
    )
  }

  put(place: Place, trees: readonly Category[]): void {
    this.stub.schemas.set(place.groupId ?? this.stub.id, structuredClone({ categorySchema: trees }) as never)
  }

  /** The change from what the portal has now. */
  async change(place: Place, trees: readonly Category[], moves: readonly Move[] = []): Promise<SchemaChange> {
    const before = await this.client().read(place)
    return { place, before, after: { categorySchema: trees }, moves, vanishing: 'keep' }
  }

  /** The client showed no token: not in its words, its files or an address. */
  async [Symbol.asyncDispose](): Promise<void> {
    const secrets = new Secrets()
    secrets.add(...this.stub.tokens.keys())
    const shown = [...this.said, ...this.stub.calls.map(({ address }) => address)].join('\n')
    secrets.requireHidden('the client', shown, this.folder)
    await this.stub[Symbol.asyncDispose]()
    await rm(this.folder, { recursive: true })
  }
}

/** A category with these subcategories. */
export function tree(title: string, ...categories: (string | Category)[]): Category {
  return { title, categories: categories.map((one) => (typeof one === 'string' ? { title: one } : one)) }
}

/** Exit code, sentence and details of the refusal; 0 where there is none. */
export async function outcome(action: Promise<unknown>): Promise<readonly [exit: number, ...sentences: string[]]> {
  try {
    await action
    return [0]
  } catch (error) {
    if (error instanceof CommandError) return [error.exit, error.message, ...error.details]
    throw error
  }
}
