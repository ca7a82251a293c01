import { afterAll, beforeAll, expect, test } from 'vitest'
import type { Browser } from '../support/browser.ts'
import { type Received, type Receiver, startReceiver } from '../support/peers/receiver.ts'
import { createWorld, uuidOf, type World } from '../support/world.ts'

const name = 'db "prod" \\ 1 <b>&amp; 中文 🚀'
/** A message of a changed address fills none of a server: it stays as typed, and cuts nothing off. */
const unfilled = '#SERVER.NAME#'

let world: World
let root: Browser
let receiver: Receiver

beforeAll(async () => {
  receiver = await startReceiver()
  world = await createWorld()
  root = await world.login()
})
afterAll(async () => {
  await world.close()
  await receiver.close()
})

const json = ({ body }: Received) => JSON.parse(body) as unknown
const form = ({ body }: Received) => Object.fromEntries(new URLSearchParams(body))
const query = ({ url }: Received) => Object.fromEntries(new URL(url, 'http://x').searchParams)
/** The decoded parts of a path. */
const parts = ({ url }: Received) => new URL(url, 'http://x').pathname.split('/').slice(2).map(decodeURIComponent)

interface Kind {
  /** Path and query after `/KIND`. */
  url?: string
  method?: number
  form?: boolean
  header?: object
  body?: string
  /** What arrives, with the message in `text`. */
  arrives(text: string): unknown
  read(received: Received): unknown
}

const post = 2
/** What these services’ own documents ask for, each with the message where their users put it. */
const receivers: Record<string, Kind> = {
  'Bark, by path': { url: '/KEY/Alert/#NEZHA#', arrives: (text) => ['KEY', 'Alert', text], read: parts },
  'Bark, by body': {
    method: post,
    body: '{"device_key":"KEY","title":"#SERVER.NAME#","body":"#NEZHA#","level":"timeSensitive"}',
    arrives: (text) => ({ device_key: 'KEY', title: unfilled, body: text, level: 'timeSensitive' }),
    read: json,
  },
  ServerChan: {
    method: post,
    form: true,
    body: '{"title":"#SERVER.NAME#","desp":"#NEZHA#"}',
    arrives: (text) => ({ title: unfilled, desp: text }),
    read: form,
  },
  'Telegram, by address': {
    url: '/bot1:A/sendMessage?chat_id=-100&text=#NEZHA#',
    arrives: (text) => ({ chat_id: '-100', text }),
    read: query,
  },
  'Telegram, by body': {
    method: post,
    url: '/bot1:A/sendMessage',
    body: '{"chat_id":"-100","text":"#NEZHA#","disable_notification":false}',
    arrives: (text) => ({ chat_id: '-100', text, disable_notification: false }),
    read: json,
  },
  DingTalk: {
    method: post,
    url: '/robot/send?access_token=T',
    body: '{"msgtype":"text","text":{"content":"#NEZHA#"}}',
    arrives: (text) => ({ msgtype: 'text', text: { content: text } }),
    read: json,
  },
  Feishu: {
    method: post,
    body: '{"msg_type":"text","content":{"text":"#NEZHA#"}}',
    arrives: (text) => ({ msg_type: 'text', content: { text } }),
    read: json,
  },
  WeCom: {
    method: post,
    body: '{"msgtype":"markdown","markdown":{"content":"> #NEZHA#"}}',
    arrives: (text) => ({ msgtype: 'markdown', markdown: { content: `> ${text}` } }),
    read: json,
  },
  'Microsoft Graph mail': {
    method: post,
    header: { Authorization: 'Bearer T' },
    body: '{"message":{"subject":"#SERVER.NAME#","body":{"contentType":"Text","content":"#NEZHA#"}}}',
    arrives: (text) => ({ message: { subject: unfilled, body: { contentType: 'Text', content: text } } }),
    read: json,
  },
  Discord: {
    method: post,
    body: '{"embeds":[{"title":"#SERVER.NAME#","description":"#NEZHA#"}]}',
    arrives: (text) => ({ embeds: [{ title: unfilled, description: text }] }),
    read: json,
  },
  Slack: { method: post, body: '{"text":"#NEZHA#"}', arrives: (text) => ({ text }), read: json },
  'ntfy, a topic': { method: post, url: '/topic', body: '#NEZHA#', arrives: (text) => text, read: ({ body }) => body },
  'ntfy, by JSON': {
    method: post,
    header: { Title: 'Server' },
    body: '{"topic":"alerts","message":"#NEZHA#","priority":4}',
    arrives: (text) => ({ topic: 'alerts', message: text, priority: 4 }),
    read: json,
  },
  Gotify: {
    method: post,
    form: true,
    url: '/message?token=T',
    body: '{"title":"#SERVER.NAME#","message":"#NEZHA#","priority":"5"}',
    arrives: (text) => ({ title: unfilled, message: text, priority: '5' }),
    read: form,
  },
  WxPusher: {
    method: post,
    body: '{"appToken":"T","content":"#NEZHA#","contentType":1,"uids":["UID_1"]}',
    arrives: (text) => ({ appToken: 'T', content: text, contentType: 1, uids: ['UID_1'] }),
    read: json,
  },
  PushPlus: {
    url: '/send?token=T&title=#SERVER.NAME#&content=#NEZHA#',
    arrives: (text) => ({ token: 'T', title: unfilled, content: text }),
    read: query,
  },
  'a line break written in JSON': {
    method: post,
    body: '{"text":"#NEZHA#\\n#SERVER.NAME#"}',
    arrives: (text) => ({ text: `${text}\n${unfilled}` }),
    read: json,
  },
}

test('issue 36.38 seventeen receivers get the message whole, whatever a server is called', async () => {
  const { config } = (await root.api('GET', 'setting')) as { config: object }
  await root.api('PATCH', 'setting', { ...config, outbound_allowlist: [`127.0.0.1:${receiver.port}`] })
  const kinds = Object.entries(receivers)
  const ids: unknown[] = []
  for (const [at, [title, { url = '', method = 1, form: isForm = false, header, body = '' }]] of kinds.entries())
    ids.push(
      await root.api('POST', 'notification', {
        name: title,
        url: `${receiver.origin}/${at}${url}`,
        request_method: method,
        request_type: isForm ? 2 : 1,
        request_header: header ? JSON.stringify(header) : '',
        request_body: body,
        skip_check: true,
      }),
    )
  const group = await root.api('POST', 'notification-group', { name: 'everyone', notifications: ids })
  const on = { enable_ip_change_notification: true, cover: 1, ip_change_notification_group_id: group }
  await root.api('PATCH', 'setting', { ...config, ...on, outbound_allowlist: [`127.0.0.1:${receiver.port}`] })
  await world.agent({ uuid: uuidOf(7), address: '198.51.100.7' })
  const { id } = world.server.container.servers.byUuid(uuidOf(7))!
  await root.api('PATCH', `server/${id}`, { name })
  await world.agent({ uuid: uuidOf(7), address: '203.0.113.9' })

  const text = `[IP Changed] ${name}, 198.****.7 => 203.****.9`
  const arrived = new Map<number, unknown>()
  for (const _ of kinds) {
    const received = await receiver.inbox.next()
    const at = Number(/^\/(\d+)/.exec(received.url)![1])
    arrived.set(at, kinds[at]![1].read(received))
  }
  const told = kinds.map(([title], at) => [title, arrived.get(at)])
  expect(told).toEqual(kinds.map(([title, { arrives }]) => [title, arrives(text)]))
})
