import { pathToFileURL } from 'node:url'
import {
  type Aim,
  type Attack,
  bodyless,
  breakHttp2,
  openMany,
  resetRapidly,
  sendAhead,
  sendHalfMessages,
  unread,
} from '../support/peers/attacks.ts'

/** Addresses of attackers: neither the quiet caller's nor the agents'. */
const addresses = ['127.0.0.9', '127.0.0.10', '127.0.0.11', '127.0.0.12']

/** The address of the quiet caller. */
const own = '127.0.0.1'

/** An attack, and the highest p95 of the quiet caller meanwhile, in ms; 200 where none is named. */
interface Listed {
  limit?: number
  begin(aim: Aim): Attack
}
const limit = 500

/** Attacks by the word that names them; each comes from the attackers’ addresses unless it says otherwise. Source: issues 11 and 37, behaviours S-53 to S-56. */
export const attacks: Readonly<Record<string, Listed>> = {
  'half messages of 4 MB on 3 x 250 calls with a wrong secret (S-53)': {
    begin: (aim) => sendHalfMessages({ ...aim, connections: 3 }),
  },
  '1,000 GET /healthz a second, sent ahead (S-54)': {
    begin: (aim) => sendAhead({ ...aim, path: '/healthz', perSecond: 1000 }),
  },
  '1,000 GET /setting a second, sent ahead (S-54)': {
    begin: (aim) => sendAhead({ ...aim, path: '/api/v1/setting', perSecond: 1000 }),
  },
  '60 broken HTTP/2 connections a second (S-55)': { begin: (aim) => breakHttp2({ ...aim, perSecond: 60 }) },
  '1,000 connections with half a preface (S-56)': {
    begin: (aim) => openMany({ ...aim, count: 1000, words: 'PRI * HT' }),
  },
  '1,000 bodies that do not end (S-56)': {
    begin: (aim) =>
      openMany({
        ...aim,
        count: 1000,
        words:
          'POST /api/v1/login HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nContent-Length: 9000\r\n\r\n{',
      }),
  },
  'rapid reset (37.6)': { limit, begin: resetRapidly },
  '1,000 GET /setting a second from the caller’s own address (37.3)': {
    limit,
    begin: (aim) => sendAhead({ ...aim, from: own, path: '/api/v1/setting', perSecond: 1000 }),
  },
  '100 sign-ins without a body from the caller’s own address (37.3)': {
    limit,
    begin: (aim) => openMany({ ...aim, from: own, count: 100, words: bodyless }),
  },
  '100 connections that read no answer from the caller’s own address (37.3)': {
    limit,
    begin: (aim) => openMany({ ...aim, from: own, count: 100, words: unread, reads: false }),
  },
}

/** Attacks until it is ended. */
function main(): void {
  const [word = '', port, count = '4'] = process.argv.slice(2)
  for (const from of addresses.slice(0, Number(count))) attacks[word]!.begin({ port: Number(port), from })
  process.stdout.write('the attack is on\n')
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) main()
