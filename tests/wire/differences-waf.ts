import type { Difference } from './difference.ts'
import { deadToken } from './reasons.ts'

const members = 'members look at both lists, addresses masked (decisions.md, "WAF and online-user lists for members")'
const peer = 'a header that is missing or no address leaves the peer: nobody is locked out (S-04)'
const unbound = 'a sign-in is not bound to an address (decisions.md, "Sessions")'
const self = 'nobody blocks their own address (S-52)'
const noProvider = 'no provider is set'

/** How ours differs in the firewall, in who is connected, and on a site for members only. */
export const waf: readonly Difference[] = [
  { file: 'online-users', step: 'list: member', success: true, at: [/^headers\./], why: members },
  {
    file: 'online-users',
    step: 'block: 127.0.0.1 (no real-IP header configured: HTTP goes on, sockets are closed)',
    error: 'this is your own address',
    why: self,
    instead: ['2001:db8::1'],
  },
  { file: 'waf', step: 'list', at: [/^body\.data\.value$/], why: self },
  { file: 'waf', step: 'list: member', success: true, at: [/^headers\./], why: members },
  { file: 'waf', step: 'request without the header', success: true, at: [/^headers\./], why: peer },
  { file: 'waf', step: 'static file without the header', at: [/^headers\.content-type$/, /^body$/], why: peer },
  { file: 'waf', step: 'unparsable header', success: true, at: [/^headers\./], why: peer },
  ...[
    'existing login: stored IP (empty) differs',
    'same login from another address',
    'login dropped (address differs now)',
    'login dropped again',
  ].map((step) => ({ file: 'waf', step, success: true as const, at: [/^headers\./], why: unbound })),
  ...['existing login on /setting: guest', 'same login from another address on /setting: guest, no strike'].map(
    (step) => ({ file: 'waf', step, at: [/^body\.data\./], why: unbound }),
  ),
  ...['dead session on /setting: block page and strike', 'bad uid claim on /setting: two strikes'].map((step) => ({
    file: 'waf',
    step,
    status: 200,
    at: [/^headers\.content-type$/, /^bodyText$/],
    why: deadToken,
  })),
  { file: 'waf', step: 'list with all reasons', at: [/^body\.data\.value$/], why: deadToken },
  { file: 'force-auth', step: 'settings stay open', at: [/oauth2_providers$/], why: noProvider },
]
