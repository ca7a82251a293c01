import type { Difference } from './difference.ts'
import { asUnknown } from './reasons.ts'

/** A profile as the recording stored one, of a provider that there is. */
const odd = {
  name: 'odd',
  provider: 'dummy',
  enable_ipv4: true,
  max_retries: 3,
  domains: ['www.example.com', 'münchen.example'],
  access_id: 'id',
  access_secret: 'secret',
  webhook_method: 1,
  webhook_request_type: 1,
  webhook_headers: '{"A":"b"}',
}

/** How ours differs in DDNS profiles. */
export const ddns: readonly Difference[] = [
  {
    file: 'ddns',
    step: 'create: bad IDN',
    error: 'error parsing xn--a: idna: invalid label "xn--a"',
    why: 'the label is named as it was typed',
  },
  {
    file: 'ddns',
    step: 'create: unknown provider accepted',
    error: /provider is not one of the options/,
    why: 'stricter on purpose (decisions.md, "Stricter checks"): a profile of an unknown provider could never update anything',
    instead: odd,
  },
  {
    file: 'ddns',
    step: 'list as admin (secrets redacted)',
    at: [/^body\.data\[2\]\.webhook_(method|request_type)$/],
    why: 'a missing method is GET and a missing type JSON, as with notifiers',
  },
  { file: 'ddns', step: 'edit: foreign', error: 'profile id 2 does not exist', why: asUnknown },
  { file: 'ddns', step: 'delete: foreign', success: true, why: asUnknown },
  {
    file: 'servers',
    step: 'edit: unknown DDNS profile id passes',
    error: 'permission denied',
    why: 'unknown ids are refused on write (decisions.md, "Foreign and unknown ids")',
  },
  {
    file: 'servers',
    step: 'list after edit',
    at: [/\.(ddns_profiles|override_ddns_domains)$/],
    why: 'unknown ids are refused on write (decisions.md, "Foreign and unknown ids")',
  },
]

/** The profile without target and name that the recording stored, with both. */
const empty = { name: 'empty', server_id: 1, host: '127.0.0.1:1', domain: 'empty.example.test' }

/** How ours differs in NAT profiles. */
export const nat: readonly Difference[] = [
  {
    file: 'nat',
    step: 'create: empty domain and host accepted',
    error: /host .*; domain /,
    why: 'stricter on purpose (decisions.md, "Stricter checks"): without them it could never be reached',
    instead: empty,
  },
  { file: 'nat', step: 'create: member, foreign server', error: 'have invalid server id', why: asUnknown },
  { file: 'nat', step: 'edit: foreign', error: 'profile id 1 does not exist', why: asUnknown },
  { file: 'nat', step: 'delete: foreign', success: true, why: asUnknown },
]
