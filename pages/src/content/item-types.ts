import type { IconName } from '../elements/icon-shapes.ts'

/** Types of items that ArcGIS names, and their icons; any other text is a type too. Without DOM. */

const namesIn = (text: string) => text.split(/,\s+/)

const typesByIcon = {
  map: namesIn('Web Map, Web Scene, Map Package, Mobile Map Package, Tile Package, Project Package'),
  layers: namesIn(`Feature Service, Map Service, Image Service, Vector Tile Service, Scene Service, WMS, WFS, WMTS,
    Feature Collection, Layer Package, KML, GeoJson, Shapefile, File Geodatabase`),
  gauge: ['Dashboard'],
  computer: namesIn('Web Mapping Application, Web Experience, StoryMap, Hub Site Application, Application'),
  clipboard: namesIn('Form, Notebook, Survey123 Add In'),
  table: namesIn('CSV, Microsoft Excel, CSV Collection'),
  picture: namesIn('Image, Image Collection'),
  file: namesIn('PDF, Microsoft Word, Microsoft Powerpoint, Code Sample'),
  link: ['Document Link'],
  refresh: namesIn('Geoprocessing Service, Geocoding Service, Geometry Service, Network Analysis Service'),
} as const

const iconByType = new Map(
  Object.entries(typesByIcon).flatMap(([icon, types]) =>
    types.map((type) => [type.toLowerCase(), icon as IconName] as const),
  ),
)

/** Icon of a type; one of a file for a type that ArcGIS does not name. */
export function iconOfType(type: string): IconName {
  return iconByType.get(type.toLowerCase()) ?? 'file'
}

/** Types that most items have, to choose from (chosen). */
export const usualTypes: readonly string[] = namesIn(`Web Map, Web Scene, Feature Service, Map Service, Image Service,
  Dashboard, StoryMap, Web Experience, Form, CSV, PDF, Document Link`)

/** The other types that ArcGIS names. */
export const otherTypes: readonly string[] = Object.values(typesByIcon)
  .flat()
  .filter((type) => !usualTypes.includes(type))
  .sort()
