/** ARM core names by implementer and part, in hex as in /proc/cpuinfo (manufacturers’ manuals, MIDR). */
const cores: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  // Arm
  '41': {
    '810': 'ARM810',
    '920': 'ARM920',
    '922': 'ARM922',
    '926': 'ARM926',
    '940': 'ARM940',
    '946': 'ARM946',
    '966': 'ARM966',
    a26: 'ARM1026',
    b02: 'ARM11 MPCore',
    b36: 'ARM1136',
    b56: 'ARM1156',
    b76: 'ARM1176',
    c05: 'Cortex-A5',
    c07: 'Cortex-A7',
    c08: 'Cortex-A8',
    c09: 'Cortex-A9',
    c0d: 'Cortex-A12',
    c0e: 'Cortex-A17',
    c0f: 'Cortex-A15',
    d01: 'Cortex-A32',
    d02: 'Cortex-A34',
    d03: 'Cortex-A53',
    d04: 'Cortex-A35',
    d05: 'Cortex-A55',
    d06: 'Cortex-A65',
    d07: 'Cortex-A57',
    d08: 'Cortex-A72',
    d09: 'Cortex-A73',
    d0a: 'Cortex-A75',
    d0b: 'Cortex-A76',
    d0c: 'Neoverse-N1',
    d0d: 'Cortex-A77',
    d0e: 'Cortex-A76AE',
    d40: 'Neoverse-V1',
    d41: 'Cortex-A78',
    d42: 'Cortex-A78AE',
    d43: 'Cortex-A65AE',
    d44: 'Cortex-X1',
    d46: 'Cortex-A510',
    d47: 'Cortex-A710',
    d48: 'Cortex-X2',
    d49: 'Neoverse-N2',
    d4a: 'Neoverse-E1',
    d4b: 'Cortex-A78C',
    d4c: 'Cortex-X1C',
    d4d: 'Cortex-A715',
    d4e: 'Cortex-X3',
    d4f: 'Neoverse-V2',
    d80: 'Cortex-A520',
    d81: 'Cortex-A720',
    d82: 'Cortex-X4',
    d84: 'Neoverse-V3',
    d85: 'Cortex-X925',
    d87: 'Cortex-A725',
    d8e: 'Neoverse-N3',
  },
  // Broadcom
  '42': { '0f': 'Brahma-B15', '100': 'Brahma-B53', '516': 'ThunderX2' },
  // Cavium
  '43': {
    '0a0': 'ThunderX',
    '0a1': 'ThunderX-88XX',
    '0a2': 'ThunderX-81XX',
    '0a3': 'ThunderX-83XX',
    '0af': 'ThunderX2',
  },
  // Fujitsu
  '46': { '001': 'A64FX', '003': 'MONAKA' },
  // HiSilicon
  '48': { d01: 'Kunpeng-920', d02: 'TaiShan-v120', d40: 'Cortex-A76' },
  // NVIDIA
  '4e': { '000': 'Denver', '003': 'Denver 2', '004': 'Carmel', '010': 'Olympus' },
  // Applied Micro
  '50': { '000': 'X-Gene' },
  // Qualcomm
  '51': {
    '00f': 'Scorpion',
    '02d': 'Scorpion',
    '04d': 'Krait',
    '06f': 'Krait',
    '001': 'Oryon',
    '201': 'Kryo',
    '205': 'Kryo',
    '211': 'Kryo',
    '800': 'Kryo 2xx Gold',
    '801': 'Kryo 2xx Silver',
    '802': 'Kryo 3xx Gold',
    '803': 'Kryo 3xx Silver',
    '804': 'Kryo 4xx Gold',
    '805': 'Kryo 4xx Silver',
    c00: 'Falkor',
    c01: 'Saphira',
  },
  // Samsung
  '53': { '001': 'Exynos M1', '002': 'Exynos M3', '003': 'Exynos M4', '004': 'Exynos M5' },
  // Marvell
  '56': { '131': 'Feroceon 88FR131', '581': 'PJ4', '584': 'PJ4B' },
  // Apple
  '61': {
    '022': 'Apple M1 Icestorm',
    '023': 'Apple M1 Firestorm',
    '024': 'Apple M1 Pro Icestorm',
    '025': 'Apple M1 Pro Firestorm',
    '028': 'Apple M1 Max Icestorm',
    '029': 'Apple M1 Max Firestorm',
    '032': 'Apple M2 Blizzard',
    '033': 'Apple M2 Avalanche',
    '034': 'Apple M2 Pro Blizzard',
    '035': 'Apple M2 Pro Avalanche',
    '038': 'Apple M2 Max Blizzard',
    '039': 'Apple M2 Max Avalanche',
  },
  // Faraday
  '66': { '526': 'FA526', '626': 'FA626' },
  // Microsoft
  '6d': { d49: 'Azure Cobalt 100' },
  // Phytium
  '70': {
    '303': 'FTC310',
    '660': 'FTC660',
    '661': 'FTC661',
    '662': 'FTC662',
    '663': 'FTC663',
    '664': 'FTC664',
    '862': 'FTC862',
  },
  // Ampere
  c0: { ac3: 'Ampere-1', ac4: 'Ampere-1a', ac5: 'Ampere-1b' },
}

export const armCoreName = (implementer: string, part: string): string | undefined => {
  const hex = (text: string) => text.toLowerCase().replace(/^0x/, '')
  return cores[hex(implementer)]?.[hex(part)]
}
