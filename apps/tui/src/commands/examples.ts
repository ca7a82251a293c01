import type { Action } from '@qd/core/define'

/** Examples of commands whose arguments are worth showing, by their words. */
const written: Readonly<Record<string, readonly string[]>> = {
  exec: [
    'exec web-1 -- uptime',
    "exec --select 'group:web online' -- df -h /",
    "exec --all --json -- 'uptime | cut -c1-20'",
  ],
  'server config': [
    'server config web-1',
    'server config web-1 --report-delay 2',
    'server config web-1 --edit',
    "server config --select 'group:web' --gpu no --nic-allowlist eth0,eth1=no --wait",
  ],
  'server force-update': [
    'server force-update web-1 --wait',
    "server force-update --select 'version<2.3' --canary 1 --batch 10 --max-fail 2 --wait",
  ],
  'server install': ['server install', 'server install --os windows'],
  'server reinstall': ['server reinstall web-1', 'server reinstall 7 --os windows'],
  'server move': ['server move web-1 --to-user 2', "server move --select 'group:db' --to-user 2 --dry-run"],
  'server shell': ['server shell web-1', 'server shell 7'],
}

/** Examples of an action's command, without the leading `qd`. */
export function examplesOf({ on, starts }: Action, words: string): readonly string[] {
  const known = written[words]
  if (known) return known
  if (on === 'none') return [words]
  return on === 'many'
    ? [`${words} 7`, `${words} --ids 7,12 --dry-run`]
    : [`${words} 7${starts ? ' --wait' : ''}`, `${words} 7 --dry-run`]
}
