/** An operation that permission can be asked for, as the API describes it. */
export interface CheckedOperation {
  readonly id: string
  /** What it does, in words. */
  readonly title: string
  /** What it belongs to, such as `directory`. */
  readonly room: string
  /** Names of the ids in its path; the organization is that of the caller. */
  readonly targets: readonly string[]
}

/** What is read of /openapi.json. */
export interface ApiDescription {
  readonly paths: Readonly<Record<string, Readonly<Record<string, DescribedOperation>>>>
}

interface DescribedOperation {
  readonly operationId?: string
  readonly summary?: string
  readonly tags?: readonly string[]
  readonly parameters?: readonly { readonly name?: string; readonly schema?: { readonly enum?: readonly string[] } }[]
}

/** The operations that `checkPermission` knows, in the order of the description. */
export function listCheckedOperations({ paths }: ApiDescription): readonly CheckedOperation[] {
  const described = Object.entries(paths).flatMap(([path, methods]) =>
    Object.values(methods).flatMap((operation) => (operation.operationId ? [{ path, operation }] : [])),
  )
  const choices = described
    .filter(({ operation }) => operation.operationId?.startsWith('checkPermission'))
    .flatMap(({ operation: { parameters = [] } }) => parameters)
    .find(({ name }) => name === 'operation')?.schema?.enum
  const known = new Set(choices)
  const seen = new Set<string>()
  return described.flatMap(({ path, operation: { operationId: id = '', summary = '', tags = [] } }) => {
    if (!known.has(id) || seen.has(id)) return []
    seen.add(id)
    const targets = [...path.matchAll(/\{(\w+)\}/g)].map(([, name]) => name!).filter((name) => name !== 'portalId')
    return [{ id, title: summary, room: tags[0] ?? '', targets }]
  })
}

/** Those whose id or words have all of the words. */
export function findOperations(operations: readonly CheckedOperation[], words: string): readonly CheckedOperation[] {
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  return operations.filter(({ id, title, room }) => {
    const text = `${id} ${title} ${room}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
}
