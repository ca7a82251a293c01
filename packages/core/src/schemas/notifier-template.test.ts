import { describe, expect, test } from 'vitest'
import {
  fillTemplate,
  maxFilledLength,
  placeholders,
  type TemplateFill,
  type TemplateServer,
} from './notifier-template.ts'

const server: TemplateServer = {
  id: 7,
  name: 'web-1',
  host: { mem_total: 8_589_934_592, swap_total: 0, disk_total: 1000 },
  state: {
    cpu: 12.34,
    mem_used: 4_400_624_435,
    swap_used: 5,
    disk_used: 250,
    net_in_speed: 123_456,
    net_out_speed: 9,
    net_in_transfer: 5_046_586_573,
    net_out_transfer: 1_536 * 1024,
    load_1: 0.5,
    tcp_conn_count: 12,
    udp_conn_count: 3,
  },
  geoip: { ip: { ipv4_addr: '192.0.2.7', ipv6_addr: '2001:db8::7' } },
}
const fill: TemplateFill = {
  message: 'hello',
  at: Date.parse('2025-01-01T19:04:05.670Z'),
  timeZone: 'Asia/Shanghai',
  server,
  units: false,
}
const filled = (template: string, more: Partial<TemplateFill> = {}) =>
  fillTemplate(template, { ...fill, ...more }, 'none')

describe('placeholders', () => {
  test.each([
    ['#NEZHA#', 'hello', 'hello'],
    ['#DATETIME#', '2025-01-02 03:04:05.67 +0800 +08', '2025-01-02 03:04:05.67 +0800 +08'],
    ['#SERVER.NAME#', 'web-1', 'web-1'],
    ['#SERVER.ID#', '7', '7'],
    ['#SERVER.CPU#', '12.340000', '12.34 %'],
    ['#SERVER.MEM#', '0.512300', '51.23 %'],
    ['#SERVER.SWAP#', '0.000000', '0.00 %'],
    ['#SERVER.DISK#', '0.250000', '25.00 %'],
    ['#SERVER.SPEEDIN#', '123456/s', '121 kB/s'],
    ['#SERVER.SPEEDOUT#', '9/s', '9 B/s'],
    ['#SERVER.TRANSFERIN#', '5046586573', '4.7 GB'],
    ['#SERVER.TRANSFEROUT#', '1572864', '1.5 MB'],
    ['#SERVER.CPUUSED#', '12.340000', '12.340000'],
    ['#SERVER.MEMUSED#', '4400624435', '4400624435'],
    ['#SERVER.SWAPUSED#', '5', '5'],
    ['#SERVER.DISKUSED#', '250', '250'],
    ['#SERVER.MEMTOTAL#', '8589934592', '8589934592'],
    ['#SERVER.SWAPTOTAL#', '0', '0'],
    ['#SERVER.DISKTOTAL#', '1000', '1000'],
    ['#SERVER.NETINSPEED#', '123456', '123456'],
    ['#SERVER.NETOUTSPEED#', '9', '9'],
    ['#SERVER.NETINTRANSFER#', '5046586573', '5046586573'],
    ['#SERVER.NETOUTTRANSFER#', '1572864', '1572864'],
    ['#SERVER.LOAD1#', '0.500000', '0.500000'],
    ['#SERVER.LOAD5#', '0.000000', '0.000000'],
    ['#SERVER.LOAD15#', '0.000000', '0.000000'],
    ['#SERVER.TCPCONNCOUNT#', '12', '12'],
    ['#SERVER.UDPCONNCOUNT#', '3', '3'],
    ['#SERVER.IP#', '192.0.2.7', '192.0.2.7'],
    ['#SERVER.IPV4#', '192.0.2.7', '192.0.2.7'],
    ['#SERVER.IPV6#', '2001:db8::7', '2001:db8::7'],
  ])('%s is %s, with units %s', (placeholder, plain, units) => {
    expect([filled(placeholder), filled(placeholder, { units: true })]).toEqual([plain, units])
    expect(placeholders).toContain(placeholder)
  })

  test.each([
    [9, '9 B'],
    [1023, '1023 B'],
    [1024, '1.0 kB'],
    [10_240, '10 kB'],
    [1_572_864, '1.5 MB'],
    [123_731_968, '118 MB'],
    [0, '0 B'],
    [2 ** 60, '1.0 EB'],
    [2 ** 71, '2048 EB'],
  ])('%d bytes are %s', (value, text) => {
    expect(
      filled('#SERVER.TRANSFERIN#', { units: true, server: { ...server, state: { net_in_transfer: value } } }),
    ).toBe(text)
  })

  test('a server that never reported has zeros and no address', () => {
    const silent = { id: 1, name: 'new', host: {}, state: {}, geoip: {} }
    expect(filled('#SERVER.MEM# #SERVER.DISK# #SERVER.CPU# [#SERVER.IP#]', { units: true, server: silent })).toBe(
      '0.00 % 0.00 % 0.00 % []',
    )
  })

  test.each([
    ['2025-01-01T00:00:00Z', 'UTC', '2025-01-01 00:00:00 +0000 UTC'],
    ['2025-07-01T12:00:00.100Z', 'America/New_York', '2025-07-01 08:00:00.1 -0400 EDT'],
    ['2025-01-01T00:00:00.005Z', 'Asia/Kolkata', '2025-01-01 05:30:00.005 +0530 +0530'],
  ])('%s in %s is %s', (at, timeZone, text) => {
    expect(filled('#DATETIME#', { at: Date.parse(at), timeZone })).toBe(text)
  })
})

