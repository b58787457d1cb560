/** A JSON value with every member that its text has, the repeated ones too. */
export type JsonValue =
  | { readonly kind: 'object'; readonly members: readonly (readonly [string, JsonValue])[] }
  | { readonly kind: 'array'; readonly elements: readonly JsonValue[] }
  | { readonly kind: 'string'; readonly text: string }
  | { readonly kind: 'number' | 'word' }

/** The value of a JSON text by the grammar of RFC 8259, or undefined. It recurses: for small texts only. */
export function readJson(text: string): JsonValue | undefined {
  const reader = new Reader(text)
  try {
    const value = reader.value()
    reader.skip(/[ \t\n\r]*/y)
    return reader.at === text.length ? value : undefined
  } catch (error) {
    if (error instanceof NotJson) return undefined
    throw error
  }
}

/** Whether any object in the value has two members of one name. */
export function hasTwins(value: JsonValue): boolean {
  if (value.kind === 'array') return value.elements.some(hasTwins)
  if (value.kind !== 'object') return false
  const names = value.members.map(([name]) => name)
  return names.some((name, index) => names.indexOf(name) < index) || value.members.some(([, inner]) => hasTwins(inner))
}

class NotJson extends Error {}

class Reader {
  readonly text: string
  at = 0

  constructor(text: string) {
    this.text = text
  }

  /** Skips and returns the match of the sticky pattern here. */
  skip(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    const found = pattern.exec(this.text)?.[0]
    this.at += found?.length ?? 0
    return found
  }

  require(pattern: RegExp): string {
    const found = this.skip(pattern)
    if (found === undefined) throw new NotJson()
    return found
  }

  value(): JsonValue {
    this.skip(/[ \t\n\r]*/y)
    if (this.skip(/\{/y)) return { kind: 'object', members: this.list(/\}/y, () => this.member()) }
    if (this.skip(/\[/y)) return { kind: 'array', elements: this.list(/\]/y, () => this.value()) }
    if (this.text[this.at] === '"') return { kind: 'string', text: this.string() }
    if (this.skip(/true|false|null/y)) return { kind: 'word' }
    this.require(/-?(?:0|[1-9][0-9]*)(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y)
    return { kind: 'number' }
  }

  list<Entry>(end: RegExp, entry: () => Entry): Entry[] {
    const entries: Entry[] = []
    this.skip(/[ \t\n\r]*/y)
    if (this.skip(end)) return entries
    for (;;) {
      entries.push(entry())
      this.skip(/[ \t\n\r]*/y)
      if (this.skip(end)) return entries
      this.require(/,/y)
    }
  }

  member(): readonly [string, JsonValue] {
    this.skip(/[ \t\n\r]*/y)
    const name = this.string()
    this.require(/[ \t\n\r]*:/y)
    return [name, this.value()]
  }

  string(): string {
    const quoted = this.require(/"(?:[^"\\\u0000-\u001f]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/y)
    return quoted
      .slice(1, -1)
      .replace(/\\(?:u(....)|(.))/g, (_, hex: string | undefined, letter: string) =>
        hex === undefined ? (escapes[letter] ?? letter) : String.fromCharCode(Number.parseInt(hex, 16)),
      )
  }
}

const escapes: Readonly<Record<string, string>> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t' }
