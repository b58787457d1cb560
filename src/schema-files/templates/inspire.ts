import type { Template } from './template.ts'

/** Codes and labels of the 34 themes, by the annex of the directive that names them. */
const annexes = {
  'Annex I': [
    ['rs', 'Coordinate reference systems'],
    ['gg', 'Geographical grid systems'],
    ['gn', 'Geographical names'],
    ['au', 'Administrative units'],
    ['ad', 'Addresses'],
    ['cp', 'Cadastral parcels'],
    ['tn', 'Transport networks'],
    ['hy', 'Hydrography'],
    ['ps', 'Protected sites'],
  ],
  'Annex II': [
    ['el', 'Elevation'],
    ['lc', 'Land cover'],
    ['oi', 'Orthoimagery'],
    ['ge', 'Geology'],
  ],
  'Annex III': [
    ['su', 'Statistical units'],
    ['bu', 'Buildings'],
    ['so', 'Soil'],
    ['lu', 'Land use'],
    ['hh', 'Human health and safety'],
    ['us', 'Utility and governmental services'],
    ['ef', 'Environmental monitoring facilities'],
    ['pf', 'Production and industrial facilities'],
    ['af', 'Agricultural and aquaculture facilities'],
    ['pd', 'Population distribution — demography'],
    ['am', 'Area management/restriction/regulation zones and reporting units'],
    ['nz', 'Natural risk zones'],
    ['ac', 'Atmospheric conditions'],
    ['mf', 'Meteorological geographical features'],
    ['of', 'Oceanographic geographical features'],
    ['sr', 'Sea regions'],
    ['br', 'Bio-geographical regions'],
    ['hb', 'Habitats and biotopes'],
    ['sd', 'Species distribution'],
    ['er', 'Energy resources'],
    ['mr', 'Mineral resources'],
  ],
} as const

const themes = Object.entries(annexes).flatMap(([annex, members]) =>
  members.map(([code, label]) => ({ annex, code, label, uri: `http://inspire.ec.europa.eu/theme/${code}` })),
)

const title = 'INSPIRE themes'
const source = 'Directive 2007/2/EC, Annexes I to III; INSPIRE theme register'

export const inspire: Template = {
  name: 'inspire',
  title,
  source,
  concepts: themes.map(({ code, label, uri }) => ({ code, label, uri })),
}

export const inspireAnnexes: Template = {
  name: 'inspire-annexes',
  title: `${title} by annex`,
  root: title,
  source,
  concepts: themes.map(({ annex, code, label, uri }) => ({ parent: annex, code, label, uri })),
}
