/** One way in which an answer is not what was recorded. */
export interface Deviation {
  /** e.g. `body.data[0].owner`. */
  at: string
  what: string
}

/** Keys that ours adds to records and envelopes; a test fails when one of them is not met any more. */
export const additions: readonly { key: string; at?: RegExp; why: string }[] = [
  { key: 'code', why: 'the code of an error, for clients that translate it' },
  { key: 'params', why: 'what the sentence of an error names' },
  { key: 'problems', why: 'which fields were refused, and why' },
  { key: 'abilities', at: /^body\.data\.abilities$/, why: 'what else can be done with the files of a server' },
  { key: 'owner', why: 'every record says whose it is (capability owner)' },
  { key: 'admin', why: 'whether an owner reaches all servers' },
  { key: 'last_seen_at', why: 'when a server that is gone was last heard' },
  { key: 'pressure', why: 'since when a figure is at its bad limit, over some samples' },
  { key: 'last_run_id', why: 'the newest run of a task (capability runs)' },
  { key: 'last_counts', why: 'how the parts of the newest run of a task ended (capability runs)' },
  { key: 'schedule_set_at', why: 'since when the interval of a task counts' },
  { key: 'effective_time_zone', why: 'the zone that schedules count in (decisions.md, "Time zone of schedules")' },
  { key: 'enable_show_in_service', why: 'the older name of hide_for_guest, the other way round (decisions.md)' },
  ...['status', 'status_since', 'delay', 'error', 'up_percent', 'days', 'trend'].map((key) => ({
    key,
    at: /^body\.data(\[\d+\]|\.services\.\d+)\./,
    why: 'how a service stands',
  })),
  { key: 'display_index', at: /^body\.data\.services\.\d+\./, why: 'keys of an object keep no order' },
  { key: 'period', why: 'history says of what time it is' },
  { key: 'step_up', why: 'whether the password is asked again before shells and commands' },
  { key: 'outbound_allowlist', why: 'addresses in the own network that messages may go to' },
  { key: 'history_fine_hours', why: 'how long history is kept (decisions.md, "History")' },
  { key: 'history_middle_days', why: 'how long history is kept' },
  { key: 'history_coarse_days', why: 'how long history is kept' },
  { key: 'last_used_ip', why: 'the direct peer is known without a real-IP header' },
  { key: 'run_id', why: 'what is sent to servers is a run of the ledger (capability runs)' },
  { key: 'server_name', why: 'a transfer says the name of its server' },
  { key: 'from_username', why: 'a transfer says whose the server was' },
  { key: 'to_username', why: 'a transfer says whose the server is to be' },
  { key: 'host', why: 'a notifier says which host it is for, now that its address is not answered' },
  { key: 'has_header', why: 'whether a notifier has headers, which are not answered' },
  { key: 'has_body', why: 'whether a notifier has a body, which is not answered' },
  { key: 'masked_header', why: 'the headers of a notifier, with what is secret in them hidden' },
  { key: 'masked_body', why: 'the body of a notifier, with what is secret in it hidden' },
  { key: 'has_access_secret', why: 'whether a DDNS profile has a secret, which is not answered' },
  { key: 'has_headers', why: 'whether a DDNS profile has headers, which are not answered' },
  { key: 'masked_headers', why: 'the headers of a DDNS profile, with what is secret in them hidden' },
  { key: 'checked_at', why: 'when the target of a NAT profile was last looked for' },
  { key: 'login_ip', why: 'the direct peer is known without a real-IP header' },
  { key: 'last_used_at', at: /^body\.data\[\d+\]\.last_used_at$/, why: 'when a user was last active' },
  { key: 'is_self', why: 'which of the users asks' },
  { key: 'owns', why: 'what is deleted with a user' },
  { key: 'nat_domains', why: 'domains below which members may use NAT (37.1)' },
  { key: 'waf_allowlist', why: 'addresses that are never blocked (N-10)' },
  { key: 'session_days', why: 'how long a sign-in lasts (decisions.md, "Session length, address binding")' },
  { key: 'audit_days', why: 'how long the audit log is kept (R-11)' },
  { key: 'audit_entries', why: 'how long the audit log is kept (R-11)' },
  { key: 'user_records', why: 'how much a user may store (decisions.md, "Records per user")' },
  { key: 'members_see_hosts', why: 'whether users look into their hosts (docs/reference/host-resources.md)' },
  { key: 'force_auth', why: 'whether visitors may look is a setting (decisions.md, "Public page closed")' },
  { key: 'id', at: /^body\.data\.value\[\d+\]\.id$/, why: 'entries of the firewall and connections can be marked' },
  { key: 'all', at: /^body\.data\.all$/, why: 'pages say how long the whole list is (docs/reference/pagination.md)' },
  { key: 'counts', at: /^body\.data\.counts$/, why: 'and how many there are per option of its facet' },
  { key: 'username', at: /^body\.data\.value\[\d+\]/, why: 'who is connected, by name' },
  { key: 'blocked_until', why: 'when an address is free again' },
  { key: 'history_bytes', why: 'administrators see what history takes on the disk (R-04)' },
]

