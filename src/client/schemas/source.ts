import type { SchemaLimits } from '../../categories/limits.ts'
import type { CategorySchema } from '../../categories/schema.ts'
import { findNearest, withHint } from '../../spelling.ts'
import type { Call } from '../command-line/run.ts'
import { refused, untried } from '../failure.ts'
import { readSchemaFile } from '../files/read-file.ts'
import type { Answer } from '../network/connection.ts'
import { describeKind } from '../network/facts.ts'
import { type OpenPortal, openPortal } from '../portals/open.ts'
import { type Place, parsePlace } from '../portals/place.ts'
import { schemaOf } from '../portals/portal.ts'

/** A schema that a place names. */
export interface Source {
  readonly schema: CategorySchema
  /** The owner at a portal; undefined for files and templates. */
  readonly place: Place | undefined
  readonly members: Readonly<Record<string, unknown>>
}

/** Reads the places of one command; the portal is opened once, and only where a place is there. */
export class Sources {
  readonly #call: Call
  #opened: Promise<OpenPortal> | undefined

  constructor(call: Call) {
    this.#call = call
  }

  portal(): Promise<OpenPortal> {
    this.#opened ??= openPortal(this.#call)
    return this.#opened
  }

  /** The present place of a portal of this name; any other is refused with the sentence. */
  async place(text: string, sentence = `${text} is no place of a portal.`) {
    const named = parsePlace(text)
    if (named.kind !== 'portal' || named.version !== undefined) throw untried(sentence)
    const opened = await this.portal()
    return { ...opened, place: await opened.find(named.owner) }
  }

  /** An answer about the organization's templates, which Cartulary alone has. */
  async ownTemplates(path = ''): Promise<Answer> {
    const { portal, facts } = await this.portal()
    const { connection, kind, portalId, url } = portal
    if (kind === 'cartulary') return connection.call(`/portals/${portalId}/categorySchemaTemplates${path}`)
    throw untried(`Templates of an organization work with Cartulary only; ${url} is ${describeKind(facts)}.`)
  }

  /** The schema of a place; notes on a file go to the person. `limits` are those that a file has to keep. */
  async read(text: string, limits?: SchemaLimits): Promise<Source> {
    const named = parsePlace(text)
    switch (named.kind) {
      case 'file': {
        const { schema, notes, members } = await readSchemaFile(this.#call, named.path, limits)
        for (const note of notes) this.#call.say(`${named.path}: ${note}`)
        return { schema, members, place: undefined }
      }
      case 'template':
        return { schema: await readTemplate(named.name), members: {}, place: undefined }
      case 'orgtemplate': {
        const answer = await this.ownTemplates(`/${encodeURIComponent(named.name)}`)
        return { schema: schemaOf(answer), members: {}, place: undefined }
      }
      case 'portal': {
        const { portal, find } = await this.portal()
        const place = await find(named.owner)
        if (named.version === undefined) return { schema: (await portal.read(place)).schema, place, members: {} }
        return { schema: await portal.readVersion(place, named.version), place, members: {} }
      }
    }
  }
}

async function readTemplate(name: string): Promise<CategorySchema> {
  const { templates } = await import('../../schema-files/templates/templates.ts')
  const { schemaOf: ofTemplate } = await import('../../schema-files/templates/template.ts')
  const template = templates.find((one) => one.name === name)
  if (template) return ofTemplate(template, false)
  const names = templates.map((one) => one.name)
  throw refused(withHint(`There is no template ${name} (${names.join(', ')})`, findNearest(name, names)))
}
