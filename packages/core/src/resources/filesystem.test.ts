import { describe, expect, test } from 'vitest'
import { maxHostRows, type ParsedRows } from '../define/index.ts'
import { filesystem } from './index.ts'

const command = await filesystem.host!.commands()
const parse = await filesystem.host!.parser()
const rowsOf = (parsed: ParsedRows) => (parsed.state === 'read' ? parsed.rows : [])
const namesOf = (text: string) => rowsOf(parse(text)).map(({ name }) => name)
const text = (sections: Readonly<Record<string, string>>) =>
  Object.entries(sections)
    .map(([name, lines]) => `#@ ${name}\n${lines}`)
    .join('')

/** Recorded on Debian 12 (kernel 6.1, a virtual machine), with a mount whose server doesn’t answer and one with an odd path. */
const recorded = text({
  mounts: `1 0:23 / /dev/shm rw rw tmpfs tmpfs
2 254:0 / / rw rw ext4 /dev/vda
3 0:25 / /mnt/python ro ro tmpfs model
4 0:27 / /dev/shm rw rw tmpfs tmpfs
5 0:28 / /sys/fs/cgroup rw ro tmpfs tmpfs
6 0:39 / /tmp/dead rw rw fuse.hung hung
7 0:40 / /tmp/o\\040dd%s rw rw tmpfs none
8 0:41 / /tmp/n\\012l\\134x$(id) rw rw tmpfs none
`,
  calm: `4096 6171021 6171021 6171021 3085510 3085509 /dev/shm
4096 66053021 61112142 18934437 16777216 16143678 /
4096 1 1 1 3085510 3085509 /mnt/python
4096 6171021 6171021 6171021 3085510 3085509 /dev/shm
4096 1024 1024 1024 1024 1007 /sys/fs/cgroup
4096 3085510 3085510 3085510 3085510 3085509 /tmp/o dd%s
4096 3085510 1542755 1542755 3085510 3085509 /tmp/n
l\\x$(id)
`,
  answers: '',
  drives: `NAME="zram0" KNAME="zram0" PKNAME="" MAJ:MIN="253:0" TYPE="disk" SIZE="0" ROTA="0" MODEL=""
NAME="vda" KNAME="vda" PKNAME="" MAJ:MIN="254:0" TYPE="disk" SIZE="274877906944" ROTA="1" MODEL=""
`,
})

describe('file systems', () => {
  test('a mount is a record with its space, counted as df does, and its drive', () => {
    const root = rowsOf(parse(recorded)).find(({ name }) => name === '/')
    expect(root).toMatchObject({
      ...{ device: '/dev/vda', type: 'ext4', state: 'ok', read_only: false },
      ...{ size: 66_053_021 * 4096, used_bytes: 4_940_879 * 4096, available: 18_934_437 * 4096 },
      ...{ drives: ['vda'], model: '', drive_size: 274_877_906_944, media: 'hdd', health: 'unknown' },
    })
    // df says 21% of this host: it rounds up.
    expect(root!.used).toBeCloseTo(20.695, 2)
    expect(root!.inodes).toBeCloseTo(3.776, 2)
  })

  test('the upper one of two mounts at a path counts, and odd paths are read as they are', () => {
    expect(namesOf(recorded)).toEqual(['/dev/shm', '/', '/tmp/dead', '/tmp/o dd%s', '/tmp/n\\x0al\\x$(id)'])
    expect(rowsOf(parse(recorded)).at(-1)).toMatchObject({ used: 50 })
  })

  test('a mount that hangs is there, without numbers', () => {
    expect(rowsOf(parse(recorded)).find(({ name }) => name === '/tmp/dead')).toMatchObject({
      ...{ state: 'silent', used: null, used_bytes: null, available: null, size: null, inodes: null, drives: [] },
    })
  })

  test('a mount of a network answers, fails, or hangs, and a local one that the agent may not ask fails', () => {
    const mounts = `1 0:50 / /nfs rw rw nfs4 nas:/export
2 0:51 / /stale rw rw nfs4 nas:/gone
3 0:52 / /dead rw rw cifs //nas/share
4 8:1 / /private rw rw ext4 /dev/sda1
5 0:53 / /empty rw rw fuse.sshfs x
`
    const parsed = parse(
      text({ mounts, calm: '', answers: '5 4096 0 0 0 0 0\n1 1048576 100 10 10 0 0\n2 failed\n3 silent\n' }),
    )
    expect(rowsOf(parsed).map(({ name, state, used, inodes }) => [name, state, used, inodes])).toEqual([
      ['/nfs', 'ok', 90, null],
      ['/stale', 'failed', null, null],
      ['/dead', 'silent', null, null],
      ['/private', 'failed', null, null],
    ])
  })

  test('a file system that is mounted several times is one record: at its root, else with the shortest path', () => {
    const mounts = `1 8:1 /data /srv rw rw ext4 /dev/sda1
2 8:1 / /var/lib/long rw rw ext4 /dev/sda1
3 8:2 /etc/hosts /etc/hosts rw rw ext4 /dev/sda2
4 8:2 /etc/resolv.conf /etc/resolv.conf rw rw ext4 /dev/sda2
`
    expect(namesOf(text({ mounts }))).toEqual(['/var/lib/long', '/etc/hosts'])
  })

  test('a mount that is read-only, or whose file system is, is read-only', () => {
    const mounts = '1 8:1 / /a ro rw ext4 a\n2 8:2 / /b rw ro ext4 b\n3 8:3 / /c rw rw ext4 c\n'
    expect(rowsOf(parse(text({ mounts }))).map((row) => row.read_only)).toEqual([true, true, false])
  })

  test('what is hostile, too long, or too much is harmless', () => {
    const line = (number: number, path: string) => `${number} 9:${number} / ${path} rw rw ext4 \u001b[31m‮x\n`
    const many = Array.from({ length: maxHostRows + 3 }, (_, index) => line(index + 2, `/m${index}`)).join('')
    const parsed = parse(
      text({ mounts: line(1, `/${'x'.repeat(300)}`) + many, calm: '99999999999999999999 1 1 1 1 1 /m0\n' }),
    )
    expect(parsed).toMatchObject({ state: 'read', left: 4 })
    expect(rowsOf(parsed)[0]).toMatchObject({ name: '/m0', state: 'failed', device: '\\x1b[31m\\u{202e}x' })
    expect(parse('')).toEqual({ state: 'failed' })
    expect(parse('#@ unsupported\n')).toEqual({ state: 'not supported' })
    expect(parse('#@ mounts\n\u0000 \n1 2\n#@ calm\n#@ drives\nKNAME="a" PKNAME="a"')).toMatchObject({ rows: [] })
  })

  test('file systems have no commands', () => {
    expect(command('restart', ['/'])).toBeNull()
  })
})

