import { usageError } from '@qd/core/errors'
import type { Command } from './command.ts'

const shells = ['bash', 'zsh', 'fish', 'powershell'] as const
export type Shell = (typeof shells)[number]

export const filesMark = ':files'

/** Scripts that call `qd __complete` on Tab. Answers are lines of word, tab, meaning. */
export const scripts: Readonly<Record<Shell, string>> = {
  bash: `# qd completion for bash: eval "$(qd completion bash)"
_qd() {
  local word
  COMPREPLY=()
  while IFS=$'\\t' read -r word _; do
    [ "$word" = '${filesMark}' ] && { compopt -o default; return; }
    COMPREPLY+=("$word")
    case "$word" in *[:=\\<\\>,]) compopt -o nospace ;; esac
  done < <(qd __complete bash "\${COMP_LINE:0:COMP_POINT}" 2>/dev/null)
}
complete -o nosort -F _qd qd 2>/dev/null || complete -F _qd qd
`,
  zsh: `#compdef qd
# qd completion for zsh: source <(qd completion zsh)
_qd() {
  local line word help tab=$'\\t'
  local -a words_open helps_open words_done helps_done
  for line in "\${(@f)$(qd __complete zsh "\${(@Q)words[2,CURRENT]}" 2>/dev/null)}"; do
    word="\${line%%$tab*}"
    help="\${line#*$tab}"
    [[ -z "$word" ]] && continue
    [[ "$word" == '${filesMark}' ]] && { _files; return; }
    [[ "$help" == "$line" || -z "$help" ]] && help="$word" || help="$word  -- $help"
    if [[ "$word" == *[:=\\<\\>,] ]]; then
      words_open+=("$word"); helps_open+=("$help")
    else
      words_done+=("$word"); helps_done+=("$help")
    fi
  done
  (( $#words_open )) && compadd -V open -l -d helps_open -S '' -a words_open
  (( $#words_done )) && compadd -V done -l -d helps_done -a words_done
}
compdef _qd qd
`,
  fish: `# qd completion for fish: qd completion fish | source
function __qd_complete
  set -l words (commandline -opc)
  set -l answer (qd __complete fish $words[2..-1] (commandline -ct) 2>/dev/null)
  if test "$answer[1]" = '${filesMark}'
    __fish_complete_path (commandline -ct)
  else
    string join \\n -- $answer
  end
end
complete -c qd -f -k -a '(__qd_complete)'
`,
  powershell: `# qd completion for PowerShell: qd completion powershell | Out-String | Invoke-Expression
Register-ArgumentCompleter -Native -CommandName qd -ScriptBlock {
  param($wordToComplete, $commandAst, $cursorPosition)
  $words = @($commandAst.CommandElements | Select-Object -Skip 1 |
    Where-Object { $_.Extent.StartOffset -lt $cursorPosition } |
    ForEach-Object { if ($_ -is [System.Management.Automation.Language.StringConstantExpressionAst]) { $_.Value } else { $_.Extent.Text } })
  if ($wordToComplete -eq '') { $words += '""' }
  qd __complete powershell @words 2>$null | ForEach-Object {
    $word, $help = $_ -split "\`t", 2
    if ($word -eq '${filesMark}') { return }
    $text = if ($word -match "[\\s'\`"\`$;|&(){}]") { "'" + $word.Replace("'", "''") + "'" } else { $word }
    if (-not $help) { $help = $word }
    [System.Management.Automation.CompletionResult]::new($text, $word, 'ParameterValue', $help)
  }
}
`,
}

export const completionCommand: Command = {
  name: 'completion',
  help: 'ui.cli.commands.completion',
  args: '<shell>',
  values: { kind: 'words', words: () => shells },
  examples: [
    'completion bash > ~/.local/share/bash-completion/completions/qd',
    'completion zsh > ~/.zfunc/_qd',
    'completion fish > ~/.config/fish/completions/qd.fish',
    'completion powershell >> $PROFILE',
  ],
  async run(cli, [text = '']) {
    const shell = shells.find((name) => name === text)
    if (!shell) throw usageError('badShell', { text })
    cli.io.stdout.write(scripts[shell])
  },
}
