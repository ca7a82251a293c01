import { confirmLevel } from '@qd/core/actions'
import type { Action } from '@qd/core/define'

export const writtenExamples: Readonly<Record<string, readonly string[]>> = {
  'container restart': [
    "container restart app --on 'group:web' --canary 1 --wait",
    "container restart --select 'unhealthy' --on 'group:web' --dry-run",
  ],
  'container start': ['container start web-1/app'],
  'container stop': ['container stop web-1/app --yes', 'container stop app --dry-run'],
  'container remove': ['container remove web-1/migrate --yes', 'container remove migrate --dry-run'],
  'container shell': ['container shell web-1/app', 'container shell web-1/podman/worker'],
  'unit restart': [
    "unit restart nginx --on 'group:web' --canary 1 --wait",
    "unit restart --select 'failed' --on 'group:web' --dry-run",
  ],
  'package upgrade': [
    "package upgrade openssl --on 'group:web' --canary 1 --wait --yes",
    "package upgrade --select 'security' --on 'group:web' --dry-run",
  ],
  'package upgrade-all': ["package upgrade-all --select 'security' --on 'group:web' --dry-run"],
  'unit start': ['unit start web-1/nginx'],
  'unit stop': ['unit stop web-1/nginx --yes', 'unit stop nginx --dry-run'],
  'unit reload': ['unit reload web-1/nginx --wait'],
  'unit enable': ['unit enable web-1/nginx'],
  'unit disable': ['unit disable web-1/nginx --yes', 'unit disable nginx --dry-run'],
  'process signal': ['process signal web-1/1234 --signal hup', 'process signal web-1/1234 --dry-run'],
  'process kill': [
    'process kill web-1/1234 --yes --wait',
    "process kill --select 'program:app cpu>90' --on 'group:web' --dry-run",
  ],
  exec: [
    'exec web-1 -- uptime',
    "exec 'group:web' -- df -h /",
    'exec -i web-1 -- sh -s < setup.sh',
    "exec --all --yes --json -- 'uptime | cut -c1-20'",
    'exec web-1 --exit-code -- test -e /etc/hosts',
  ],
  'server config': [
    'server config web-1',
    'server config web-1 --report-delay 2',
    'server config web-1 --edit',
    "server config --select 'group:web' --gpu no --nic-allowlist eth0,eth1=no --wait",
  ],
  'server force-update': [
    'server force-update web-1 --wait --yes',
    "server force-update --select 'version<2.3' --canary 1 --batch 10 --yes --wait",
  ],
  'server groups': ['server groups 7 --add edge', 'server groups --ids 7,12 --remove db --dry-run'],
  'server install': ['server install', 'server install --wait', 'server install --os windows'],
  'server reinstall': ['server reinstall web-1', 'server reinstall 7 --os windows'],
  'server move': ['server move web-1 --to-user kim --yes', "server move --select 'group:db' --to-user kim --dry-run"],
  'service create': [
    'service create --name shop --target https://shop.example.net --notify --tells night',
    "service create --name db --type tcp --target db:5432 --select 'group:web'",
  ],
  'service check': ['service check shop', 'service check --select down'],
  'notification create': [
    'notification create --name chat --url-file url --request-method post',
    'notification create --name phone --url-file - --request-method get',
  ],
  'notification duplicate': ['notification duplicate 7 --name copy --url-file url'],
  'notification edit': ['notification edit chat --clear request-header'],
  'alert-rule create': [
    "alert-rule create --name busy --rules 'cpu > 90 for 5m' --tells night",
    'alert-rule create --name busy --rules @rules.txt --dry-run',
  ],
  'alert-rule test': ['alert-rule test busy --server web-1', 'alert-rule test busy --json'],
  'alert-rule backtest': ['alert-rule backtest busy', 'alert-rule backtest busy --json'],
  'incident silence': ['incident silence 7 --for 2h', "incident silence --select 'state:open' --for 30m"],
  'incident note': ["incident note 7 'replaced the disk'"],
  'maintenance-window create': ['maintenance-window create --name disks --starts-at now --ends-at +2h --select db'],
  'waf block': ['waf block 203.0.113.7 --for 7d --note scans --yes', 'waf block 203.0.113.0/24 --yes'],
  'waf unblock': ['waf unblock 203.0.113.7 --yes', "waf unblock --select 'reason:login' --yes"],
  'online-user block': ['online-user block 203.0.113.7 --yes'],
  'cron create': [
    'cron create --name hello --scheduler @hourly --command uptime --select web',
    'cron create --name backup --task-type triggered --command date --select db',
  ],
  'cron run': ['cron run 7 --wait', 'cron run backup cleanup --wait', 'cron run --ids 7,12 --dry-run'],
  'run again': ['run again 7 --wait --yes'],
  'run pause': ['run pause 12'],
  'run resume': ['run resume 12'],
  'run stop': ['run stop 12 --yes'],
  'nat create': ['nat create --name wiki --server web-1 --host web:8080 --domain wiki.example.net'],
  'nat duplicate': ['nat duplicate 7 --name copy --domain copy.example.net'],
  'api-token create': ['api-token create --name ci --scopes nezha:inventory:read > ci.token'],
  'user create': ['user create --username jo --new-password-file password'],
  'user duplicate': ['user duplicate 7 --username jo --new-password-file password'],
  'user delete': ['user delete kim --confirm kim', 'user delete --ids 7,12 --dry-run'],
  'sign-in-provider edit': ['sign-in-provider edit 7 --name Git'],
  'sign-in-provider duplicate': ['sign-in-provider duplicate 7 --name Git-2 --client-secret-file secret'],
  'sign-in-provider create': ['sign-in-provider create --name Git'],
  'account totp': ['account totp', 'account totp --code 123456'],
  'server shell': ['server shell web-1', 'server shell 7'],
}

export function examplesOf(action: Action, words: string): readonly string[] {
  const { on, starts } = action
  const yes = confirmLevel(action, 1) === 'confirmed' ? ' --yes' : ''
  const known = writtenExamples[words]
  if (known) return known
  if (on === 'none') return [`${words}${yes}`]
  return on === 'many'
    ? [`${words} 7${yes}`, `${words} --ids 7,12 --dry-run`]
    : [`${words} 7${starts ? ' --wait' : ''}${yes}`, `${words} 7 --dry-run`]
}
