import * as z from 'zod'
import { defineAction, defineResource, lazy, type View } from '../define/index.ts'
import type { AppError } from '../errors.ts'
import { textParts } from '../i18n/index.ts'
import { languages } from '../i18n/languages.ts'
import {
  addressRange,
  asciiDomain,
  id,
  ids,
  instant,
  isAddressRange,
  isTimeZone,
  longestCode,
} from '../schemas/index.ts'
import { doctor } from './doctor.ts'

/** A range, address, or host, perhaps with a port: `10.0.0.0/8`, `push.lan:8080`, `[fd00::1]:443`. */
const outboundTarget: RegExp =
  /^(?:[\d.]+\/\d{1,2}|[0-9a-f:]+\/\d{1,3}|(?:\[[0-9a-f:]+\]|[\w.-]+)(?::\d{1,5})?|[0-9a-f]*:[0-9a-f:]+)$/i

function isDnsServer(entry: string): boolean {
  const [, bracketed, plain, port = '53'] = /^(?:\[([^\]]+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(entry) ?? []
  const address = bracketed ?? plain ?? entry
  return isAddressRange(address) && !address.includes('/') && Number(port) > 0 && Number(port) <= 65_535
}

/** A list of addresses, perhaps with ports (`textParts`). */
const dnsServers = lazy(() =>
  z
    .string()
    .max(1000)
    .refine((text) => textParts(text).every(isDnsServer), { params: { code: 'notAddress' } }),
)

/** A list of hostnames, perhaps with ports (`textParts`). */
const hostNames = lazy(() =>
  z
    .string()
    .max(4000)
    .check(({ value, issues }) => {
      const wrong = textParts(value).find((entry) => asciiDomain(entry.replace(/:\d{1,5}$/, '')) === null)
      if (wrong !== undefined)
        issues.push({ code: 'custom', input: value, params: { code: 'notDomain', text: wrong.slice(0, 100) } })
    }),
)

/** Domains whose subdomains are meant: `*.apps.example.net` is `apps.example.net`. */
const domainSuffixes = lazy(() =>
  z
    .string()
    .max(4000)
    .transform((typed, context) => {
      const names = textParts(typed).map((entry) => ({ entry, name: asciiDomain(entry.replace(/^\*?\./, '')) }))
      const wrong = names.find(({ name }) => name === null)
      if (wrong === undefined) return names.map(({ name }) => name).join(', ')
      context.addIssue({ code: 'custom', params: { code: 'notDomain', text: wrong.entry.slice(0, 100) } })
      return z.NEVER
    }),
)

/** Servers whose address changes are notified (1 and 2 on the wire, decisions.md). */
export const SettingCover = { allExcept: 1, onlyListed: 2 } as const
const Language = Object.fromEntries(languages.map((language) => [language, language]))

/** How to identify clients behind a proxy: not at all, by a header, or by connection (contract engines 8.5). */
const headerName = z
  .string()
  .max(64)
  .refine((name) => /^(?:NZ::Use-Peer-IP|[\w-]*)$/.test(name), { params: { code: 'notHeaderName' } })

const input = lazy(() =>
  z.strictObject({
    site_name: z.string().min(1).max(128),
    language: z.string().min(2).max(16),
    install_host: z.string().max(255),
    tls: z.boolean(),
    time_zone: z
      .string()
      .max(64)
      .refine((zone) => zone === '' || isTimeZone(zone), { params: { code: 'notOption' } }),
    force_auth: z.boolean(),
    step_up: z.boolean(),
    session_days: z.int().min(1).max(365),
    session_bound_to_address: z.boolean(),
    user_template: z.string().min(1).max(64),
    avatar_service: z
      .string()
      .max(2048)
      .refine((url) => url === '' || /^https?:\/\/[^\s/?#]+/i.test(url), { params: { code: 'notUrl' } }),
    custom_code: z.string().max(longestCode),
    custom_code_dashboard: z.string().max(longestCode),
    dashboard_host: z.string().trim().max(255),
    reserved_hosts: hostNames(),
    nat_domains: domainSuffixes(),
    dns_servers: dnsServers(),
    web_real_ip_header: headerName,
    agent_real_ip_header: headerName,
    waf_allowlist: z.array(addressRange()).max(256),
    cover: z.int().min(1).max(2),
    ignored_ip_notification: ids,
    ip_change_notification_group_id: id,
    enable_ip_change_notification: z.boolean(),
    enable_plain_ip_in_notification: z.boolean(),
    outbound_allowlist: z.array(z.string().max(300).regex(outboundTarget)).max(256),
    history_fine_hours: z
      .int()
      .min(1)
      .max(24 * 14),
    history_middle_days: z.int().min(1).max(90),
    history_coarse_days: z.int().min(1).max(3660),
    audit_days: z.int().min(1).max(3660),
    audit_entries: z.int().min(1000).max(500_000),
    user_records: z.int().min(1).max(100_000),
    members_see_hosts: z.boolean(),
    enable_mcp: z.boolean(),
  }),
)

const added = lazy(() => ({
  id: z.int(),
  oauth2_providers: z.array(z.string()).catch([]),
  version: z.string(),
  /** The setting, or the host’s zone if empty. */
  effective_time_zone: z.string(),
  history_bytes: z.number().nullable(),
  /** When a provisional change is reverted; null without one. */
  trial_until: instant.nullable(),
}))

/** Source: contract http-api 3.5. */
const answer = lazy(() =>
  z.object({
    config: z.record(z.string(), z.unknown()).catch({}),
    version: z.string().catch(''),
    history_bytes: z.number().nullable().catch(null),
    trial_until: instant.nullable().catch(null),
  }),
)

/** Servers, a text on the wire: `1,2`. Ignores invalid IDs (contract engines 5). */
function idsOf(config: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const listed = config.ignored_ip_notification
  if (typeof listed !== 'string') return { ...config }
  const ids = listed
    .split(',')
    .filter((text) => /^[1-9]\d*$/.test(text))
    .map(Number)
  return { ...config, ignored_ip_notification: ids }
}

const retention = { history_fine_hours: 26, history_middle_days: 8, history_coarse_days: 365 } as const

const sessions = { session_days: 30, session_bound_to_address: false } as const

/** Limits of the audit log: days, and number of entries. */
const auditRetention = { audit_days: 365, audit_entries: 200_000 } as const

/** Maximum number of records of each kind for users who aren’t admins. */
const quota = { user_records: 1000 } as const

const ipNotice = { enable_ip_change_notification: { is: true } }

/** The capability of settings that Nezha lacks: time zone, access to the status page, pictures, and outbound targets. */
const siteCapability = 'site-settings'
/** The capability of hostnames besides the agents’: for sign-in providers, and reserved ones. */
const namesCapability = 'host-names'
const trialCapability = 'settings-trial'

const endTrial = (how: 'keep' | 'revert') =>
  defineAction<{ id: number; trial_until: string | null }>()({
    on: 'none',
    scope: 'nezha:admin:*',
    audience: 'admin',
    icon: how === 'keep' ? 'check' : 'undo-2',
    aliases: how === 'keep' ? ['confirm settings', 'commit'] : ['undo settings', 'roll back'],
    capability: trialCapability,
    blocked: [{ when: { trial_until: { empty: true } }, reason: 'noTrial' }],
    wire: { method: 'POST', path: `setting/${how}`, body: () => ({}) },
    outcome: () => ({ kind: 'done', changed: [1] }),
  })

export const setting = defineResource({
  name: 'setting',
  icon: 'settings',
  title: 'site_name',
  path: '/dashboard/settings',
  family: 'setting',
  aliases: ['preferences', 'configuration', 'options'],
  go: 'g ,',
  input,
  added,
  initial: {
    language: 'en-US',
    step_up: true,
    ...sessions,
    user_template: 'user-dist',
    cover: 1,
    ...retention,
    ...auditRetention,
    ...quota,
    members_see_hosts: true,
  },
  fields: {
    id: { kind: 'number', hidden: true },
    oauth2_providers: { kind: 'part', schema: () => z.array(z.string()).catch([]), hidden: true },
    version: { kind: 'version' },
    site_name: { kind: 'text', show: 'always' },
    language: { kind: 'choice', options: Language },
    install_host: { kind: 'address', help: true },
    tls: { kind: 'flag' },
    time_zone: { kind: 'text', help: true, requires: siteCapability },
    effective_time_zone: { kind: 'text', requires: siteCapability },
    force_auth: { kind: 'flag', requires: siteCapability },
    step_up: { kind: 'flag', help: true, requires: 'step-up' },
    session_days: { kind: 'number', digits: 0, min: 1, max: 365, help: true, requires: 'sessions' },
    session_bound_to_address: { kind: 'flag', help: true, requires: 'sessions' },
    user_template: { kind: 'text', hidden: true },
    avatar_service: { kind: 'address', wide: true, help: true, requires: siteCapability },
    custom_code: { kind: 'note', wide: true, help: true },
    custom_code_dashboard: { kind: 'note', wide: true, help: true },
    dashboard_host: { kind: 'address', help: true, requires: namesCapability },
    reserved_hosts: { kind: 'text', wide: true, help: true, requires: namesCapability },
    nat_domains: { kind: 'text', wide: true, help: true, requires: 'nat-domains' },
    dns_servers: { kind: 'text', help: true },
    web_real_ip_header: { kind: 'text', help: true },
    agent_real_ip_header: { kind: 'text', help: true },
    waf_allowlist: { kind: 'list', wide: true, help: true, requires: 'firewall' },
    cover: { kind: 'choice', options: SettingCover, flag: true },
    ignored_ip_notification: { kind: 'refs', wide: true, to: 'server', flag: true },
    ip_change_notification_group_id: { kind: 'ref', to: 'notification-group', flag: true },
    enable_ip_change_notification: { kind: 'flag', help: true },
    enable_plain_ip_in_notification: { kind: 'flag', help: true },
    outbound_allowlist: { kind: 'list', wide: true, help: true, requires: siteCapability },
    history_fine_hours: { kind: 'number', digits: 0, min: 1, max: 336, requires: 'history' },
    history_middle_days: { kind: 'number', digits: 0, min: 1, max: 90, requires: 'history' },
    history_coarse_days: { kind: 'number', digits: 0, min: 1, max: 3660, requires: 'history' },
    history_bytes: { kind: 'bytes', requires: 'history' },
    trial_until: { kind: 'instant', requires: trialCapability },
    audit_days: { kind: 'number', digits: 0, min: 1, max: 3660, help: true, requires: 'audit' },
    audit_entries: { kind: 'number', digits: 0, min: 1000, max: 500_000, help: true, requires: 'audit' },
    user_records: { kind: 'number', digits: 0, min: 1, max: 100_000, help: true, requires: 'user-quota' },
    members_see_hosts: { kind: 'flag', help: true, requires: 'hosts' },
    enable_mcp: { kind: 'flag', wide: true, help: true, requires: 'mcp' },
  },
  columns: ['site_name', 'language', 'install_host', 'effective_time_zone', 'history_bytes'],
  form: {
    site: ['site_name', 'language', 'time_zone', 'force_auth', 'avatar_service'],
    sessions: ['session_days', 'session_bound_to_address', 'step_up'],
    users: ['user_records', 'members_see_hosts'],
    agents: ['install_host', 'tls'],
    names: ['dashboard_host', 'dns_servers', 'reserved_hosts', 'nat_domains'],
    firewall: ['web_real_ip_header', 'agent_real_ip_header', 'waf_allowlist'],
    notices: [
      'enable_ip_change_notification',
      { field: 'ip_change_notification_group_id', when: ipNotice },
      { field: 'cover', when: ipNotice },
      { field: 'ignored_ip_notification', when: ipNotice },
      'enable_plain_ip_in_notification',
      'outbound_allowlist',
    ],
    history: ['history_fine_hours', 'history_middle_days', 'history_coarse_days'],
    audit: ['audit_days', 'audit_entries'],
    programs: ['enable_mcp'],
    visitors: ['custom_code', 'custom_code_dashboard'],
  },
  scopes: { read: null, write: 'nezha:admin:*', remove: null },
  audience: { read: 'guest', write: 'admin' },
  stepUp: ['edit'],
  trial: {
    capability: trialCapability,
    call: { method: 'POST', path: 'setting/keep', body: {} },
    fields: [
      'session_bound_to_address',
      'custom_code_dashboard',
      'web_real_ip_header',
      'agent_real_ip_header',
      'waf_allowlist',
    ],
  },
  actions: { doctor, keep: endTrial('keep'), revert: endTrial('revert') },
  cli: { edit: 'setting set', doctor: 'doctor' },
  wire: {
    verbs: ['get', 'edit'],
    shape: 'one',
    decode(item) {
      const { config, ...told } = answer().parse(item)
      return { ...sessions, ...retention, ...auditRetention, ...quota, ...idsOf(config), ...told, id: 1 }
    },
    encode: ({ ignored_ip_notification: ids, ...values }) => ({
      ...values,
      on_trial: true,
      ignored_ip_notification: (ids as readonly number[]).join(','),
    }),
    decodeInput(body) {
      const { on_trial: _how, ...input } = idsOf(body as Record<string, unknown>)
      return input
    },
  },
})

/** By the server’s hint or error code. */
const solving: ReadonlyMap<string, string> = new Map([
  ['installHostRequired', 'install_host'],
  ['outboundAllowlist', 'outbound_allowlist'],
])

/** The setting that solves a failure; null if none does. */
export function settingFor({ code, params }: Pick<AppError, 'code' | 'params'>): string | null {
  return solving.get(String(params.hint ?? code)) ?? null
}

/** The server’s IANA time zone. An empty setting means the host’s, so our server sends `effective_time_zone`; others count in UTC. */
export function siteTimeZone({ all }: Pick<View, 'all'>): string {
  const setting = all('setting')[0]
  return String(setting?.effective_time_zone || setting?.time_zone || 'UTC')
}