/** Texts of the libraries of existing servers: not part of the contract (http-api 11), so any text will do. */
export const libraryTexts: readonly RegExp[] = [
  /^json: /,
  /^strconv\./,
  /^EOF$/,
  /^unexpected EOF$/,
  /^invalid character/,
  /^bcrypt: /,
  /^Key: '/,
]

/** Objects whose zero values are left out, so that their keys depend on the machine that was recorded. */
const samples = ['host', 'state', 'geoip', 'ip']

/** Keys whose values are opaque or differ by nature. */
const placeholder = /^<[a-z0-9-]+>$/
const numbers = new Set(['<unix>', '<unix-ms>'])

const typeOf = (value: unknown) => {
  if (value === null) return 'null'
  if (Array.isArray(value)) return 'list'
  return typeof value === 'string' && numbers.has(value) ? 'number' : typeof value
}

/** Where an answer's JSON is not of the recorded shape: key set, types, what is left out, what is null, and the text of errors. */
export function compareShape(recorded: unknown, actual: unknown, met: Set<string>, at = 'body'): Deviation[] {
  const [wanted, found] = [typeOf(recorded), typeOf(actual)]
  if (wanted !== found) return [{ at, what: `${found} instead of ${wanted}` }]
  if (Array.isArray(recorded)) return compareLists(recorded, actual as unknown[], met, at)
  if (wanted === 'object') return compareObjects(recorded as Keyed, actual as Keyed, met, at)
  if (at === 'body.error') return compareTexts(recorded as string, actual as string)
  if (wanted === 'string' && placeholder.test(recorded as string) && actual === '') return [{ at, what: 'empty' }]
  return []
}

type Keyed = Readonly<Record<string, unknown>>

function compareLists(
  recorded: readonly unknown[],
  actual: readonly unknown[],
  met: Set<string>,
  at: string,
): Deviation[] {
  if (recorded.length !== actual.length) return [{ at, what: `${actual.length} entries instead of ${recorded.length}` }]
  return recorded.flatMap((item, index) => compareShape(item, actual[index], met, `${at}[${index}]`))
}

function compareObjects(recorded: Keyed, actual: Keyed, met: Set<string>, at: string): Deviation[] {
  const isSample = samples.includes(at.split('.').at(-1) ?? '')
  const deviations: Deviation[] = []
  for (const key of new Set([...Object.keys(recorded), ...Object.keys(actual)])) {
    const path = `${at}.${key}`
    if (key in recorded && key in actual) deviations.push(...compareShape(recorded[key], actual[key], met, path))
    else if (isSample) continue
    else if (key in recorded) deviations.push({ at: path, what: 'missing' })
    else if (additions.some((added) => added.key === key && (added.at?.test(path) ?? true))) met.add(key)
    else deviations.push({ at: path, what: 'not recorded' })
  }
  return deviations
}

function compareTexts(recorded: string, actual: string): Deviation[] {
  if (recorded === actual) return []
  if (libraryTexts.some((text) => text.test(recorded)) && actual !== '') return []
  return [{ at: 'body.error', what: `"${actual}" instead of "${recorded}"` }]
}
