import { untried } from '../failure.ts'
import type { Answered, Call } from './run.ts'
import { commands, commonOptions } from './table.ts'

/** Words that may follow what was typed, by what was typed; the same for every shell. */
function listWords(): ReadonlyMap<string, readonly string[]> {
  const words = new Map<string, string[]>()
  const add = (after: string, word: string) => {
    const known = words.get(after) ?? []
    if (!known.includes(word)) words.set(after, [...known, word])
  }
  for (const command of commands) {
    const [noun, verb] = command.name.split(' ')
    add('', noun!)
    if (verb !== undefined) add(noun!, verb)
    for (const option of [...Object.keys(command.options), ...Object.keys(commonOptions)]) {
      add(command.name, `--${option}`)
    }
  }
  add('', 'help')
  return words
}

function casesOf(): string {
  return [...listWords()].map(([after, words]) => `    '${after}') words='${words.join(' ')}' ;;`).join('\n')
}

/** Nothing before the first word, then the noun, then the noun and its verb. */
const bash = () => `_cartulary() {
  local words='' after=''
  [ "$COMP_CWORD" -gt 1 ] && after="\${COMP_WORDS[1]}"
  [ "$COMP_CWORD" -gt 2 ] && case "\${COMP_WORDS[2]}" in -*) ;; *) after="$after \${COMP_WORDS[2]}" ;; esac
  case "$after" in
${casesOf()}
  esac
  COMPREPLY=($(compgen -W "$words" -- "\${COMP_WORDS[COMP_CWORD]}"))
}
complete -o default -F _cartulary cartulary`

const zsh = () => `#compdef cartulary
local words='' after=''
(( CURRENT > 2 )) && after="\${words_typed[2]:-\${(Q)\${(z)BUFFER}[2]}}"
(( CURRENT > 3 )) && after="$after \${(Q)\${(z)BUFFER}[3]}"
case "$after" in
${casesOf()}
esac
compadd -- \${=words}
_files`

const fish = () =>
  [...listWords()]
    .map(([after, words]) => {
      const typed = after.split(' ').filter((word) => word !== '')
      const isSeen = typed.map((word) => `__fish_seen_subcommand_from ${word}`).join('; and ')
      return `complete -c cartulary -n '${isSeen || '__fish_use_subcommand'}' -a '${words.join(' ')}'`
    })
    .join('\n')

const scripts: Readonly<Record<string, () => string>> = { bash, zsh, fish }

export async function completion({ positionals: [shell = ''] }: Call): Promise<Answered> {
  const script = Object.hasOwn(scripts, shell) ? scripts[shell] : undefined
  if (!script) throw untried(`completion knows ${Object.keys(scripts).join(', ')}.`)
  return { json: { script: script() }, text: script() }
}
