import type { Machine } from '../machine.ts'

export interface Platform {
  name: string
  version: string
}

export const readPlatform = async (machine: Machine): Promise<Platform> => {
  const release = await machine.read('/etc/os-release')
  const field = (name: string) => new RegExp(`^${name}="?([^"\n]*)"?$`, 'm').exec(release)?.[1] ?? ''
  const name = field('ID') || 'linux'
  const debian = name === 'debian' ? (await machine.read('/etc/debian_version')).trim() : ''
  return { name, version: debian || field('VERSION_ID') }
}

const vendors: [RegExp, string][] = [
  [/vmware/i, 'vmware'],
  [/virtualbox|innotek/i, 'vbox'],
  [/microsoft corporation.*virtual machine/is, 'hyperv'],
  [/xen/i, 'xen'],
  [/parallels/i, 'parallels'],
  [/qemu|kvm|amazon ec2|google|openstack|digitalocean|hetzner/i, 'kvm'],
]

/** Such as `docker`, `lxc`, `kvm`; empty on real hardware. */
export const readVirtualization = async (machine: Machine): Promise<string> => {
  const [container, root, cgroup, vendor, product, cpuinfo, proc, kernel, mounts] = await Promise.all([
    machine.read('/run/systemd/container'),
    machine.list('/'),
    machine.read('/proc/1/cgroup'),
    machine.read('/sys/class/dmi/id/sys_vendor'),
    machine.read('/sys/class/dmi/id/product_name'),
    machine.read('/proc/cpuinfo'),
    machine.list('/proc'),
    machine.read('/proc/version'),
    machine.read('/proc/self/mounts'),
  ])
  if (container.trim()) return container.trim()
  if (root.includes('.dockerenv') || cgroup.includes('/docker')) return 'docker'
  if (cgroup.includes('/lxc') || /^\S+ \/proc\/\S+ fuse\.lxcfs /m.test(mounts)) return 'lxc'
  // An OpenVZ host has both folders.
  if (proc.includes('vz') && !proc.includes('bc')) return 'openvz'
  if (/-microsoft/i.test(kernel)) return 'wsl'
  const known = vendors.find(([pattern]) => pattern.test(`${vendor} ${product}`))
  if (known) return known[1]
  return /^flags\s*:.*\bhypervisor\b/m.test(cpuinfo) ? 'kvm' : ''
}
