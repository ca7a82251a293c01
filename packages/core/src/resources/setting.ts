import * as z from 'zod'
import { defineAction, defineResource, lazy, type View } from '../define/index.ts'
import type { AppError } from '../errors/index.ts'
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

/** An address range, an address, or a host, each perhaps with a port: `10.0.0.0/8`, `push.lan:8080`, `[fd00::1]:443`. */
const outboundTarget: RegExp =
  /^(?:[\d.]+\/\d{1,2}|[0-9a-f:]+\/\d{1,3}|(?:\[[0-9a-f:]+\]|[\w.-]+)(?::\d{1,5})?|[0-9a-f]*:[0-9a-f:]+)$/i

/** `9.9.9.9`, `9.9.9.9:53`, `2620:fe::fe`, `[2620:fe::fe]:53`. */
function isDnsServer(entry: string): boolean {
  const [, bracketed, plain, port = '53'] = /^(?:\[([^\]]+)\]|([\d.]+))(?::(\d{1,5}))?$/.exec(entry) ?? []
  const address = bracketed ?? plain ?? entry
  return isAddressRange(address) && !address.includes('/') && Number(port) > 0 && Number(port) <= 65_535
}

/** DNS servers by address, each perhaps with a port, as a list (`textParts`); empty: none. */
const dnsServers = lazy(() =>
  z
    .string()
    .max(1000)
    .refine((text) => textParts(text).every(isDnsServer), { params: { code: 'notAddress' } }),
)

/** Host names, each perhaps with a port, as a list (`textParts`); empty: none. */
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

/** Domains with commas, whose subdomains are meant: `*.apps.example.net` is `apps.example.net`; empty: none. */
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

/** Which servers' address changes are told (1 and 2 on the wire, decisions.md). */
export const SettingCover = { allExcept: 1, onlyListed: 2 } as const
const Language = Object.fromEntries(languages.map((language) => [language, language]))

/** What names the client behind a proxy: nothing, a header, or the word for "whoever is connected" (contract engines 8.5). */
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
  /** Names of the sign-in providers that the sign-in page offers. */
  oauth2_providers: z.array(z.string()).catch([]),
  version: z.string(),
  /** The zone that counts: the setting, or the host's where it is empty. */
  effective_time_zone: z.string(),
  history_bytes: z.number().nullable(),
  /** When what is on trial is taken back; null without a trial. */
  trial_until: instant.nullable(),
}))

/** What `GET /setting` wraps the configuration in. Source: contract http-api 3.5. */
const answer = lazy(() =>
  z.object({
    config: z.record(z.string(), z.unknown()).catch({}),
    version: z.string().catch(''),
    history_bytes: z.number().nullable().catch(null),
    trial_until: instant.nullable().catch(null),
  }),
)

/** The list of servers, which the wire has as text: `1,2`. What is no id there is left out (contract engines 5). */
function idsOf(config: Readonly<Record<string, unknown>>): Record<string, unknown> {
  const listed = config.ignored_ip_notification
  if (typeof listed !== 'string') return { ...config }
  const ids = listed
    .split(',')
    .filter((text) => /^[1-9]\d*$/.test(text))
    .map(Number)
  return { ...config, ignored_ip_notification: ids }
}

/** How long history is kept, where a server does not say it. */
const retention = { history_fine_hours: 26, history_middle_days: 8, history_coarse_days: 365 } as const

/** How long a sign-in lasts, where a server does not say it. */
const sessions = { session_days: 30, session_bound_to_address: false } as const

/** The same of the audit log: days, and at most so many entries. */
const auditRetention = { audit_days: 365, audit_entries: 200_000 } as const

/** How many records of each kind a user may have who is no admin, where a server does not say it. */
const quota = { user_records: 1000 } as const

const ipNotice = { enable_ip_change_notification: { is: true } }

