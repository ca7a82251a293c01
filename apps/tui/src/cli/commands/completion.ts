import { AppError } from '@qd/core/errors'
import type { Command } from './command.ts'
import { scripts, shells } from './completion-scripts.ts'

/** `qd completion SHELL`: a script for the shell to read (behaviour C-25). Errors: `usage`. */
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
    if (!shell) throw new AppError('usage', { reason: 'badShell', text })
    cli.io.stdout.write(scripts[shell])
    return undefined
  },
}
