import { untried } from '../failure.ts'
import type { Answered, Call } from './run.ts'
import { commands, commonOptions } from './table.ts'

/** Words that may follow what was typed: nothing, then the noun, then the noun and its verb. */
function formatCases(): string {
  const words = new Map<string, Set<string>>([['', new Set(['help'])]])
  const add = (after: string, ...following: readonly string[]) =>
    words.set(after, new Set([...(words.get(after) ?? []), ...following]))
  for (const { name, options } of commands) {
    const [noun, verb] = name.split(' ')
    add('', noun!)
    if (verb !== undefined) add(noun!, verb)
    add(name, ...Object.keys({ ...options, ...commonOptions }).map((option) => `--${option}`))
  }
  return [...words].map(([after, following]) => `    '${after}') words='${[...following].join(' ')}' ;;`).join('\n')
}

const script = () => `_cartulary() {
  local words='' after=''
  [ "$COMP_CWORD" -gt 1 ] && after="\${COMP_WORDS[1]}"
  [ "$COMP_CWORD" -gt 2 ] && case "\${COMP_WORDS[2]}" in -*) ;; *) after="$after \${COMP_WORDS[2]}" ;; esac
  case "$after" in
${formatCases()}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _cartulary cartulary`

/** Begins the script for zsh, whose module for scripts of bash runs the rest. */
const zsh = '#compdef cartulary\nautoload -U +X bashcompinit && bashcompinit\n'

export async function completion({ positionals: [shell] }: Call): Promise<Answered> {
  if (shell !== 'bash' && shell !== 'zsh') throw untried('completion knows bash, zsh.')
  const text = (shell === 'zsh' ? zsh : '') + script()
  return { json: { script: text }, text }
}
