import type { FastifyInstance } from 'fastify'

/** Content of `/metrics`: each series as it is written, labels included, with its value. */
export interface Scrape {
  readonly text: string
  readonly series: ReadonlyMap<string, number>
}

/** Scrapes a server that need not listen. */
export async function scrape(app: FastifyInstance): Promise<Scrape> {
  const response = await app.inject('/metrics')
  if (response.statusCode !== 200) throw new Error(`/metrics is HTTP ${response.statusCode}: ${response.body}`)
  return readScrape(response.body)
}

export function readScrape(text: string): Scrape {
  const lines = text.split('\n').filter((line) => line !== '' && !line.startsWith('#'))
  const series = lines.map((line): [string, number] => {
    const space = line.lastIndexOf(' ')
    return [line.slice(0, space), Number(line.slice(space + 1))]
  })
  return { text, series: new Map(series) }
}

/** The series of one metric, by their labels as they are written. */
export function seriesOf({ series }: Scrape, name: string): Readonly<Record<string, number>> {
  return Object.fromEntries(
    [...series]
      .filter(([written]) => written.startsWith(`${name}{`))
      .map(([written, value]) => [written.slice(name.length), value]),
  )
}