/** The capability of a server with the settings that existing dashboards lack: time zone, who may see the public page, pictures, and what it may call. */
const siteCapability = 'site-settings'
/** The capability of a server that has names beside the one that agents use: for sign-in providers, and such as NAT may not take. */
const namesCapability = 'host-names'
/** What the server must announce for changes that are taken back unless they are confirmed. */
const trialCapability = 'settings-trial'

/** What is on trial stays, or is taken back at once. */
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

/** Settings of the whole site: one record. */
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
    site_name: '',
    language: 'en-US',
    install_host: '',
    tls: false,
    time_zone: '',
    force_auth: false,
    step_up: true,
    ...sessions,
    user_template: 'user-dist',
    avatar_service: '',
    custom_code: '',
    custom_code_dashboard: '',
    dashboard_host: '',
    reserved_hosts: '',
    nat_domains: '',
    dns_servers: '',
    web_real_ip_header: '',
    agent_real_ip_header: '',
    waf_allowlist: [],
    cover: 1,
    ignored_ip_notification: [],
    ip_change_notification_group_id: 0,
    enable_ip_change_notification: false,
    enable_plain_ip_in_notification: false,
    outbound_allowlist: [],
    ...retention,
    ...auditRetention,
    ...quota,
    members_see_hosts: true,
    enable_mcp: false,
  },
  fields: {
    id: { kind: 'number', hidden: true },
    oauth2_providers: { kind: 'part', schema: () => z.array(z.string()).catch([]), hidden: true },
    version: { kind: 'version' },
    site_name: { kind: 'text' },
    language: { kind: 'choice', options: Language },
    install_host: { kind: 'address', help: true },
    tls: { kind: 'flag' },
    time_zone: { kind: 'text', help: true, requires: siteCapability },
    effective_time_zone: { kind: 'text', requires: siteCapability },
    force_auth: { kind: 'flag', requires: siteCapability },
    step_up: { kind: 'flag', help: true, requires: 'step-up' },
    session_days: { kind: 'number', digits: 0, min: 1, max: 365, help: true, requires: 'sessions' },
    session_bound_to_address: { kind: 'flag', help: true, risky: true, requires: 'sessions' },
    user_template: { kind: 'text', hidden: true },
    avatar_service: { kind: 'address', help: true, requires: siteCapability },
    custom_code: { kind: 'note', help: true },
    custom_code_dashboard: { kind: 'note', help: true, risky: true },
    dashboard_host: { kind: 'address', help: true, requires: namesCapability },
    reserved_hosts: { kind: 'text', help: true, requires: namesCapability },
    nat_domains: { kind: 'text', help: true, requires: 'nat-domains' },
    dns_servers: { kind: 'text', help: true },
    web_real_ip_header: { kind: 'text', help: true, risky: true },
    agent_real_ip_header: { kind: 'text', help: true, risky: true },
    waf_allowlist: { kind: 'list', help: true, risky: true, requires: 'firewall' },
    cover: { kind: 'choice', options: SettingCover, flag: true },
    ignored_ip_notification: { kind: 'refs', to: 'server', flag: true },
    ip_change_notification_group_id: { kind: 'ref', to: 'notification-group', flag: true },
    enable_ip_change_notification: { kind: 'flag', help: true },
    enable_plain_ip_in_notification: { kind: 'flag', help: true },
    outbound_allowlist: { kind: 'list', help: true, requires: siteCapability },
    history_fine_hours: { kind: 'number', digits: 0, min: 1, max: 336, requires: 'history' },
    history_middle_days: { kind: 'number', digits: 0, min: 1, max: 90, requires: 'history' },
    history_coarse_days: { kind: 'number', digits: 0, min: 1, max: 3660, requires: 'history' },
    history_bytes: { kind: 'bytes', requires: 'history' },
    trial_until: { kind: 'instant', requires: trialCapability },
    audit_days: { kind: 'number', digits: 0, min: 1, max: 3660, help: true, requires: 'audit' },
    audit_entries: { kind: 'number', digits: 0, min: 1000, max: 500_000, help: true, requires: 'audit' },
    user_records: { kind: 'number', digits: 0, min: 1, max: 100_000, help: true, requires: 'user-quota' },
    members_see_hosts: { kind: 'flag', help: true, requires: 'hosts' },
    enable_mcp: { kind: 'flag', help: true, requires: 'mcp' },
  },
  columns: [
    { field: 'site_name', show: 'always' },
    { field: 'language' },
    { field: 'install_host' },
    { field: 'effective_time_zone' },
    { field: 'history_bytes' },
  ],
  sort: { field: 'site_name', order: 'asc' },
  form: [
    {
      group: 'site',
      fields: [
        { field: 'site_name' },
        { field: 'language' },
        { field: 'time_zone' },
        { field: 'force_auth' },
        { field: 'avatar_service', wide: true },
      ],
    },
    {
      group: 'sessions',
      fields: [{ field: 'session_days' }, { field: 'session_bound_to_address' }, { field: 'step_up' }],
    },
    { group: 'users', fields: [{ field: 'user_records' }, { field: 'members_see_hosts' }] },
    { group: 'agents', fields: [{ field: 'install_host' }, { field: 'tls' }] },
    {
      group: 'names',
      fields: [
        { field: 'dashboard_host' },
        { field: 'dns_servers' },
        { field: 'reserved_hosts', wide: true },
        { field: 'nat_domains', wide: true },
      ],
    },
    {
      group: 'firewall',
      fields: [
        { field: 'web_real_ip_header' },
        { field: 'agent_real_ip_header' },
        { field: 'waf_allowlist', wide: true },
      ],
    },
    {
      group: 'notices',
      fields: [
        { field: 'enable_ip_change_notification' },
        { field: 'ip_change_notification_group_id', when: ipNotice },
        { field: 'cover', when: ipNotice },
        { field: 'ignored_ip_notification', when: ipNotice, wide: true },
        { field: 'enable_plain_ip_in_notification' },
        { field: 'outbound_allowlist', wide: true },
      ],
    },
    {
      group: 'history',
      fields: [{ field: 'history_fine_hours' }, { field: 'history_middle_days' }, { field: 'history_coarse_days' }],
    },
    { group: 'audit', fields: [{ field: 'audit_days' }, { field: 'audit_entries' }] },
    { group: 'programs', fields: [{ field: 'enable_mcp', wide: true }] },
    {
      group: 'visitors',
      fields: [
        { field: 'custom_code', wide: true },
        { field: 'custom_code_dashboard', wide: true },
      ],
    },
  ],
  scopes: { read: null, write: 'nezha:admin:*', remove: null },
  audience: { read: 'guest', write: 'admin' },
  stepUp: ['edit'],
  actions: { doctor, keep: endTrial('keep'), revert: endTrial('revert') },
  cli: { edit: 'setting set', doctor: 'doctor' },
  wire: {
    verbs: ['get', 'edit'],
    shape: 'one',
    decode(item) {
      const { config, ...told } = answer().parse(item)
      return { ...sessions, ...retention, ...auditRetention, ...quota, ...idsOf(config), ...told, id: 1 }
    },
    keep: { capability: trialCapability, call: { method: 'POST', path: 'setting/keep', body: {} } },
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

/** Failures that a setting solves, by the hint that the server gives or the code. */
const solving: Readonly<Record<string, string>> = {
  installHostRequired: 'install_host',
  outboundAllowlist: 'outbound_allowlist',
}

/** The setting with which an administrator solves a failure; null if none does. */
export function settingFor({ code, params }: Pick<AppError, 'code' | 'params'>): string | null {
  return solving[String(params.hint ?? code)] ?? null
}

/**
 * IANA name of the time zone that the server's schedules, days and message times count in. Pure.
 * Ours sends it as `effective_time_zone`, since an empty setting means the host's zone, which no client knows. A server
 * that sends neither is taken to count in UTC.
 */
export function siteTimeZone({ all }: Pick<View, 'all'>): string {
  const setting = all('setting')[0]
  return String(setting?.effective_time_zone || setting?.time_zone || 'UTC')
}
