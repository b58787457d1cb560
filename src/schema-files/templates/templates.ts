import { type Language, readTexts } from '../../languages.ts'
import * as labels from './labels.ts'
import type { Template } from './template.ts'

/** Domain names of the 19 values of 2003, in the order of their codes; those that were added in 2014 are left out. */
const topicNames = [
  ...['farming', 'biota', 'boundaries', 'climatologyMeteorologyAtmosphere', 'economy', 'elevation', 'environment'],
  ...['geoscientificInformation', 'health', 'imageryBaseMapsEarthCover', 'intelligenceMilitary', 'inlandWaters'],
  ...['location', 'oceans', 'planningCadastre', 'society', 'structure', 'transportation', 'utilitiesCommunication'],
]

/** Last themes of the first two annexes of the directive; the themes are in its order. */
const ends = ['ps', 'ge']

/** The published lists in a language. */
export function templatesIn(language: Language): readonly Template[] {
  const titles = readTexts(labels.titles, language)
  const topics = [...readTexts(labels.topics, language)].map(([code, label], position) => ({
    code,
    label,
    uri: `http://inspire.ec.europa.eu/metadata-codelist/TopicCategory/${topicNames[position]}`,
  }))
  const themes = [...readTexts(labels.themes, language)].map(([code, label]) => ({
    code,
    label,
    uri: `http://inspire.ec.europa.eu/theme/${code}`,
  }))
  const [first, second] = ends.map((code) => themes.findIndex((theme) => theme.code === code))
  const annexOf = (position: number) => (position <= first! ? 1 : position <= second! ? 2 : 3)
  const listed = (name: string) => ({ name, title: titles.get(name)! })
  const source = 'Directive 2007/2/EC, Annexes I to III; INSPIRE theme register'
  return [
    { ...listed('iso19115'), source: 'ISO 19115:2003, MD_TopicCategoryCode (B.5.27)', concepts: topics },
    { ...listed('inspire'), source, concepts: themes },
    {
      ...listed('inspire-annexes'),
      root: titles.get('inspire')!,
      source,
      concepts: themes.map((theme, position) => ({ ...theme, parent: titles.get(`annex${annexOf(position)}`)! })),
    },
  ]
}

export const templates = templatesIn('en')
