/** Name of what pages keep in a browser or say to each other: servers below several paths may have one origin (chosen). */
export function ownName(name: string): string {
  return `cartulary.${name} ${new URL(document.baseURI).pathname}`
}
