import { type CallApi, type DdnsProviderPort, refusedBy } from './provider.ts'

/** What the words of its answers mean. */
const meanings: Readonly<Record<string, string>> = {
  badauth: 'wrong key for this hostname',
  nohost: 'no such dynamic record; create it there first',
  notfqdn: 'no such dynamic record; create it there first',
  abuse: 'this hostname is blocked there because of too many updates',
  interval: 'too soon after the last update',
  badagent: 'it refuses this client',
  dnserr: 'it has a temporary problem',
  '911': 'it has a temporary problem',
}

/** Hurricane Electric takes one update in this time. */
const pauseMs = 8000

/** dns.he.net: one key for all names of the profile, whose dynamic records exist there. Source: contract engines 6.1. */
export function createHe({ call, origin }: { call: CallApi; origin: string }): DdnsProviderPort {
  return {
    pauseMs,
    async publish({ access_secret: password }, { domain: hostname, address: myip }) {
      const body = new URLSearchParams({ hostname, password, myip }).toString()
      const headers = { 'Content-Type': 'application/x-www-form-urlencoded' }
      const got = await call({ method: 'POST', url: `${origin}/nic/update`, headers, body })
      const [word = ''] = got.body.trim().split(/\s+/)
      if (got.status === 200 && (word === 'good' || word === 'nochg')) return
      const said = /^[\w!]{1,20}$/.test(word)
        ? `answered ${word}`
        : `returned ${got.status}, but not a response of its API`
      throw refusedBy('he', meanings[word] ?? said)
    },
  }
}