describe('drives', () => {
  const mounts = `1 253:1 / / rw rw ext4 /dev/mapper/vg-root
2 0:40 /@ /data rw rw btrfs /dev/nvme0n1p2
3 9:0 / /raid rw rw xfs /dev/md0
`
  // Written by hand from the documentation of lsblk (util-linux 2.38): LVM on LUKS, RAID 1, btrfs. 2.37 and later write MAJ_MIN.
  const drives = `NAME="sda" KNAME="sda" PKNAME="" MAJ_MIN="8:0" TYPE="disk" SIZE="1000" ROTA="1" MODEL="WDC\\x20RED"
NAME="sda1" KNAME="sda1" PKNAME="sda" MAJ_MIN="8:1" TYPE="part" SIZE="900" ROTA="1" MODEL=""
NAME="crypt" KNAME="dm-0" PKNAME="sda1" MAJ_MIN="253:0" TYPE="crypt" SIZE="900" ROTA="1" MODEL=""
NAME="vg-root" KNAME="dm-1" PKNAME="dm-0" MAJ_MIN="253:1" TYPE="lvm" SIZE="800" ROTA="1" MODEL=""
NAME="sdb" KNAME="sdb" PKNAME="" MAJ_MIN="8:16" TYPE="disk" SIZE="2000" ROTA="0" MODEL="Samsung SSD"
NAME="md0" KNAME="md0" PKNAME="sdb" MAJ_MIN="9:0" TYPE="raid1" SIZE="2000" ROTA="0" MODEL=""
NAME="sdc" KNAME="sdc" PKNAME="" MAJ_MIN="8:32" TYPE="disk" SIZE="2000" ROTA="0" MODEL="Samsung SSD"
NAME="md0" KNAME="md0" PKNAME="sdc" MAJ_MIN="9:0" TYPE="raid1" SIZE="2000" ROTA="0" MODEL=""
NAME="nvme0n1" KNAME="nvme0n1" PKNAME="" MAJ_MIN="259:0" TYPE="disk" SIZE="5000" ROTA="0" MODEL="KIOXIA"
NAME="nvme0n1p2" KNAME="nvme0n1p2" PKNAME="nvme0n1" MAJ_MIN="259:2" TYPE="part" SIZE="4000" ROTA="0" MODEL=""
`
  /** Written by hand from the documentation of smartctl 7.3. */
  const said = (...lines: readonly string[]) => lines.map((line) => `drive ${line}\n`).join('')
  const read = (answers: string) =>
    Object.fromEntries(rowsOf(parse(text({ mounts, answers, drives }))).map((row) => [row.name as string, row]))

  test('are found below partitions, volumes, encryption, and RAID', () => {
    expect(read('')).toMatchObject({
      '/': { drives: ['sda'], model: 'WDC RED', drive_size: 1000, media: 'hdd' },
      '/data': { drives: ['nvme0n1'], model: 'KIOXIA', drive_size: 5000, media: 'ssd' },
      '/raid': { drives: ['sdb', 'sdc'], model: 'Samsung SSD', drive_size: 4000, media: 'ssd' },
    })
  })

  test('say whether they are well, in the words of ATA, NVMe and SCSI; of several the worst counts', () => {
    const passed = 'SMART overall-health self-assessment test result: PASSED'
    expect(
      read(
        said(
          `sda ${passed}`,
          'nvme0n1 SMART Health Status: OK',
          `sdb ${passed}`,
          'sdc Health Status: FAILURE PREDICTION',
        ),
      ),
    ).toMatchObject({ '/': { health: 'passed' }, '/data': { health: 'passed' }, '/raid': { health: 'failing' } })
    const failed = 'SMART overall-health self-assessment test result: FAILED!'
    expect(
      read(said(`sda ${failed}`, 'nvme0n1 Smartctl open device: /dev/nvme0n1 failed: Permission denied', 'sdb ')),
    ).toMatchObject({ '/': { health: 'failing' }, '/data': { health: 'denied' }, '/raid': { health: 'unknown' } })
  })
})
