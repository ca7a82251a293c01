import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { maskSecrets } from './mask-secrets.ts'

const letters = 'abcdefghijkmnpqrstuvwxyzABCDEFGHJKLMNPQRSTUVWXYZ'
const key = (least: number, most: number) =>
  fc.string({ unit: fc.constantFrom(...letters, ...'23456789'), minLength: least, maxLength: most })
/** A secret of any length: only its name tells that it is one. Its first letters are those of no template here. */
const named = key(4, 40).map((rest) => `Qz9${rest}`)
/** A secret that is one by its looks, wherever it stands. */
const long = key(20, 60).map((rest) => `Qz9${rest}`)

const names = fc.constantFrom(
  'token',
  'access_token',
  'X-Api-Key',
  'apikey',
  'Authorization',
  'password',
  'client-secret',
  'routing_key',
  'Passwort-Password',
  'sign',
  'Cookie',
)
const spaces = fc.constantFrom('', ' ', '\n  ', '\t')
const quoted = (text: string) => JSON.stringify(text)
const escaped = (text: string) =>
  `"${[...text].map((sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`).join('')}"`

const underName = fc.constantFrom<(name: string, secret: string, space: string) => string>(
  (name, secret, space) => `{"text": "#NEZHA#",${space}${quoted(name)}${space}:${space}${quoted(secret)}}`,
  (name, secret, space) =>
    `{${quoted(name)}:${space}{"inner": [1, ${quoted(secret)}], "more": ${quoted(secret)}}, "a": "b"}`,
  (name, secret) => `{"a": #DATETIME#, ${escaped(name)}: ${escaped(secret)}`,
  (name, secret) => `{"nested": ${quoted(JSON.stringify({ [name]: secret }))}}`,
  (name, secret) => `{"twice": ${quoted(JSON.stringify({ in: JSON.stringify({ [name]: secret }) }))}}`,
  (name, secret) => `{${quoted(name)}: "open ${secret}`,
  (name, secret) => `{'${name}': '${secret}, ${secret}'}`,
  (name, secret) => `text=#NEZHA#&${name}=${secret}&more=1`,
  (name, secret) => `{"url": "https://push.example/send?${encodeURIComponent(name)}=${secret}&x=1"}`,
  (name, secret) => `${name}="${secret}" other="1"`,
  (name, secret) => `${name}: ${secret}\ntext: #NEZHA#`,
  (name, secret) => `${name}: Bearer ${secret}, ${secret}\ntext: #NEZHA#`,
  (name, secret) => `<message><${name} kind="a">${secret}</${name}></message>`,
)

const byLooks = fc.constantFrom<(secret: string) => string>(
  (secret) => `{"text": "see ${secret} there"}`,
  (secret) => `{"a": "https://admin:${secret}@push.example/x"}`,
  (secret) => `{"a": "https:\\/\\/${secret}:x@push.example\\/x"}`,
  (secret) => `{"a": "https://hooks.slack.com/services/T024/B024/${secret}"}`,
  (secret) => `{"a": "https://discord.com/api/webhooks/12345/${secret}"}`,
  (secret) => `{"a": "https://api.telegram.org/bot1234567:${secret}/sendMessage"}`,
  (secret) => `{"a": "Basic ${secret}=="}`,
  (secret) => `#NEZHA# ${secret} #SERVER.NAME#`,
)

describe('issue 12.9: a stored body can be read again, without what is secret in it', () => {
  test('no secret under a name that says so survives', () => {
    void fc.assert(
      fc.property(names, named, spaces, underName, (name, secret, space, place) => {
        const masked = maskSecrets(place(name, secret, space), 'text')
        expect(masked).not.toContain(secret)
        expect(masked).not.toContain('Qz9')
        expect(masked).toContain('••••••')
      }),
      { numRuns: 3000 },
    )
  })

  test('no secret survives that looks like one, whatever its name', () => {
    void fc.assert(
      fc.property(long, byLooks, (secret, place) => {
        expect(maskSecrets(place(secret), 'text')).not.toContain('Qz9')
      }),
      { numRuns: 2000 },
    )
  })

  test('no value of a header survives but those that say how a message is written', () => {
    void fc.assert(
      fc.property(fc.stringMatching(/^X-[A-Za-z]{1,12}$/), named, (name, secret) => {
        const masked = maskSecrets(JSON.stringify({ 'Content-Type': 'text/plain', [name]: secret }), 'headers')
        expect(masked).toBe(JSON.stringify({ 'Content-Type': 'text/plain', [name]: '••••••' }))
      }),
    )
  })

  test.each([
    ['{"chat_id": "-1001234", "text": "#NEZHA# on #SERVER.NAME#", "parse_mode": "HTML"}'],
    ['{\n  "content": "#NEZHA#",\n  "username": "Quarterdeck"\n}'],
    ['text=#NEZHA#&priority=5'],
    ['{"title": "#SERVER.NAME#", "cpu": #CPU#, "link": "https://status.example/dashboard/incident?open=7"}'],
  ])('what is no secret stays as it was written: %s', (body) => {
    expect(maskSecrets(body, 'text')).toBe(body)
  })

  test('a secret is hidden where it stands, and the rest stays', () => {
    expect(
      maskSecrets('{"token": "abc", "url": "https://hooks.slack.com/services/T1/B2/c3", "to": "ops"}', 'text'),
    ).toBe('{"token": "••••••", "url": "https://hooks.slack.com/services/••••••", "to": "ops"}')
  })
})
