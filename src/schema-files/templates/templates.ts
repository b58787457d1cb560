import { inspire, inspireAnnexes } from './inspire.ts'
import type { Template } from './template.ts'

/** Domain codes and names of the 19 values of 2003; those that were added in 2014 are left out. */
const topics = [
  ['001', 'farming', 'Farming'],
  ['002', 'biota', 'Biota'],
  ['003', 'boundaries', 'Boundaries'],
  ['004', 'climatologyMeteorologyAtmosphere', 'Climatology / Meteorology / Atmosphere'],
  ['005', 'economy', 'Economy'],
  ['006', 'elevation', 'Elevation'],
  ['007', 'environment', 'Environment'],
  ['008', 'geoscientificInformation', 'Geoscientific Information'],
  ['009', 'health', 'Health'],
  ['010', 'imageryBaseMapsEarthCover', 'Imagery / Base Maps / Earth Cover'],
  ['011', 'intelligenceMilitary', 'Intelligence / Military'],
  ['012', 'inlandWaters', 'Inland Waters'],
  ['013', 'location', 'Location'],
  ['014', 'oceans', 'Oceans'],
  ['015', 'planningCadastre', 'Planning / Cadastre'],
  ['016', 'society', 'Society'],
  ['017', 'structure', 'Structure'],
  ['018', 'transportation', 'Transportation'],
  ['019', 'utilitiesCommunication', 'Utilities / Communication'],
] as const

const iso19115: Template = {
  name: 'iso19115',
  title: 'ISO topic categories',
  source: 'ISO 19115:2003, MD_TopicCategoryCode (B.5.27)',
  concepts: topics.map(([code, name, label]) => ({
    code,
    label,
    uri: `http://inspire.ec.europa.eu/metadata-codelist/TopicCategory/${name}`,
  })),
}

export const templates: readonly Template[] = [iso19115, inspire, inspireAnnexes]
