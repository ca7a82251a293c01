import { type CallApi, type DdnsProviderPort, refusedBy } from './provider.ts'

/** What the words of its answers mean. */
const meanings: Readonly<Record<string, string>> = {
  badauth: 'the key is wrong for this name',
  nohost: 'it has no such dynamic record; make it there first',
  notfqdn: 'it has no such dynamic record; make it there first',
  abuse: 'it has blocked this name for too many updates',
  interval: 'it takes no update so soon after the last one',
  badagent: 'it refuses this program',
  dnserr: 'it has trouble of its own',
  '911': 'it has trouble of its own',
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
        : `answered ${got.status} with something that is not its API`
      throw refusedBy('he', meanings[word] ?? said)
    },
  }
}
