import type { Action } from '@qd/core/define'

/** Examples of commands whose flags are worth showing, by their words. */
const written: Readonly<Record<string, readonly string[]>> = {
  exec: [
    'exec web-1 -- uptime',
    "exec 'group:web' -- df -h /",
    'exec -i web-1 -- sh -s < setup.sh',
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
  'server move': ['server move web-1 --to-user kim', "server move --select 'group:db' --to-user kim --dry-run"],
  'service create': [
    'service create --name shop --target https://shop.example.net --notify --tells night',
    "service create --name db --type tcp --target db:5432 --select 'group:web'",
  ],
  'service check': ['service check shop', 'service check --select down'],
  'notification create': [
    'notification create --name chat --url-file url --request-body-file body.json',
    'notification create --name phone --url-file - --request-method get',
  ],
  'notification edit': ['notification edit chat --clear request-header'],
  'alert-rule create': [
    "alert-rule create --name busy --rules 'cpu > 90 for 5m' --tells night",
    'alert-rule create --name busy --rules @rules.txt --dry-run',
  ],
  'alert-rule test': ['alert-rule test busy --server web-1', 'alert-rule test busy --json'],
  'alert-rule backtest': ['alert-rule backtest busy', 'alert-rule backtest busy --json'],
  'incident silence': ['incident silence 17 --for 2h', "incident silence --select 'state:open' --for 30m"],
  'incident note': ["incident note 17 'replaced the disk'"],
  'maintenance-window create': ['maintenance-window create --name disks --starts-at now --ends-at +2h --select db'],
  'waf block': ['waf block 203.0.113.7 --for 7d --note scans', 'waf block 203.0.113.0/24 --yes'],
  'waf unblock': ['waf unblock 203.0.113.7', "waf unblock --select 'reason:login' --yes"],
  'online-user block': ['online-user block 203.0.113.7'],
  'server shell': ['server shell web-1', 'server shell 7'],
}

/** Examples of a command that saves a form, where some are written. */
export function savingExamples(words: string): readonly string[] | undefined {
  return written[words]
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
