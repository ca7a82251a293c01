import { expect, test } from 'vitest'
import { createFakeMachine } from '../../../../tests/support/agent/fake-machine.ts'
import { defaultConfig } from '../config/agent-config.ts'
import { createReporter } from './report.ts'

const files = {
  '/etc/os-release': 'PRETTY_NAME="Debian GNU/Linux 12"\nID=debian\nVERSION_ID="12"\n',
  '/etc/debian_version': '12.11\n',
  '/proc/stat': 'cpu  100 0 100 700 100 0 0 0 50 0\ncpu0 1 2 3 4\nbtime 1700000000\n',
  '/proc/cpuinfo': 'processor\t: 0\nmodel name\t: AMD EPYC\n\nprocessor\t: 1\nmodel name\t: AMD EPYC\n\n',
  '/proc/meminfo': 'MemTotal:  1000 kB\nMemFree:  100 kB\nMemAvailable:  400 kB\nSwapTotal:  50 kB\nSwapFree:  20 kB\n',
  '/proc/self/mounts': '/dev/sda1 / ext4 rw 0 0\n',
  '/proc/net/dev': 'Inter-| Receive\n face |bytes\n  eth0: 1000 1 0 0 0 0 0 0 2000 2 0 0 0 0 0 0\n',
  '/proc/net/sockstat': 'sockets: used 9\nTCP: inuse 5 orphan 0 tw 2 alloc 8 mem 1\nUDP: inuse 3 mem 0\n',
  '/proc/net/sockstat6': 'TCP6: inuse 4\nUDP6: inuse 1\n',
  '/proc/uptime': '3600.99 7000.00\n',
  '/proc/loadavg': '0.25 0.50 0.75 1/90 1234\n',
  '/proc/1/cgroup': '0::/\n',
  '/proc/1234/stat': '',
  '/sys/class/hwmon/hwmon0/name': 'coretemp\n',
  '/sys/class/hwmon/hwmon0/temp1_input': '41500\n',
  '/sys/class/hwmon/hwmon0/temp1_label': 'Core 0\n',
  '/sys/class/hwmon/hwmon1/name': 'acpitz\n',
  '/sys/class/hwmon/hwmon1/temp1_input': '38000\n',
  '/sys/class/hwmon/hwmon1/temp2_input': '-273000\n',
}
const never = () => new Promise<void>(() => undefined)
const createMachine = () => {
  const machine = createFakeMachine(files, { sleep: never })
  machine.disks['/'] = { totalBytes: 500, usedBytes: 200 }
  return machine
}

test('the description of the machine', async () => {
  expect(await createReporter(createMachine(), '0.1.0', () => defaultConfig).readHost()).toEqual({
    platform: 'debian',
    platform_version: '12.11',
    cpu: ['AMD EPYC 2 Physical Core'],
    mem_total: 1_024_000n,
    disk_total: 500n,
    swap_total: 51_200n,
    arch: 'x86_64',
    virtualization: '',
    boot_time: 1_700_000_000n,
    version: '0.1.0',
    gpu: [],
  })
})

test('two states: rates are those between them', async () => {
  const machine = createMachine()
  const reporter = createReporter(machine, '', () => defaultConfig)
  expect(await reporter.readState()).toEqual({
    cpu: 20,
    mem_used: 614_400n,
    swap_used: 30_720n,
    disk_used: 200n,
    net_in_transfer: 1000n,
    net_out_transfer: 2000n,
    net_in_speed: 0n,
    net_out_speed: 0n,
    uptime: 3600n,
    load1: 0.25,
    load5: 0.5,
    load15: 0.75,
    tcp_conn_count: 11n,
    udp_conn_count: 4n,
    process_count: 2n,
    temperatures: [
      { name: 'acpitz', temperature: 38 },
      { name: 'coretemp_core_0', temperature: 41.5 },
    ],
    gpu: [],
  })
  machine.advance(2000)
  machine.files['/proc/stat'] = 'cpu  150 0 100 750 100 0 0 0 50 0\n'
  machine.files['/proc/net/dev'] = 'eth0: 5000 1 0 0 0 0 0 0 1000 2 0 0 0 0 0 0\n'
  const { cpu, net_in_speed, net_out_speed } = await reporter.readState()
  expect([cpu, net_in_speed, net_out_speed]).toEqual([50, 2000n, 0n])
})

test('a machine that tells nothing is reported as zeros', async () => {
  const reporter = createReporter(createFakeMachine({}, { sleep: never }), '', () => defaultConfig)
  expect(await reporter.readState()).toMatchObject({ cpu: 0, mem_used: 0n, disk_used: 0n, uptime: 0n, load1: 0 })
  expect(await reporter.readHost()).toMatchObject({ platform: 'linux', cpu: [], boot_time: 0n })
})
