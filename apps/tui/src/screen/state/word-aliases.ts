/** Words from other programs, with our commands for them; for `qd` and for the line after `:`. */
export const nouns: Readonly<Record<string, readonly string[]>> = {
  task: ['cron'],
  tasks: ['cron'],
  alert: ['alert-rule'],
  alerts: ['alert-rule'],
  notifier: ['notification'],
  notifiers: ['notification'],
  ssh: ['server', 'shell'],
}

/** Words of the line after `:` that `qd` has no command for. */
export const lineWords = ['activity', 'quit'] as const

/** The same for the words below an entity, unless it has such a command itself. */
export const verbs: Readonly<Record<string, string>> = {
  list: 'ls',
  show: 'get',
  describe: 'get',
  rm: 'delete',
}