describe('one pass', () => {
  test.each([
    ['inserted text is not scanned again', '#NEZHA#', { message: '#SERVER.NAME##NEZHA#' }, '#SERVER.NAME##NEZHA#'],
    ['inserted text does not complete a placeholder', '#SERVER.N#NEZHA#', { message: 'AME#' }, '#SERVER.NAME#'],
    ['unknown ones stay as typed', '#SERVER.FOO# #nezha# #NEZHA', {}, '#SERVER.FOO# #nezha# #NEZHA'],
    ['a known one after an unknown one', '#SERVER.FOO#NEZHA#', {}, '#SERVER.FOOhello'],
    ['without a server its own stay as typed', '#SERVER.NAME# #NEZHA#', { server: null }, '#SERVER.NAME# hello'],
    ['the unclosed example of the form', '#SERVER.TCPCONNCOUNT', {}, '#SERVER.TCPCONNCOUNT'],
    ['a value with patterns of replace()', '#NEZHA#', { message: "$& $1 $'" }, "$& $1 $'"],
  ])('%s', (_name, template, more, text) => {
    expect(filled(template, more)).toBe(text)
  })
})

describe('S-43 inserted values', () => {
  const nasty = 'say "hi"\\\r\n\t<b>&\u2028\u0000 ü 😀 \ud800 +/?#='

  test('stand in a JSON body as they are', () => {
    const text = fillTemplate('{"text":"#NEZHA#","swap":#SERVER.SWAPUSED#}', { ...fill, message: nasty }, 'json')
    expect(JSON.parse(text)).toEqual({ text: nasty, swap: 5 })
    expect(text).not.toMatch(/[<>&\r\n\u2028]/)
  })

  test('stand in an address as one value', () => {
    const text = fillTemplate('http://a/?q=#NEZHA#&r=1', { ...fill, message: nasty }, 'url')
    const query = new URL(text).searchParams
    expect(query.get('q')).toBe(nasty.replace('\ud800', '\ufffd'))
    expect(query.get('r')).toBe('1')
    expect(fillTemplate('#NEZHA#', { ...fill, message: "a b!'()*~-_." }, 'url')).toBe('a+b%21%27%28%29%2A~-_.')
  })

  test('a megabyte fits, what it would grow to is bounded', () => {
    const message = '"\n'.repeat(524_288)
    const text = fillTemplate('{"text":"#NEZHA#"}', { ...fill, message }, 'json')
    expect(JSON.parse(text)).toEqual({ text: message })
    const many = '#NEZHA#'.repeat(100_000)
    expect(() => fillTemplate(many, { ...fill, message }, 'json')).toThrow(
      expect.objectContaining({ code: 'tooLarge' }),
    )
    expect(many.length).toBeLessThan(maxFilledLength)
  })
})
