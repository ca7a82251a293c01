import { placeholders } from '@qd/core/schemas'
import type { Texts } from '../../base/state/texts.ts'

type Form = 'used' | 'total'

const meanings: Readonly<Record<string, readonly [key: string, form?: Form]>> = {
  NEZHA: ['ui.notifier.message'],
  DATETIME: ['ui.notifier.time'],
  'SERVER.NAME': ['resources.server.fields.name'],
  'SERVER.ID': ['ui.fields.id'],
  'SERVER.CPU': ['resources.server.fields.cpu'],
  'SERVER.MEM': ['resources.server.fields.memory'],
  'SERVER.SWAP': ['resources.server.fields.swap'],
  'SERVER.DISK': ['resources.server.fields.disk'],
  'SERVER.SPEEDIN': ['ui.metrics.net_in_speed'],
  'SERVER.SPEEDOUT': ['ui.metrics.net_out_speed'],
  'SERVER.TRANSFERIN': ['ui.metrics.transfer_in'],
  'SERVER.TRANSFEROUT': ['ui.metrics.transfer_out'],
  'SERVER.CPUUSED': ['resources.server.fields.cpu'],
  'SERVER.MEMUSED': ['resources.server.fields.memory', 'used'],
  'SERVER.SWAPUSED': ['resources.server.fields.swap', 'used'],
  'SERVER.DISKUSED': ['resources.server.fields.disk', 'used'],
  'SERVER.MEMTOTAL': ['resources.server.fields.memory', 'total'],
  'SERVER.SWAPTOTAL': ['resources.server.fields.swap', 'total'],
  'SERVER.DISKTOTAL': ['resources.server.fields.disk', 'total'],
  'SERVER.NETINSPEED': ['ui.metrics.net_in_speed'],
  'SERVER.NETOUTSPEED': ['ui.metrics.net_out_speed'],
  'SERVER.NETINTRANSFER': ['ui.metrics.transfer_in'],
  'SERVER.NETOUTTRANSFER': ['ui.metrics.transfer_out'],
  'SERVER.LOAD1': ['ui.metrics.load1'],
  'SERVER.LOAD5': ['ui.metrics.load5'],
  'SERVER.LOAD15': ['ui.metrics.load15'],
  'SERVER.TCPCONNCOUNT': ['ui.metrics.tcp_conn_count'],
  'SERVER.UDPCONNCOUNT': ['ui.metrics.udp_conn_count'],
  'SERVER.IP': ['resources.server.fields.address'],
  'SERVER.IPV4': ['ui.notifier.ipv4'],
  'SERVER.IPV6': ['ui.notifier.ipv6'],
}

export function placeholderWords({
  say,
  t,
}: Pick<Texts, 'say' | 't'>): readonly { placeholder: string; meaning: string }[] {
  return placeholders.map((placeholder) => {
    const [key, form] = meanings[placeholder.slice(1, -1)] ?? ['ui.notifier.message']
    const what = say(key)
    return { placeholder, meaning: form ? t(`ui.notifier.${form}`, { what }) : what }
  })
}
